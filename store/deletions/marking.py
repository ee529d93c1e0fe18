"""The first step of a deletion: it is written down, and nothing of it is found from then on."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from store import lexical
from store.clock import now_us
from store.deletions.blanking import blank
from store.deletions.planning import Covered, chunks
from store.erasures import overwrite_deleted
from store.schema import (
    DeletedStatementRow,
    DeletionRow,
    JobFileRow,
    OccurrenceRow,
    StatementRow,
    WorkRow,
    WorkTextRow,
)
from store.versions import is_of_newest_text


def mark(s: Session, covered: Covered, *, by: str, reason: str) -> int:
    """Write down a deletion and take all of it out of retrieval; returns its id.

    Words, the text of a whole work and the places of statements that stay go at once. What is left
    is done by `remove_some`, also after a crash.
    """
    overwrite_deleted(s)
    row = DeletionRow(
        kind=covered.kind, subject=covered.subject, requested_by=by, reason=reason,
        created_us=now_us(), removed={},
    )  # fmt: skip
    s.add(row)
    s.flush()
    words = passages = 0
    for ids in chunks(covered.statement_ids):
        members = [{"statement_id": i, "deletion_id": row.id} for i in ids]
        s.execute(insert(DeletedStatementRow), members)
        s.execute(
            update(StatementRow)
            .where(StatementRow.id.in_(ids), StatementRow.withdrawn_us.is_(None))
            .values(withdrawn_us=row.created_us)
        )
        words += len(lexical.present(s, ids))
        lexical.refresh(s, ids)
    works = _remove_work(s, covered.work_id) if covered.work_id else 0
    for ids in chunks(covered.places):
        passages += _leave_places(s, ids, row.created_us)
    row.removed = {"words": words, "work_texts": works, "passages": passages}
    s.flush()
    return row.id


def blank_places(s: Session, ids: Sequence[int]) -> int:
    """Blank the text of works at these occurrences; returns how many passages that were.

    Headings and boxes of the places go, and of a web page its whole source.
    """
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for some in chunks(ids):
        rows = select(OccurrenceRow.work_id, OccurrenceRow.start, OccurrenceRow.end)
        rows = rows.where(is_of_newest_text())
        for work_id, start, end in s.execute(rows.where(OccurrenceRow.id.in_(some))):
            spans[work_id].append((start, end))
        here = update(OccurrenceRow).where(OccurrenceRow.id.in_(some))
        s.execute(here.values(boxes=None, headings=""))
    count = 0
    for work_id, places in spans.items():
        row = s.get(WorkTextRow, work_id)
        if row is not None:
            row.text, row.raw = blank(row.text, places), None  # what stands in a page has no span
            count += len(places)
            s.flush()
            s.expunge(row)  # a long text is not kept for all of the deletion
    return count


def _leave_places(s: Session, ids: Sequence[int], at_us: int) -> int:
    """Withdraw these occurrences of statements that stay elsewhere."""
    here = OccurrenceRow.id.in_(ids)
    s.execute(update(OccurrenceRow).where(here).values(withdrawn_us=at_us, gone_in=None))
    statements = s.scalars(select(OccurrenceRow.statement_id).where(here).distinct()).all()
    lexical.refresh(s, statements)
    return blank_places(s, ids)


def _remove_work(s: Session, work_id: str) -> int:
    """Delete the text of a work, and what it is called: a file's name can tell as much."""
    work = update(WorkRow).where(WorkRow.id == work_id)
    s.execute(
        work.values(state="withdrawn", title=work_id, path=work_id, source=None, beside_hash="")
    )
    s.execute(delete(JobFileRow).where(JobFileRow.work_id == work_id))
    gone = delete(WorkTextRow).where(WorkTextRow.work_id == work_id)
    return len(s.scalars(gone.returning(WorkTextRow.work_id)).all())
