"""Reading disputes: the row that opened each, how it was closed, and what waits because of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, func, literal, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.schema import DisputeClosingRow, DisputeRow, EntryRow, TransferRow

#: The account in which the money of open disputes waits.
RESERVE = "reserve:disputed"


@dataclass(frozen=True)
class Closing:
    """How a dispute ended; `holder_id` got the money, None when it went back."""

    outcome: Literal["back", "on"]
    holder_id: str | None
    note: str
    closed_by: str
    closed_us: int


@dataclass(frozen=True)
class Dispute:
    """A question about line `line` of an entry; `amount_micro` moved when it was opened.

    `occurrence_id` is the occurrence whose later money is kept back too, None for the line alone.
    `closing` is None as long as the dispute is open.
    """

    id: str
    entry_key: str
    line: int
    occurrence_id: int | None
    claimant_id: str | None
    ground: str
    opened_by: str
    opened_us: int
    amount_micro: int
    closing: Closing | None

    @property
    def open_key(self) -> str:
        """The key of the entry that opened the dispute."""
        return f"dispute:{self.id}:open"

    @property
    def close_key(self) -> str:
        """The key of the entry that closed it, or will."""
        return f"dispute:{self.id}:close"

    def release_key(self, answer_id: str) -> str:
        """The key of the entry that passes on what was kept back of an answer."""
        return f"dispute:{self.id}:release:{answer_id}"


def get_dispute(s: Session, dispute_id: str) -> Dispute:
    """The dispute with this id. NotFound: there is none."""
    for dispute in _disputes(s, DisputeRow.id == dispute_id):
        return dispute
    raise NotFound(f"there is no dispute {dispute_id!r}: see `haozhi dispute list`")


def list_disputes(s: Session, *, open_only: bool = False) -> tuple[Dispute, ...]:
    """All disputes, or the open ones, in the order in which they were opened."""
    return _disputes(s, DisputeClosingRow.dispute_id.is_(None)) if open_only else _disputes(s)


def find_open(s: Session, *where: ColumnElement[bool]) -> Dispute | None:
    """The open dispute that these conditions on DisputeRow name, or None."""
    return next(iter(_disputes(s, DisputeClosingRow.dispute_id.is_(None), *where)), None)


def _disputes(s: Session, *where: ColumnElement[bool]) -> tuple[Dispute, ...]:
    amount_micro = (
        select(func.coalesce(func.sum(TransferRow.amount_micro), 0))
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .where(EntryRow.key == literal("dispute:") + DisputeRow.id + literal(":open"))
        .scalar_subquery()
    )
    query = (
        select(DisputeRow, DisputeClosingRow, amount_micro)
        .outerjoin(DisputeClosingRow, DisputeClosingRow.dispute_id == DisputeRow.id)
        .where(*where)
        .order_by(DisputeRow.created_us, DisputeRow.id)
    )
    return tuple(_dispute(row) for row in s.execute(query))


def _dispute(row: Sequence[Any]) -> Dispute:
    opened, closed, amount_micro = cast("tuple[DisputeRow, DisputeClosingRow | None, int]", row)
    return Dispute(
        id=opened.id,
        entry_key=opened.entry_key,
        line=opened.line,
        occurrence_id=opened.occurrence_id,
        claimant_id=opened.claimant_id,
        ground=opened.ground,
        opened_by=opened.opened_by,
        opened_us=opened.created_us,
        amount_micro=int(amount_micro),
        closing=None if closed is None else _closing(closed),
    )


def _closing(row: DisputeClosingRow) -> Closing:
    outcome: Literal["back", "on"] = "on" if row.outcome == "on" else "back"
    return Closing(outcome, row.holder_id, row.note, row.closed_by, row.created_us)
