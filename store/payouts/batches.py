"""Reading batches, their files and the states of their payouts."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.payouts.records import Amounts, Batch, Payout, PayoutEvent, PayoutFile
from store.schema import PayoutBatchRow, PayoutEventRow, PayoutFileRow, PayoutRow

#: In the order in which a payout passes through them; the last that happened is its state.
STATES = ("open", "sent", "confirmed", "returned")


def get_batch(s: Session, batch_id: str) -> Batch:
    """The batch with this id. NotFound: there is none."""
    found = _batches(
        s, s.scalars(select(PayoutBatchRow).where(PayoutBatchRow.id == batch_id)).all()
    )
    if not found:
        raise NotFound(f"there is no payout batch {batch_id}")
    return found[0]


def list_batches(s: Session) -> tuple[Batch, ...]:
    """Every batch, oldest first."""
    rows = select(PayoutBatchRow).order_by(PayoutBatchRow.created_us, PayoutBatchRow.id)
    return _batches(s, s.scalars(rows).all())


def next_batch_id(s: Session, currency: str) -> str:
    """`eur-1`, `eur-2`, …: short enough for a person and for every identifier of a bank."""
    count = select(func.count()).where(PayoutBatchRow.currency == currency)
    return f"{currency.lower()}-{int(s.scalar(count) or 0) + 1}"


def find_batch_file(s: Session, batch_id: str, format_name: str) -> PayoutFile | None:
    """The file of a batch if it was written in this format, or None."""
    row = s.get(PayoutFileRow, batch_id)
    if row is None or row.format != format_name:
        return None
    return PayoutFile(row.batch_id, row.format, row.sha256, row.content)


def file_formats(s: Session, batch_id: str) -> tuple[str, ...]:
    """The format in which the file of a batch was written; empty before."""
    return tuple(s.scalars(select(PayoutFileRow.format).where(PayoutFileRow.batch_id == batch_id)))


def list_events(s: Session, batch_id: str) -> tuple[PayoutEvent, ...]:
    """What became of the payouts of a batch, oldest first."""
    rows = select(PayoutEventRow).where(PayoutEventRow.batch_id == batch_id)
    events = (
        PayoutEvent(row.batch_id, row.holder_id, row.state, row.by, row.note, row.created_us)
        for row in s.scalars(rows.order_by(PayoutEventRow.holder_id))
    )
    return tuple(sorted(events, key=lambda event: (event.created_us, STATES.index(event.state))))


def _batches(s: Session, rows: Sequence[PayoutBatchRow]) -> tuple[Batch, ...]:
    ids = [row.id for row in rows]
    states: dict[tuple[str, str], str] = {}
    events = select(PayoutEventRow.batch_id, PayoutEventRow.holder_id, PayoutEventRow.state)
    for batch_id, holder_id, state in s.execute(events.where(PayoutEventRow.batch_id.in_(ids))):
        before = states.get((batch_id, holder_id), "open")
        states[batch_id, holder_id] = max(before, state, key=STATES.index)
    payouts: dict[str, list[Payout]] = {}
    query = select(PayoutRow).where(PayoutRow.batch_id.in_(ids)).order_by(PayoutRow.holder_id)
    for row in s.scalars(query):
        state = states.get((row.batch_id, row.holder_id), "open")
        payouts.setdefault(row.batch_id, []).append(_payout(row, state))
    return tuple(
        Batch(
            id=row.id,
            currency=row.currency,
            policy_version=row.policy_version,
            created_by=row.created_by,
            created_us=row.created_us,
            payouts=tuple(payouts.get(row.id, ())),
        )
        for row in rows
    )


def _payout(row: PayoutRow, state: str) -> Payout:
    return Payout(
        batch_id=row.batch_id,
        holder_id=row.holder_id,
        amounts=Amounts(row.gross_micro, row.withheld_micro, row.net_micro, row.net_minor),
        withholding_ppm=row.withholding_ppm,
        tax_class=row.tax_class,
        state=state,
    )
