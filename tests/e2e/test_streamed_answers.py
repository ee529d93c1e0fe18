"""What a listener is told of a real answer, and what it is not told before the answer counts."""

from typing import Any

import pytest

from haozhi.answer_view import answer_view
from haozhi.app import App
from haozhi.ask import ask
from haozhi.drafting import new_answer_id
from haozhi.listening import Listener
from haozhi.policies import approve, propose
from haozhi.web.telling import Telling
from store.answers import unsettled
from store.engine import read
from tests.asking import MakeWorld

CAT = "我家猫叫团子。"
SAID = [(CAT, "苏禾", "1999"), ("An octopus has three hearts.", "Ines Calder", None)]
QUESTION = "我的猫叫什么？"
Events = list[tuple[str, dict[str, Any]]]


def _told(app: App) -> Events:
    events: Events = []
    answer_id = new_answer_id()
    listener = Telling(app, answer_id, lambda name, data: events.append((name, data)))
    assert ask(app, QUESTION, asker_id="local", listener=listener) == answer_id
    return events


def test_evidence_and_words_come_before_the_answer_is_stored(world: MakeWorld) -> None:
    """The statements first, then words, then the citations and the provisional shares."""
    events = _told(world(SAID))
    names = list(dict.fromkeys(name for name, _ in events))
    assert names == ["evidence", "delta", "citation", "attribution"]
    assert CAT in [entry["text"] for entry in events[0][1]["context"]]
    assert events[-1][1]["tier"] == "provisional"


def test_no_text_is_told_before_it_is_counted(world: MakeWorld) -> None:
    """Under a display budget a client that leaves in time has read nothing."""
    app = world(SAID)
    approve(app.engine, propose(app.engine, {"display_budget_chars": 100}, "one").proposal.id, "2")
    events = _told(app)
    first, second = (data["context"] for name, data in events if name == "evidence")
    assert {(entry["text"], entry["display"]) for entry in first} == {(None, "later")}
    assert CAT in [entry["text"] for entry in second]
    assert [name for name, _ in events[:2]] == ["evidence", "evidence"]


def test_a_listener_that_fails_costs_no_author_their_money(world: MakeWorld) -> None:
    """Once an answer is stored it is attributed and paid, whatever becomes of who listens."""
    app = world(SAID)

    class Failing(Listener):
        def stored(self, answer_id: str) -> None:
            raise RuntimeError(answer_id)

    with pytest.raises(RuntimeError) as failure:
        ask(app, QUESTION, asker_id="local", listener=Failing())
    with read(app.engine) as session:
        assert unsettled(session) == ()
        assert answer_view(session, str(failure.value))["tier"] == "final"
