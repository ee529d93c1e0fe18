"""The second step of a deletion, a part at a time: text, vectors, passages, answers."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.deletions.answers import blank_quoting, blank_resting
from store.deletions.blanking import Quotes
from store.deletions.marking import blank_places
from store.deletions.planning import chunks
from store.erasures import overwrite_deleted
from store.records.deletions import Deletion
from store.schema import (
    DeletedStatementRow,
    DeletionRow,
    EmbeddingRow,
    OccurrenceRow,
    StatementRow,
    WorkTextRow,
)
from store.versions import is_of_newest_text

PART = 2_000
"""Statements of one transaction."""


def remove_some(s: Session, deletion_id: int) -> bool:
    """Remove the next part; False when none is left. All of a part goes, or nothing."""
    ids = s.scalars(_left(deletion_id).order_by(StatementRow.id).limit(PART)).all()
    if not ids:
        return False
    overwrite_deleted(s)
    places = select(OccurrenceRow.id).where(OccurrenceRow.statement_id.in_(ids))
    answers = blank_resting(s, ids, partial(_texts, s, ids))
    passages = blank_places(s, list(s.scalars(places)))
    vectors = delete(EmbeddingRow).where(EmbeddingRow.statement_id.in_(ids))
    removed = len(s.scalars(vectors.returning(EmbeddingRow.statement_id)).all())
    s.execute(update(StatementRow).where(StatementRow.id.in_(ids)).values(text=None))
    count_removed(
        s, deletion_id, statements=len(ids), vectors=removed, passages=passages, answers=answers
    )
    return True


def remove_quotations(s: Session, deletion_id: int, answer_ids: Sequence[str], q: Quotes) -> None:
    """Blank the quotations in these answers, whatever they rest on."""
    overwrite_deleted(s)
    count_removed(s, deletion_id, answers=blank_quoting(s, answer_ids, q))


def texts_left(s: Session, deletion_id: int) -> frozenset[str]:
    """Every form in which the statements that are left stand somewhere, as it was written."""
    ids = s.scalars(_left(deletion_id)).all()
    return frozenset(text for some in chunks(ids, PART) for text in _texts(s, some))


def finish(s: Session, deletion_id: int) -> Deletion:
    """Everything was removed and searched for in vain; the first to say so counts."""
    row = s.get_one(DeletionRow, deletion_id)
    if row.finished_us is None:
        row.finished_us = now_us()
        s.flush()
    return _deletion(row, 0)


def get_deletion(s: Session, deletion_id: int) -> Deletion:
    """The deletion with this id, which is there."""
    return _deletion(s.get_one(DeletionRow, deletion_id), len(s.scalars(_left(deletion_id)).all()))


def list_deletions(s: Session, *, unfinished: bool = False) -> tuple[Deletion, ...]:
    """All deletions, or those that are not over, oldest first."""
    query = select(DeletionRow.id).order_by(DeletionRow.id)
    if unfinished:
        query = query.where(DeletionRow.finished_us.is_(None))
    return tuple(get_deletion(s, i) for i in s.scalars(query))


def _left(deletion_id: int) -> Select[int]:
    of_it = DeletedStatementRow.statement_id == StatementRow.id
    left = select(StatementRow.id).join(DeletedStatementRow, of_it)
    return left.where(
        DeletedStatementRow.deletion_id == deletion_id, StatementRow.text.is_not(None)
    )


def _texts(s: Session, ids: Sequence[int]) -> set[str]:
    """How these statements are written, wherever they stand."""
    found = set(s.scalars(select(StatementRow.text).where(StatementRow.id.in_(ids))))
    places = select(OccurrenceRow.work_id, OccurrenceRow.start, OccurrenceRow.end)
    works: dict[str, str | None] = {}
    places = places.where(is_of_newest_text())
    for work_id, start, end in s.execute(places.where(OccurrenceRow.statement_id.in_(ids))):
        if work_id not in works:
            text = select(WorkTextRow.text).where(WorkTextRow.work_id == work_id)
            works[work_id] = s.scalar(text)
        found.add((works[work_id] or "")[start:end])
    return {text for text in found if text}


def count_removed(s: Session, deletion_id: int, **removed: int) -> None:
    """Add to the counts of a deletion, by store; another process may have finished it."""
    row = s.get_one(DeletionRow, deletion_id)
    if row.finished_us is None:
        row.removed = dict(Counter(row.removed) + Counter(removed))
        s.flush()


def _deletion(row: DeletionRow, left: int) -> Deletion:
    names = ("id", "kind", "subject", "requested_by", "reason", "created_us", "finished_us")
    counts: dict[str, int] = dict.fromkeys(STORES, 0) | row.removed
    return Deletion(**{name: getattr(row, name) for name in names}, removed=counts, left=left)


STORES = ("statements", "vectors", "words", "passages", "work_texts", "answers", "index")
"""Where a deletion removes: rows of text and vectors, words of the lexical index, passages of
works, whole works, stored answers, vectors of the index."""
