"""A statement as others read it: its text, whose it is, where it stands and what stands around."""

from typing import Any

from haozhi.display import shown_texts
from haozhi.policies import policy_of
from haozhi.search import beside
from haozhi.search_view import neighbour_view
from store.engine import Session
from store.errors import NotFound
from store.people import author_names
from store.records.corpus import Occurrence
from store.statements import get_statements
from store.works import get_work

Json = dict[str, Any]


def statement_view(session: Session, statement_id: int, around: int = 1) -> Json:
    """One statement with its occurrences, the credited one first, and `around` neighbours there.

    Texts are as their grants let them be shown now; `display` says so. Where the newest policy
    limits how much of a work is shown there are no neighbours: they would not be counted. NotFound:
    no such public statement, or a withdrawn one.
    """
    statement = get_statements(session, [statement_id])[0]
    if statement.scope != "public" or statement.withdrawn or not statement.occurrences:
        raise NotFound(f"there is no statement {statement_id}")
    authors = {a.author_id for o in statement.occurrences for a in o.authors}
    names = author_names(session, authors)
    shown = shown_texts(session, [(statement.text, statement.occurrences[0].id)])[0]
    limited = policy_of(session).display_budget_chars is not None
    before, after = beside(session, statement, 0 if limited else around)
    return {
        "statement_id": statement.id,
        "text": shown.text,
        "display": shown.display,
        "language": statement.language,
        "occurrences": [_occurrence(session, each, names) for each in statement.occurrences],
        "before": [neighbour_view(each) for each in before],
        "after": [neighbour_view(each) for each in after],
    }


def _occurrence(session: Session, place: Occurrence, names: dict[str, str]) -> Json:
    return {
        "work": {"id": place.work_id, "title": place.work_title},
        "licence": get_work(session, place.work_id).licence,
        "authors": [
            {"id": a.author_id, "name": names.get(a.author_id), "share_ppm": a.ppm}
            for a in place.authors
        ],
        "start": place.start,
        "end": place.end,
        "page": place.page,
        "line": place.line,
        "published_on": place.published_on,
    }
