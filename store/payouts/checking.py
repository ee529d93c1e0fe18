"""What the rows of payouts and the ledger say of each other: every difference is named."""

from collections.abc import Iterator
from hashlib import sha256

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from store.ledger.reading import load_entries
from store.payouts.batches import STATES, file_formats, find_batch_file, list_batches, list_events
from store.payouts.moving import held_transfers, paid_transfers, returned_transfers
from store.payouts.records import FORMATS, Batch, Payout
from store.records.ledger import Difference, Transfer
from store.schema import EntryRow, PayoutBatchRow

_KEYS_AT_ONCE = 500
#: Transfers by the key of their entry; None where another module says what is in it.
_CalledFor = dict[str, tuple[Transfer, ...] | None]


def payout_differences(s: Session) -> Iterator[Difference]:
    """Batches that are not the sum of their payouts, files that are not what was written, and
    payouts whose states and postings disagree.

    Codes: payout_sum_differs, payout_file_differs, payout_state_differs, payout_hold_differs.
    """
    called_for: set[str] = set()
    for batch in list_batches(s):
        yield from _sums(s, batch)
        states: dict[str, set[str]] = {payout.holder_id: set() for payout in batch.payouts}
        for event in list_events(s, batch.id):
            states.setdefault(event.holder_id, set()).add(event.state)
        yield from _files(s, batch, is_sent=any("sent" in each for each in states.values()))
        entries: _CalledFor = {}
        for payout in batch.payouts:
            happened = states.pop(payout.holder_id)
            yield from _states(payout, happened)
            entries |= _entries(payout, batch.currency, happened)
        for holder_id in sorted(states):
            message = "something became of a payout that is not there"
            yield Difference("payout_state_differs", f"payout:{batch.id}:{holder_id}", message)
        yield from _postings(s, batch, entries)
        called_for |= entries.keys()
    ours = or_(EntryRow.key.like("hold:payout:%"), EntryRow.key.like("payout:%"))
    for key in s.scalars(select(EntryRow.key).where(ours).order_by(EntryRow.seq)):
        if key not in called_for:
            yield Difference("payout_hold_differs", key, "no payout calls for it")


def _sums(s: Session, batch: Batch) -> Iterator[Difference]:
    columns = PayoutBatchRow.payout_count, PayoutBatchRow.total_minor
    stated = s.execute(select(*columns).where(PayoutBatchRow.id == batch.id)).one()
    found = (len(batch.payouts), batch.total_minor)
    if tuple(stated) != found:
        message = (
            f"it states {stated[0]} payouts of {stated[1]}, there are {found[0]} of {found[1]}"
        )
        yield Difference("payout_sum_differs", batch.id, message)


def _files(s: Session, batch: Batch, *, is_sent: bool) -> Iterator[Difference]:
    formats = file_formats(s, batch.id)
    if is_sent and not formats:
        yield Difference("payout_file_differs", batch.id, "it was sent, and has no file")
    for format_name in formats:
        file = find_batch_file(s, batch.id, format_name)
        is_whole = file is not None and sha256(file.content).hexdigest() == file.sha256
        if not is_whole or format_name not in FORMATS:
            subject = f"{batch.id} {format_name}"
            yield Difference("payout_file_differs", subject, "its bytes are not what was written")


def _states(payout: Payout, states: set[str]) -> Iterator[Difference]:
    if ("confirmed" in states and "sent" not in states) or states - set(STATES):
        message = f"it cannot have been only {', '.join(sorted(states))}"
        yield Difference("payout_state_differs", payout.hold, message)


def _entries(payout: Payout, currency: str, states: set[str]) -> _CalledFor:
    """The entries that a payout calls for."""
    hold = f"hold:{payout.hold}"
    entries: _CalledFor = {hold: held_transfers(payout)}
    if "confirmed" in states:
        entries[f"{hold}:post"] = paid_transfers(payout, currency)
    if "returned" in states and "confirmed" in states:
        entries[f"{payout.hold}:return"] = returned_transfers(payout, currency)
    elif "returned" in states:
        entries[f"{hold}:void"] = None
    return entries


def _postings(s: Session, batch: Batch, expected: _CalledFor) -> Iterator[Difference]:
    called = list(expected)
    for start in range(0, len(called), _KEYS_AT_ONCE):
        keys = called[start : start + _KEYS_AT_ONCE]
        posted = {entry.key: entry for entry in load_entries(s, EntryRow.key.in_(keys))}
        for key in keys:
            if key not in posted:
                yield Difference("payout_hold_differs", key, "a payout calls for it")
                continue
            if expected[key] not in {None, posted[key].transfers}:
                yield Difference("payout_hold_differs", key, "the payout's row calls for others")
            if posted[key].policy_version != batch.policy_version:
                message = f"it has another policy than batch {batch.id}"
                yield Difference("payout_hold_differs", key, message)
