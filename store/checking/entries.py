"""The chain walked once from its start: links, hashes, seals, balances and corrections."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from store.chain import GENESIS, entry_body, entry_hash
from store.checking.batches import batches
from store.checking.changes import change_differences
from store.checking.kinds import kind_problem
from store.ledger.posting import WITHOUT_FLOOR
from store.ledger.reading import load_entries
from store.records.ledger import Difference, Entry
from store.schema import EntryRow, EntrySealRow

Beside = Callable[[Sequence[Entry]], Iterator[Difference]]

_BEFORE_THE_FIRST = Entry(0, "", "", GENESIS, 0, 0, -1, ())


def entry_differences(s: Session, beside: Beside) -> Iterator[Difference]:
    """Each entry follows the one before, is what was posted, and was allowed when it was posted.

    `beside` is given the entries, some at a time: reading them is half of the work.
    """
    before, balances = _BEFORE_THE_FIRST, Counter[str]()
    for seqs in batches(s, EntryRow.seq):
        entries = load_entries(s, EntryRow.seq.in_(seqs))
        sealed = _sealed_counts(s, seqs)
        changes = _changes(s, entries)
        for entry in entries:
            yield from _link(before, entry)
            if sealed.get(entry.seq) != len(entry.transfers):
                yield Difference("seal_differs", entry.key, "its transfers are not all there")
            if problem := kind_problem(entry):
                yield Difference("entry_uncalled", entry.key, problem)
            yield from _moves(balances, entry)
            yield from change_differences(entry, changes[entry.key])
            before = entry
        yield from beside(entries)


def _link(before: Entry, entry: Entry) -> Iterator[Difference]:
    """Numbers without gaps, times that ascend, each hash over its body and the hash before."""
    if entry.seq != before.seq + 1:
        yield Difference("entry_lost", entry.key, f"entry {before.seq + 1} is not there")
    if entry.prev_hash != before.hash:
        yield Difference("chain_broken", entry.key, "it does not follow the entry before")
    if entry.hash != entry_hash(entry.prev_hash, entry_body(entry)):
        yield Difference("hash_differs", entry.key, "its rows are not what was posted")
    if entry.created_us <= before.created_us:
        yield Difference("time_differs", entry.key, "it is not later than the one before")
    if entry.period_id < before.period_id:
        yield Difference("period_differs", entry.key, "it is in a period that was closed before")


def _moves(balances: Counter[str], entry: Entry) -> Iterator[Difference]:
    """No entry takes what an account does not have, gives back more than is owed, or lets a holder
    owe what its account still has.
    """
    for transfer in entry.transfers:
        balances[transfer.debit] -= transfer.amount_micro
        balances[transfer.credit] += transfer.amount_micro
        if transfer.amount_micro <= 0 or transfer.debit == transfer.credit:
            yield Difference("amount_differs", entry.key, "it moves nothing, or money to itself")
    for code in sorted({t.debit for t in entry.transfers} | {t.credit for t in entry.transfers}):
        kind, _, name = code.partition(":")
        if kind not in WITHOUT_FLOOR and balances[code] < 0:
            yield Difference("below_floor", code, f"{balances[code]} after {entry.key}")
        if kind == "owed" and balances[code] > 0:
            yield Difference("above_zero", code, f"{balances[code]} after {entry.key}")
        if kind == "owed" and balances[f"holder:{name}"] and _debits(entry, code):
            yield Difference("owed_differs", entry.key, f"holder {name} had more to give")


def _debits(entry: Entry, code: str) -> bool:
    return any(transfer.debit == code for transfer in entry.transfers)


def _sealed_counts(s: Session, seqs: Sequence[int]) -> dict[int, int]:
    """How many transfers the own seal of each entry counts."""
    own = (EntrySealRow.entry_seq == EntryRow.seal) & (EntryRow.seal == EntryRow.seq)
    seals = select(EntryRow.seq, EntrySealRow.transfer_count).join(EntrySealRow, own)
    return dict(s.execute(seals.where(EntryRow.seq.in_(seqs))).all())


def _changes(s: Session, entries: Sequence[Entry]) -> defaultdict[str, list[Entry]]:
    """The entries that reverse or correct these, in the order of the chain, by the key changed."""
    keys = [entry.key for entry in entries]
    of_these = or_(EntryRow.reverses.in_(keys), EntryRow.corrects.in_(keys))
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for change in load_entries(s, of_these):
        found[str(change.reverses or change.corrects)].append(change)
    return found
