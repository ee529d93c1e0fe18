"""Authors whose name nobody vouches for: they stay apart, and their money is held.

A name that a file brings by itself (embedded metadata, a byline, a voice) is met in a work, not
known: its author stands in a namespace of that work's own, where no other upload meets it.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, exists, not_, select
from sqlalchemy.orm import Session

from store.resolution import canonical, in_force
from store.schema import AuthorDecisionRow, AuthorRow, ErasureRow

_OF_WORK = "work:"


def namespace_of_work(work_id: str) -> str:
    """The namespace of the names that are only met in a work."""
    return f"{_OF_WORK}{work_id}"


def is_of_work(namespace: str) -> bool:
    """Whether the names in a namespace, whatever its case, are vouched for by nobody."""
    return namespace.lower().startswith(_OF_WORK)


def is_unresolved() -> ColumnElement[bool]:
    """The condition that an AuthorRow by itself, merges left aside, is not confirmed by anybody."""
    confirmed = (
        exists()
        .where(AuthorDecisionRow.author_id == AuthorRow.id, AuthorDecisionRow.kind == "confirm")
        .where(in_force())
        .correlate(AuthorRow)
    )
    return and_(AuthorRow.namespace.startswith(_OF_WORK), not_(confirmed))


def is_waiting() -> ColumnElement[bool]:
    """The condition that an AuthorRow waits for a decision: unresolved, itself, and not erased."""
    merged = (
        exists()
        .where(AuthorDecisionRow.author_id == AuthorRow.id, AuthorDecisionRow.kind == "merge")
        .where(in_force())
        .correlate(AuthorRow)
    )
    erased = exists().where(ErasureRow.author_id == AuthorRow.id).correlate(AuthorRow)
    return and_(is_unresolved(), not_(merged), not_(erased))


def unresolved_among(s: Session, author_ids: Collection[str]) -> frozenset[str]:
    """Those of these ids whose author, merges followed, is unresolved."""
    whose = canonical(s, author_ids)
    query = select(AuthorRow.id).where(AuthorRow.id.in_(set(whose.values())), is_unresolved())
    unresolved = set(s.scalars(query))
    return frozenset(i for i, author_id in whose.items() if author_id in unresolved)
