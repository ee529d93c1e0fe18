"""An answer as events, told while it comes about: evidence, words, shares."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from haozhi.answer_view import answer_view, context_view
from haozhi.app import App
from haozhi.drafting import context_entries
from haozhi.listening import Listener
from haozhi.preparing import Prepared
from haozhi.settling import settle
from store.engine import read
from store.errors import BadInput, NotFound

Json = dict[str, Any]
Event = tuple[str, Json]
Tell = Callable[[str, Json], None]


class Telling(Listener):
    """Tells the events of one answer.

    Where a policy limits how much of a work an asker is shown, no text is told before the answer
    is stored, which is when it is counted: else who leaves in time would have read for nothing.
    """

    def __init__(self, app: App, answer_id: str, tell: Tell) -> None:
        self.answer_id = answer_id
        self._app, self._tell = app, tell
        self._said, self._draft, self._limited = "", 0, False

    def prepared(self, prepared: Prepared) -> None:
        """As in Listener: `evidence`."""
        self._limited = prepared.moment.policy.display_budget_chars is not None
        entries = tuple(context_entries(prepared.prompt, prepared.found))
        with read(self._app.engine) as session:
            context: Sequence[Json] = context_view(session, entries)
        if self._limited:
            context = [entry | {"text": None, "display": "later"} for entry in context]
        self._tell("evidence", {"context": context})

    def says(self, text: str) -> None:
        """As in Listener: `delta`."""
        if not self._limited:
            self._say(text)

    def stored(self, answer_id: str) -> None:
        """As in Listener: all of it as it is stored, and the provisional shares."""
        view = self._view(answer_id)
        self._tell_stored(view)
        for event in share_events(view):
            self._tell(*event)

    def again(self, question: str) -> bool:
        """Tell what is stored of the answer, if it is: evidence and words; False when it is not.

        Shares that a crash left provisional are made final. BadInput: the answer is to another
        question.
        """
        assert self.answer_id is not None
        try:
            view = self._view(self.answer_id)
        except NotFound:
            return False
        if view["question"] != question:
            raise BadInput(f"the answer {self.answer_id} is to another question")
        if view["tier"] == "provisional":
            settle(self._app, self.answer_id)
        self._tell_stored(view)
        return True

    def _view(self, answer_id: str) -> Json:
        with read(self._app.engine) as session:
            return answer_view(session, answer_id)

    def _tell_stored(self, view: Json) -> None:
        self._tell("evidence", {"context": view["context"]})
        self._say(view["text"])

    def _say(self, text: str) -> None:
        """Tell what is new in the text; a new draft where it does not go on from the last one."""
        goes_on = self._draft > 0 and text.startswith(self._said)
        new = text[len(self._said) :] if goes_on else text
        self._draft += not goes_on
        self._said = text
        if new:
            self._tell("delta", {"draft": self._draft, "text": new})


def share_events(view: Json) -> Iterator[Event]:
    """Whose an answer is, as `answer_view` says it: a `citation` each, then the `attribution`."""
    for number, segment in enumerate(view["segments"]):
        for citation in segment["citations"]:
            yield "citation", {"segment": number, **citation}
    told = ("tier", "shares", "unattributed_ppb", "grounding", "entry_id")
    yield "attribution", {name: view[name] for name in told}
