"""Signed checkpoints, the public keys that signed them, and the leaves of the tree of entries."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

from sqlalchemy import and_, bindparam, func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from store.acts import count_acts, read_acts, record
from store.chain import GENESIS, Leaf, build_leaf, entry_body, entry_hash
from store.errors import BooksDiffer
from store.ledger.reading import load_entries
from store.ledger.spans import IS_NUMBERED
from store.records.ledger import Entry
from store.schema import CheckpointRow, EntryRow, EntrySealRow, SigningKeyRow, TransferRow

_BATCH = 500


@dataclass(frozen=True)
class Checkpoint:
    """The tree heads that were signed when a period closed; hashes in hex.

    `tree_size` entries, the last of the period among them, `reports_size` credit reports, and
    `acts_size` acts, all that there were.
    """

    period_id: int
    tree_size: int
    root_hash: str
    reports_size: int
    reports_root: str
    acts_size: int
    acts_root: str
    previous_hash: str | None
    note: str
    key_id: str


class DamagedEntry(BooksDiffer):
    """The rows of an entry or of an act are not what was written."""


def entry_leaves(s: Session, up_to_seq: int) -> Iterator[bytes]:
    """The leaves of entries 1..`up_to_seq`, recomputed from their rows.

    DamagedEntry: the rows of an entry contradict its hash, its seal or the entry before.
    """
    return _whole("entry", read_leaves(s, up_to_seq))


def act_leaves(s: Session) -> Iterator[bytes]:
    """The leaves of all acts, recomputed from their rows.

    DamagedEntry: a row is lost, or contradicts the hash of its act or the act before.
    """
    return _whole("act", read_acts(s, count_acts(s)))


def _whole(kind: str, leaves: Iterable[Leaf]) -> Iterator[bytes]:
    for leaf in leaves:
        if leaf.fault:
            raise DamagedEntry(
                f"{kind} {leaf.key}: {leaf.fault}; run `haozhi ledger check` and restore a backup"
            )
        yield leaf.data


def read_leaves(s: Session, up_to_seq: int) -> Iterator[Leaf]:
    """Exactly one leaf for each of the entries 1..`up_to_seq`, whole or not, in this order.

    An entry that is not there or cannot be read has 32 zero bytes.
    """
    last_hash = GENESIS
    for first in range(1, up_to_seq + 1, _BATCH):
        seqs = range(first, min(first + _BATCH, up_to_seq + 1))
        found = _entries(s, seqs)
        for seq in seqs:
            if seq not in found:
                last_hash = ""
                yield Leaf(seq, f"number {seq}", bytes(32), "it is not there or cannot be read")
                continue
            entry, is_sealed = found[seq]
            yield _leaf(entry, is_sealed, last_hash)
            last_hash = entry.hash


def _entries(s: Session, seqs: range) -> dict[int, tuple[Entry, bool]]:
    """These entries and whether each is sealed; damage can make all of them unreadable."""
    try:
        sealed = set(s.scalars(_SEALED, {"first": seqs[0], "last": seqs[-1]}))
        entries = load_entries(s, EntryRow.seq.between(seqs[0], seqs[-1]))
    except (DBAPIError, TypeError, ValueError):
        return {}
    return {entry.seq: (entry, entry.seq in sealed) for entry in entries}


#: The numbers of entries that have as many transfers as their own seal says, numbered from 0.
_SEALED = (
    select(EntryRow.seq)
    .join(
        EntrySealRow, and_(EntrySealRow.entry_seq == EntryRow.seal, EntryRow.seal == EntryRow.seq)
    )
    .join(TransferRow, TransferRow.entry_seq == EntryRow.seq)
    .where(EntryRow.seq.between(bindparam("first"), bindparam("last")))
    .group_by(EntryRow.seq, EntrySealRow.transfer_count)
    .having(EntrySealRow.transfer_count == func.count(), IS_NUMBERED)
)


def _leaf(entry: Entry, is_sealed: bool, last_hash: str) -> Leaf:
    try:
        found = entry_hash(entry.prev_hash, entry_body(entry))
    except (TypeError, ValueError):
        return Leaf(entry.seq, entry.key, bytes(32), "its rows cannot be read")
    follows = (entry.prev_hash, last_hash)
    leaf = build_leaf(entry.seq, entry.key, found, entry.hash, follows)
    if leaf.fault or is_sealed:
        return leaf
    return replace(leaf, fault="its transfers are not those that were sealed")


def stored_leaves(s: Session) -> Iterator[bytes]:
    """The leaves of all entries as their stored hashes say, without computing any again."""
    query = select(EntryRow.hash).order_by(EntryRow.seq).execution_options(yield_per=10_000)
    return (bytes.fromhex(found) for found in s.scalars(query))


def last_seq(s: Session, period_id: int) -> int:
    """The number of the last entry up to this period, 0 when there is none."""
    query = select(func.max(EntryRow.seq)).where(EntryRow.period_id <= period_id)
    return s.scalar(query) or 0


def add_checkpoint(s: Session, checkpoint: Checkpoint) -> None:
    """Store the checkpoint of a period; there can be only one."""
    s.execute(insert(CheckpointRow), [dict(vars(checkpoint))])


def find_checkpoint(s: Session, period_id: int) -> Checkpoint | None:
    """The checkpoint of this period, None when it has none yet."""
    for checkpoint in list_checkpoints(s, period_id):
        if checkpoint.period_id == period_id:
            return checkpoint
    return None


def list_checkpoints(s: Session, up_to_period: int | None = None) -> tuple[Checkpoint, ...]:
    """All checkpoints, or those up to a period, oldest first."""
    query = select(*(getattr(CheckpointRow, field.name) for field in fields(Checkpoint)))
    if up_to_period is not None:
        query = query.where(CheckpointRow.period_id <= up_to_period)
    return tuple(Checkpoint(*row) for row in s.execute(query.order_by(CheckpointRow.period_id)))


def signing_keys(s: Session) -> dict[str, str]:
    """The public keys (hex) of this ledger by key id."""
    return dict(s.execute(select(SigningKeyRow.key_id, SigningKeyRow.public_key)).all())


def add_signing_key(s: Session, key_id: str, public_key: str, now_us: int) -> None:
    """Record the ledger's public key; nothing when it has one already."""
    if not signing_keys(s):
        row = {"key_id": key_id, "public_key": public_key, "created_us": now_us}
        s.execute(insert(SigningKeyRow), [row])
        record(s, SigningKeyRow, [(key_id,)])
