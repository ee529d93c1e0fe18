"""What the rows of disputes and the ledger say of each other: every difference is named."""

from collections.abc import Collection, Iterator
from itertools import combinations, groupby

from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session, aliased

from store import ledger
from store.disputes.reading import RESERVE, Closing, Dispute, list_disputes
from store.ledger.corrections import owed_code
from store.records.ledger import Difference, Entry
from store.schema import AccountRow, EntryRow, OccurrenceRow, TransferRow


def dispute_differences(s: Session) -> Iterator[Difference]:
    """Disputes without their entries, entries without their dispute, and money that went astray.

    Codes: dispute_entry_missing, dispute_entry_uncalled, dispute_line_differs,
    dispute_amount_differs, dispute_open_twice, dispute_mark_differs, dispute_reserve_differs.
    """
    disputes = list_disputes(s)
    for dispute in disputes:
        yield from _entries(s, dispute)
    yield from _open_twice(disputes)
    yield from _uncalled(s, {dispute.id: dispute for dispute in disputes})
    open_disputes = [dispute for dispute in disputes if dispute.closing is None]
    yield from _marks(s, open_disputes)
    waiting_micro = sum(d.amount_micro for d in open_disputes) + _kept_back_micro(s)
    if (found_micro := ledger.find_balance(s, RESERVE)) != waiting_micro:
        message = f"it has {found_micro}, disputes account for {waiting_micro}"
        yield Difference("dispute_reserve_differs", RESERVE, message)


def _entries(s: Session, dispute: Dispute) -> Iterator[Difference]:
    entry = ledger.find_entry(s, dispute.entry_key)
    opened = ledger.find_entry(s, dispute.open_key)
    if entry is None or opened is None or not 0 <= dispute.line < len(entry.transfers):
        message = f"it took nothing from line {dispute.line} of {dispute.entry_key}"
        yield Difference("dispute_entry_missing", dispute.id, message)
        return
    payee = entry.transfers[dispute.line].credit
    away = [(account, RESERVE, "dispute_open") for account in (payee, owed_code(payee))]
    yield from _lines(dispute, opened, away)
    if dispute.closing is None:
        return
    closed = ledger.find_entry(s, dispute.close_key)
    if closed is None:
        yield Difference("dispute_entry_missing", dispute.id, "it is closed and moved nothing")
        return
    if dispute.closing.outcome == "on":
        on = [(RESERVE, f"holder:{dispute.closing.holder_id}", "dispute_on")]
        yield from _lines(dispute, closed, on)
    else:
        back = [(RESERVE, account, "dispute_back") for account in (payee, owed_code(payee))]
        yield from _lines(dispute, closed, back)
    closed_micro = sum(transfer.amount_micro for transfer in closed.transfers)
    if closed_micro != dispute.amount_micro:
        message = f"it took {dispute.amount_micro} and passed on {closed_micro}"
        yield Difference("dispute_amount_differs", dispute.id, message)


def _lines(
    dispute: Dispute, entry: Entry, moves: Collection[tuple[str | None, str | None, str]]
) -> Iterator[Difference]:
    """Every line of the entry is about the disputed line and moves where the dispute says."""
    named = all(transfer.line == dispute.line for transfer in entry.transfers)
    moved = {(t.debit, t.credit, t.reason) for t in entry.transfers}
    if entry.corrects != dispute.entry_key or not named or not moved <= set(moves):
        message = f"{entry.key} is not about line {dispute.line} of {dispute.entry_key}"
        yield Difference("dispute_line_differs", dispute.id, message)


def _open_twice(disputes: tuple[Dispute, ...]) -> Iterator[Difference]:
    ordered = sorted(disputes, key=_place)
    for (key, line), same in groupby(ordered, key=_place):
        for first, second in combinations(same, 2):
            if first.closing is None or first.closing.closed_us > second.opened_us:
                message = f"line {line} of {key} was in dispute {first.id} still"
                yield Difference("dispute_open_twice", second.id, message)


def _place(dispute: Dispute) -> tuple[str, int]:
    return dispute.entry_key, dispute.line


def _uncalled(s: Session, disputes: dict[str, Dispute]) -> Iterator[Difference]:
    """A `dispute:` entry is the opening of a dispute, its closing, or a release of a closed one."""
    keys = select(EntryRow.key).where(EntryRow.key.startswith("dispute:")).order_by(EntryRow.seq)
    for key in s.scalars(keys):
        _, dispute_id, event = (*key.split(":"), "", "")[:3]
        dispute = disputes.get(dispute_id)
        closing = dispute and dispute.closing
        if dispute is None or (event != "open" and closing is None):
            yield Difference("dispute_entry_uncalled", key, "no dispute calls for it")
        elif closing and event == "release" and not _is_release(s, key, closing):
            message = f"{key} does not pass on what was kept back as the dispute was closed"
            yield Difference("dispute_line_differs", dispute.id, message)


def _is_release(s: Session, key: str, closing: Closing) -> bool:
    """Whether each line passes on one that was kept back: to the winner, or by its old claims."""
    release = ledger.get_entry(s, key)
    kept = ledger.get_entry(s, str(release.corrects)).transfers
    for transfer in release.transfers:
        line = None if transfer.line is None else kept[transfer.line]
        if line is None or (line.credit, line.reason) != (RESERVE, "disputed"):
            return False
        if (transfer.debit, transfer.reason) != (RESERVE, f"dispute_{closing.outcome}"):
            return False
        if closing.holder_id is not None and transfer.credit != f"holder:{closing.holder_id}":
            return False
    return True


def _marks(s: Session, disputes: list[Dispute]) -> Iterator[Difference]:
    for dispute in disputes:
        occurrence = dispute.occurrence_id and s.get(OccurrenceRow, dispute.occurrence_id)
        if occurrence and not occurrence.disputed:
            message = f"occurrence {occurrence.id} pays as if nobody disputed it"
            yield Difference("dispute_mark_differs", dispute.id, message)


def _kept_back_micro(s: Session) -> int:
    """What distributions paid into the reserve, less what later entries took of those lines."""
    reserve = select(AccountRow.id).where(AccountRow.code == RESERVE).scalar_subquery()
    kept = aliased(TransferRow)
    entry, change = aliased(EntryRow), aliased(EntryRow)
    is_kept = (kept.credit_account_id == reserve) & (kept.reason == literal("disputed"))
    paid_in = select(func.coalesce(func.sum(kept.amount_micro), 0)).where(is_kept)
    named = (TransferRow.entry_seq == change.seq) & (TransferRow.line == kept.position)
    taken = (
        select(func.coalesce(func.sum(TransferRow.amount_micro), 0))
        .select_from(kept)
        .join(entry, entry.seq == kept.entry_seq)
        .join(change, (change.corrects == entry.key) | (change.reverses == entry.key))
        .join(TransferRow, named)
        .where(is_kept, TransferRow.debit_account_id == reserve)
    )
    return int(s.scalar(paid_in) or 0) - int(s.scalar(taken) or 0)
