"""What may be paid out to each holder now."""

from sqlalchemy import exists, func, literal, select
from sqlalchemy.orm import Session

from store.errors import BadInput
from store.schema import (
    AccountRow,
    AccountTotalRow,
    CreditReportRow,
    DisputeClosingRow,
    DisputeRow,
    EntryRow,
    PayoutEventRow,
    PayoutRow,
    PeriodRow,
    TransferRow,
)


def payable_micro(s: Session) -> dict[str, int]:
    """Micro-credits above zero that may be paid out, by holder.

    That is what the newest closed period's credit report fixed as payable, less what payouts have
    taken since (those that came back do not count), and never more than the holder has now, less
    what the holder owes. BadInput: no period is closed yet.
    """
    period_id = s.scalar(select(func.max(PeriodRow.id)).where(PeriodRow.state == "CLOSED"))
    if period_id is None:
        raise BadInput("nothing is payable before a period is closed: use `haozhi period close`")
    reports = select(CreditReportRow.holder_id, CreditReportRow.payable_micro)
    reports = reports.where(CreditReportRow.period_id == period_id)
    taken = _taken_since(s, period_id)
    owned = _owned(s)
    payable = {
        holder_id: min(micro - taken.get(holder_id, 0), owned.get(holder_id, 0))
        for holder_id, micro in s.execute(reports.where(CreditReportRow.payable_micro > 0))
    }
    return {holder_id: micro for holder_id, micro in payable.items() if micro > 0}


def disputed_holders(s: Session) -> frozenset[str]:
    """Holders with a line that somebody disputes."""
    closed = exists().where(DisputeClosingRow.dispute_id == DisputeRow.id)
    query = (
        select(AccountRow.holder_id)
        .join(TransferRow, TransferRow.credit_account_id == AccountRow.id)
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .join(DisputeRow, DisputeRow.entry_key == EntryRow.key)
        .where(DisputeRow.line == TransferRow.position, ~closed)
        .where(AccountRow.holder_id.is_not(None))
    )
    return frozenset(str(holder_id) for holder_id in s.scalars(query))


def _taken_since(s: Session, period_id: int) -> dict[str, int]:
    """The gross of payouts that were booked after a period and have not come back."""
    returned = exists().where(
        PayoutEventRow.batch_id == PayoutRow.batch_id,
        PayoutEventRow.holder_id == PayoutRow.holder_id,
        PayoutEventRow.state == "returned",
    )
    key = literal("hold:payout:") + PayoutRow.batch_id + literal(":") + PayoutRow.holder_id
    query = (
        select(PayoutRow.holder_id, func.sum(PayoutRow.gross_micro))
        .join(EntryRow, EntryRow.key == key)
        .where(EntryRow.period_id > period_id, ~returned)
        .group_by(PayoutRow.holder_id)
    )
    return {holder_id: int(micro) for holder_id, micro in s.execute(query)}


def _owned(s: Session) -> dict[str, int]:
    """What each holder has, less what the holder must give back."""
    moved = func.sum(AccountTotalRow.in_micro - AccountTotalRow.out_micro)
    query = (
        select(AccountRow.code, moved)
        .join(AccountTotalRow, AccountTotalRow.account_id == AccountRow.id)
        .where(AccountRow.kind.in_(("holder", "owed")))
        .group_by(AccountRow.code)
    )
    owned: dict[str, int] = {}
    for code, micro in s.execute(query):
        holder_id = code.partition(":")[2]
        owned[holder_id] = owned.get(holder_id, 0) + int(micro)
    return owned
