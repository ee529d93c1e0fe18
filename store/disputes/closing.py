"""Closing a dispute: the money goes back where it came from, or on to another holder."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store import acts, ledger
from store.disputes.reading import RESERVE, Dispute, get_dispute
from store.erasures import erased_among
from store.errors import BadInput, NotFound
from store.ledger.corrections import owed_code
from store.ledger.posting import Correction
from store.records.ledger import Entry, Transfer
from store.schema import (
    AccountRow,
    ContextRow,
    DisputeClosingRow,
    EntryRow,
    OccurrenceRow,
    RightsHolderRow,
    TransferRow,
)
from store.text import admin_name, said

#: The lines that a kept-back line would have been had there been no dispute; they sum to it.
Undisputed = Callable[[Transfer], Iterable[Transfer]]


def close_dispute(
    s: Session,
    dispute_id: str,
    *,
    holder_id: str | None,
    by: str,
    note: str,
    now_us: int,
    undisputed: Undisputed,
) -> Dispute:
    """Close a dispute: all that it moved goes on to a holder, or back for `holder_id` None.

    What was kept back of later answers goes the same way: on, or to the payees of the
    `undisputed` lines.
    NotFound: no such dispute or holder. BadInput: it is closed, the holder is the one who had the
    money or an erased author, or `by` or `note` says nothing.
    """
    by, note = admin_name(by), said(note, "the note")
    dispute = get_dispute(s, dispute_id)
    if dispute.closing:
        raise BadInput(f"dispute {dispute.id} was closed by {dispute.closing.closed_by} already")
    entry = ledger.get_entry(s, dispute.entry_key)
    original = entry.transfers[dispute.line]
    winner = None if holder_id is None else _winner(s, original, holder_id)
    _post_closing(s, dispute, entry, winner, now_us)
    s.add(
        DisputeClosingRow(
            dispute_id=dispute.id,
            outcome="back" if holder_id is None else "on",
            holder_id=holder_id,
            note=note,
            closed_by=by,
            created_us=now_us,
        )
    )
    acts.record(s, DisputeClosingRow, [(dispute.id,)])
    if dispute.occurrence_id is not None:
        _release(s, dispute, winner, undisputed, now_us)
    s.flush()
    return get_dispute(s, dispute.id)


def _winner(s: Session, original: Transfer, holder_id: str) -> RightsHolderRow:
    winner = s.get(RightsHolderRow, holder_id)
    if winner is None:
        raise NotFound(f"there is no rights holder {holder_id!r}")
    if original.credit == f"holder:{holder_id}":
        raise BadInput(f"holder {holder_id} had the money before: close the dispute as back")
    if winner.author_id is not None and erased_among(s, [winner.author_id]):
        raise BadInput(f"author {winner.author_id} is erased and can get no money")
    return winner


def _post_closing(
    s: Session, dispute: Dispute, entry: Entry, winner: RightsHolderRow | None, now_us: int
) -> None:
    opened = ledger.get_entry(s, dispute.open_key).transfers
    moved = replace(opened[0], debit=RESERVE, amount_micro=dispute.amount_micro)
    if winner is not None:
        transfers = [_on(moved, winner)]
    else:
        transfers = list(_back(s, moved, opened, entry.transfers[dispute.line].credit))
    ledger.post(
        s,
        dispute.close_key,
        transfers,
        policy_version=entry.policy_version,
        now_us=now_us,
        of=Correction(corrects=entry.key),
    )


def _on(moved: Transfer, winner: RightsHolderRow) -> Transfer:
    return replace(
        moved, credit=f"holder:{winner.id}", reason="dispute_on", author_id=winner.author_id
    )


def _back(
    s: Session, moved: Transfer, opened: Sequence[Transfer], account: str
) -> Iterator[Transfer]:
    """First what the holder owes because of this dispute, as far as it is still owed."""
    owed = owed_code(account)
    owed_micro = sum(t.amount_micro for t in opened if t.debit == owed)
    if owed is not None:
        owed_micro = min(owed_micro, -ledger.find_balance(s, owed))
    parts = ((owed, owed_micro), (account, moved.amount_micro - owed_micro))
    for credit, amount_micro in parts:
        if credit is not None and amount_micro:
            yield replace(moved, credit=credit, amount_micro=amount_micro, reason="dispute_back")


def _release(
    s: Session,
    dispute: Dispute,
    winner: RightsHolderRow | None,
    undisputed: Undisputed,
    now_us: int,
) -> None:
    """Keep nothing back any more; pass on what later answers paid into the reserve, by answer."""
    unmarked = update(OccurrenceRow).where(OccurrenceRow.id == dispute.occurrence_id)
    s.execute(unmarked.values(disputed=False))
    for key, places in groupby(_kept_back(s, dispute.occurrence_id), key=itemgetter(0)):
        entry, left = ledger.get_entry(s, key), ledger.remaining(s, key)
        transfers: list[Transfer] = []
        for _, line in places:
            kept = replace(entry.transfers[line], amount_micro=left[line], line=line)
            if left[line]:
                parts = [_on(kept, winner)] if winner else _as_undisputed(kept, undisputed)
                transfers += (replace(part, debit=RESERVE) for part in parts)
        if transfers:
            ledger.post(
                s,
                dispute.release_key(str(transfers[0].answer_id)),
                transfers,
                policy_version=entry.policy_version,
                now_us=now_us,
                of=Correction(corrects=key),
            )


def _as_undisputed(kept: Transfer, undisputed: Undisputed) -> list[Transfer]:
    parts = [replace(part, reason="dispute_back") for part in undisputed(kept)]
    assert sum(part.amount_micro for part in parts) == kept.amount_micro, "a part was lost"
    return [part for part in parts if part.amount_micro]


def _kept_back(s: Session, occurrence_id: int | None) -> list[tuple[str, int]]:
    """The (entry key, line) of every line that was kept back for an occurrence, in order."""
    statement_id = select(OccurrenceRow.statement_id).where(OccurrenceRow.id == occurrence_id)
    of_statement = TransferRow.statement_id == ContextRow.statement_id
    query = (
        select(EntryRow.key, TransferRow.position)
        .join(TransferRow, TransferRow.entry_seq == EntryRow.seq)
        .join(AccountRow, AccountRow.id == TransferRow.credit_account_id)
        .join(ContextRow, (ContextRow.answer_id == TransferRow.answer_id) & of_statement)
        .where(ContextRow.statement_id == statement_id.scalar_subquery())
        .where(ContextRow.occurrence_id == occurrence_id)
        .where(AccountRow.code == RESERVE, TransferRow.reason == "disputed")
        .order_by(EntryRow.seq, TransferRow.position)
    )
    return [(key, line) for key, line in s.execute(query)]
