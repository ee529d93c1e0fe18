"""Ask: a question becomes a stored, attributed and paid answer."""

from collections.abc import Callable
from dataclasses import replace

from haozhi.app import App
from haozhi.clock import Stopwatch
from haozhi.drafting import AskOptions, draft_answer, never
from haozhi.listening import SILENT, Listener
from haozhi.questions import check_question, provenance_of
from haozhi.settling import store_answer
from haozhi.who import who

__all__ = ["AskOptions", "ask"]


def ask(
    app: App,
    question: str,
    options: AskOptions | None = None,
    *,
    asker_id: str,
    cancelled: Callable[[], bool] = never,
    listener: Listener = SILENT,
) -> str:
    """Answer a question, store the answer, attribute it and post its fee; returns the answer's id.

    A question about provenance goes to `who`. BadInput: the question is empty, too long or no
    text. Cancelled: `cancelled()` became true before an answer was stored.
    """
    check_question(question)
    options = options or AskOptions()
    provenance = provenance_of(question)
    if provenance is not None:
        return who(
            app,
            provenance.claim,
            relation=provenance.relation,
            language=options.language or provenance.language,
            question=question,
            asker_id=asker_id,
            cancelled=cancelled,
            listener=listener,
        )
    watch = Stopwatch()
    draft = draft_answer(app, question, options, asker_id, watch, cancelled, listener)
    answer = replace(draft, asker_id=asker_id, timings_ms=watch.laps_ms)
    return store_answer(app, answer, listener)
