"""The answers that were computed again when a period closed, and how far their shares differed."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from store.acts import record
from store.ledger.keys import DISTRIBUTIONS, distributed_answer
from store.schema import AuditRow, EntryRow


@dataclass(frozen=True)
class StoredAudit:
    """`state` is same, differs or not_replayable; `largest_ppb` None: it was not replayable."""

    answer_id: str
    state: str
    largest_ppb: int | None
    model_fingerprint: str


def paid_answers(s: Session, period_id: int) -> tuple[str, ...]:
    """Ids of the answers that were paid in a period, in booking order."""
    query = select(EntryRow.key).where(EntryRow.period_id == period_id)
    query = query.where(EntryRow.key.like(DISTRIBUTIONS)).order_by(EntryRow.seq)
    return tuple(distributed_answer(key) for key in s.scalars(query))


def list_audits(s: Session, period_id: int) -> tuple[StoredAudit, ...]:
    """The audits of a period, by answer id."""
    query = select(*(getattr(AuditRow, field.name) for field in fields(StoredAudit)))
    query = query.where(AuditRow.period_id == period_id).order_by(AuditRow.answer_id)
    return tuple(StoredAudit(*row) for row in s.execute(query))


def summary(s: Session, period_id: int) -> tuple[int, int | None]:
    """How many answers of a period were recomputed, and the largest difference of a share."""
    query = select(func.count(AuditRow.largest_ppb), func.max(AuditRow.largest_ppb))
    count, largest_ppb = s.execute(query.where(AuditRow.period_id == period_id)).one()
    return count, largest_ppb


def add_audits(s: Session, period_id: int, audits: Iterable[StoredAudit], *, now_us: int) -> None:
    """Store the audits of a period, all at once; those of a period that has some stay."""
    at = {"period_id": period_id, "created_us": now_us}
    if (rows := [vars(audit) | at for audit in audits]) and not list_audits(s, period_id):
        s.execute(insert(AuditRow), rows)
        record(s, AuditRow, [(period_id, row["answer_id"]) for row in rows])
