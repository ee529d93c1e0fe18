"""What a deletion covers: statements that go, and places of statements that others say too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from sqlalchemy import ColumnElement, Select, and_, exists, func, not_, or_, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.people import get_author
from store.resolution import says_with
from store.schema import (
    ContextRow,
    DeletedStatementRow,
    OccurrenceRow,
    StatementRow,
    WorkTextRow,
)
from store.works import get_work

Kind = Literal["statement", "work", "author"]
_Id = TypeVar("_Id", int, str)


@dataclass(frozen=True)
class Covered:
    """What a deletion takes away.

    `subject`: the id of the work or author, or the ids of the statements. `places` are the
    occurrences that go from statements that stay, because somebody else says them, too; `kept`
    counts these statements. `work_id`: the work whose whole text goes.
    """

    kind: Kind
    subject: str
    statement_ids: tuple[int, ...]
    places: tuple[int, ...] = ()
    kept: int = 0
    work_id: str | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing to take away."""
        return not (self.statement_ids or self.places or self.work_id)


def cover_statements(s: Session, ids: Sequence[int]) -> Covered:
    """These statements, wherever they stand. NotFound: an id that no statement has."""
    wanted = sorted(set(ids))
    there = set(s.scalars(select(StatementRow.id).where(StatementRow.id.in_(wanted))))
    for statement_id in wanted:
        if statement_id not in there:
            raise NotFound(f"no statement has the id {statement_id}")
    left = s.scalars(_left().where(StatementRow.id.in_(wanted))).all()
    return Covered("statement", " ".join(map(str, wanted)), tuple(left))


def cover_work(s: Session, name: str) -> Covered:
    """A work and its text; what stands in another work, too, stays there.

    NotFound; Ambiguous with the ids when several works are called so.
    """
    work = get_work(s, name)
    here = OccurrenceRow.work_id == work.id
    has_text = s.scalar(select(exists().where(WorkTextRow.work_id == work.id)))
    return _cover(s, "work", work.id, here, here, work.id if has_text else None)


def cover_author(s: Session, name: str) -> Covered:
    """All that an author alone says; what co-authors or others say stays theirs.

    NotFound; Ambiguous with the ids when several authors have the name.
    """
    author = get_author(s, name)
    theirs, others = says_with(s, author.id)
    return _cover(s, "author", author.id, and_(theirs, not_(others)), theirs)


def answers_with(s: Session, ids: Sequence[int]) -> int:
    """How many stored answers had one of these statements in their context."""
    found: set[str] = set()
    for some in chunks(ids):
        rows = select(ContextRow.answer_id).where(ContextRow.statement_id.in_(some)).distinct()
        found.update(s.scalars(rows))
    return len(found)


def chunks(ids: Sequence[_Id], size: int = 500) -> list[Sequence[_Id]]:
    """The ids in parts that a statement of SQL can name."""
    return [ids[i : i + size] for i in range(0, len(ids), size)]


def _cover(
    s: Session,
    kind: Kind,
    subject: str,
    goes: ColumnElement[bool],
    touches: ColumnElement[bool],
    work_id: str | None = None,
) -> Covered:
    """`goes` and `touches` are conditions on an OccurrenceRow: it goes, it counts as kept."""
    of_it = OccurrenceRow.statement_id == StatementRow.id
    stands = OccurrenceRow.withdrawn_us.is_(None)
    stays = exists().where(of_it, stands, not_(goes)).correlate(StatementRow)
    gone = exists().where(of_it, goes).correlate(StatementRow)
    ids = s.scalars(_left().where(gone, not_(stays))).all()
    kept = select(StatementRow.id).where(stays, exists().where(of_it, stands, touches))
    leaves = and_(stands, OccurrenceRow.statement_id.in_(kept))
    may_return = OccurrenceRow.gone_in.is_not(None)  # with a next version of its work
    places = select(OccurrenceRow.id).where(goes, or_(leaves, may_return))
    count = s.scalar(select(func.count()).select_from(kept.subquery())) or 0
    found = s.scalars(places.order_by(OccurrenceRow.id)).all()
    return Covered(kind, subject, tuple(ids), tuple(found), count, work_id)


def _left() -> Select[int]:
    """The ids of statements that have a text and are not being deleted."""
    marked = exists().where(DeletedStatementRow.statement_id == StatementRow.id)
    query = select(StatementRow.id).where(StatementRow.text.is_not(None), ~marked)
    return query.order_by(StatementRow.id)
