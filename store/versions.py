"""A file that changed is the next version of its work; what stays in it keeps its occurrences.

An occurrence keeps its id and its registration, and so its priority, its disputes and the grants
and evidence of its work. What went away with a version is withdrawn and marked as gone; when a
later version says it again, the same occurrence comes back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, bindparam, or_, select, update
from sqlalchemy.orm import Session

from store import lexical
from store.clock import now_us
from store.resolution import authors_by_occurrence
from store.schema import OccurrenceRow, StatementRow, WorkRow, WorkTextRow
from store.statements.adding import add_statements
from store.statements.new import AddedStatement, NewStatement
from store.text import check_text
from store.works import NewWork

_BATCH = 2000


@dataclass(frozen=True)
class Place:
    """An occurrence of a work: the hash of what is said, the ids of who says it as they are known
    now, and whether it stands there or went away with an earlier version.
    """

    occurrence_id: int
    hash: str
    authors: frozenset[str]
    stands: bool


def places(s: Session, work_id: str) -> tuple[Place, ...]:
    """What stands in a work, in its order, then what went away with its versions."""
    authors = authors_by_occurrence(s, OccurrenceRow.work_id == work_id)
    found = s.execute(
        select(OccurrenceRow.id, StatementRow.hash, OccurrenceRow.withdrawn_us)
        .join(StatementRow, StatementRow.id == OccurrenceRow.statement_id)
        .where(OccurrenceRow.work_id == work_id, _MAY_STAND)
        .order_by(OccurrenceRow.withdrawn_us.is_not(None), OccurrenceRow.start, OccurrenceRow.id)
    )
    return tuple(Place(i, digest, authors[i], gone is None) for i, digest, gone in found)


_MAY_STAND = or_(OccurrenceRow.withdrawn_us.is_(None), OccurrenceRow.gone_in.is_not(None))


def is_of_newest_text() -> ColumnElement[bool]:
    """The condition that the span of an OccurrenceRow is one of the text that its work has now."""
    newest = select(WorkRow.version).where(WorkRow.id == OccurrenceRow.work_id)
    return OccurrenceRow.version == newest.correlate(OccurrenceRow).scalar_subquery()


def put_version(
    s: Session,
    work_id: str,
    work: NewWork,
    kept: Iterable[tuple[int, NewStatement]],
    new: Sequence[NewStatement],
) -> tuple[int, tuple[AddedStatement, ...]]:
    """Make `work` the next version: what it keeps moves to its new place, the rest goes.

    `kept` are ids of occurrences with what stands there now; one that an admin withdrew meanwhile
    stays withdrawn. Returns how many went, and what became of `new`, in order.
    """
    row = s.get_one(WorkRow, work_id)
    version = row.version + 1
    if row.publication_evidence is not None and row.evidence_us is None:
        row.evidence_us = now_us()  # it came with an earlier version
    before = _standing(s, work_id)
    _move(s, kept, version)
    gone = _retire(s, work_id, version)
    added = add_statements(s, work_id, work.scope, new, version) if new else ()
    _describe(row, work, version)
    texts = update(WorkTextRow).where(WorkTextRow.work_id == work_id)
    s.execute(texts.values(text=work.text, raw=work.raw))
    s.flush()
    _refresh(s, before | _standing(s, work_id))
    return gone, added


def remove_work(s: Session, work_id: str) -> int:
    """The file of a work is gone: nothing of it stands until it comes back.

    Returns how many occurrences stood.
    """
    row = s.get_one(WorkRow, work_id)
    before = _standing(s, work_id)
    count = _retire(s, work_id, row.version + 1)
    row.state = "removed"
    s.flush()
    _refresh(s, before)
    return count


def _move(s: Session, kept: Iterable[tuple[int, NewStatement]], version: int) -> None:
    rows = [
        {
            "row_id": occurrence_id,
            "start": item.start,
            "end": item.end,
            "page": item.page,
            "line": item.line,
            "headings": item.headings_text,
            "confidence_ppm": item.confidence_ppm,
            "boxes": item.boxes_json,
        }
        for occurrence_id, item in kept
    ]
    if not rows:
        return
    moved = update(OccurrenceRow).where(OccurrenceRow.id == bindparam("row_id"), _MAY_STAND)
    columns = OccurrenceRow.__table__.c
    values: dict[str, Any] = {
        name: bindparam(name, type_=columns[name].type) for name in rows[0] if name != "row_id"
    }
    values |= {"version": version, "withdrawn_us": None, "gone_in": None}
    s.connection().execute(moved.values(values), rows)


def _retire(s: Session, work_id: str, version: int) -> int:
    """Withdraw what stands in a work and is not of this version; returns how many."""
    gone = (
        update(OccurrenceRow)
        .where(OccurrenceRow.work_id == work_id, OccurrenceRow.version < version)
        .where(OccurrenceRow.withdrawn_us.is_(None))
        .values(withdrawn_us=now_us(), gone_in=version)
        .returning(OccurrenceRow.id)
    )
    options = {"synchronize_session": False}
    return len(s.scalars(gone, execution_options=options).all())


def _describe(row: WorkRow, work: NewWork, version: int) -> None:
    """A date with evidence stays; without, it is what the newest version claims."""
    for name in ("path", "title", "media_type", "encoding"):
        setattr(row, name, check_text(getattr(work, name)))
    row.source = work.source or row.source
    row.byte_hash, row.byte_count = work.byte_hash, work.byte_count
    row.beside_hash = work.beside_hash
    row.licence = work.licence or row.licence
    if row.publication_evidence is None:
        row.published_on = work.published_on
    row.state, row.version = "ready", version


def _standing(s: Session, work_id: str) -> set[int]:
    here = select(OccurrenceRow.statement_id).where(OccurrenceRow.work_id == work_id)
    return set(s.scalars(here.where(OccurrenceRow.withdrawn_us.is_(None))))


def _refresh(s: Session, ids: Iterable[int]) -> None:
    """The words of statements whose title, headings or standing may have changed."""
    ordered = sorted(ids)
    for start in range(0, len(ordered), _BATCH):
        lexical.refresh(s, ordered[start : start + _BATCH])
