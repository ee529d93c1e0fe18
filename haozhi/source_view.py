"""Where the statements of an answer stand: date, licence, place, and what is said around them."""

from typing import Any

from haozhi.display import shown_texts
from haozhi.policies import policy_of
from store.answers import get_answer
from store.engine import Session
from store.records.corpus import Occurrence
from store.statements import boxes_of, get_statements, neighbours
from store.works import get_work

Json = dict[str, Any]


def source_view(session: Session, answer_id: str) -> dict[int, Json]:
    """The place of each context statement by statement id, as it is now.

    What is not known is null; `boxes` are rectangles on the pages of a PDF (`Rectangle`).
    Neighbours obey their own grants; where the newest policy limits how much of a work is shown,
    there are none: they would not be counted. NotFound: no such answer.
    """
    answer = get_answer(session, answer_id)
    statements = get_statements(session, [entry.statement_id for entry in answer.context])
    boxes = boxes_of(session, {o.id for each in statements for o in each.occurrences})
    limited = policy_of(session).display_budget_chars is not None
    found = {}
    for entry, statement in zip(answer.context, statements, strict=True):
        place = next((o for o in statement.occurrences if o.id == entry.occurrence_id), None)
        hidden = limited or statement.text is None or place is None
        found[statement.id] = {
            "published_on": place.published_on if place else None,
            "licence": get_work(session, place.work_id).licence if place else None,
            "page": place.page if place else None,
            "line": place.line if place else None,
            "boxes": [each._asdict() for each in boxes[place.id]]
            if place and place.id in boxes
            else None,
            **(
                _beside(session, place) if place and not hidden else {"before": None, "after": None}
            ),
        }
    return found


def _beside(session: Session, place: Occurrence) -> Json:
    """The texts just before and after, null where there is none or it may not be shown."""
    sides = {}
    for name, side in zip(("before", "after"), neighbours(session, place, 1), strict=True):
        shown = shown_texts(session, ((each.text, each.occurrences[0].id) for each in side))
        text = shown[0].text if shown else None
        sides[name] = f"{text}…" if text and shown[0].display == "cut" else text
    return sides
