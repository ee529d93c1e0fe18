"""Taking an entry back by hand: an admin says why, and that is kept in the entry's memo."""

from dataclasses import dataclass

from store import disputes, ledger
from store.chain import canonical
from store.clock import now_us
from store.disputes import Dispute
from store.engine import Engine, Session, write
from store.records.ledger import Entry
from store.text import admin_name, said


@dataclass(frozen=True)
class Corrected:
    """The entry that took something back, and the open disputes in which some of it still waits."""

    entry: Entry
    waiting: tuple[Dispute, ...]


def reverse_entry(engine: Engine, key: str, *, by: str, note: str) -> Corrected:
    """All that remains of an entry goes back where it came from; what is disputed stays disputed.

    NotFound, AlreadyReversed, BadInput: as `store.ledger.reverse`; or `by` or `note` says nothing.
    """
    memo = _memo(by, note)
    with write(engine) as s:
        entry = ledger.reverse(s, key, now_us=now_us(), memo=memo)
        return Corrected(entry, _waiting(s, key))


def refund_entry(
    engine: Engine, key: str, amount_micro: int, *, name: str, by: str, note: str
) -> Corrected:
    """A part of an entry goes back; the same refund again changes nothing.

    NotFound, EntryConflict, BadInput: as `store.ledger.refund`; or `by` or `note` says nothing.
    """
    memo = _memo(by, note)
    with write(engine) as s:
        entry = ledger.refund(s, key, amount_micro, name=name, now_us=now_us(), memo=memo)
        return Corrected(entry, _waiting(s, key))


def _memo(by: str, note: str) -> str:
    who, why = admin_name(by), said(note, "a note on why")
    return canonical({"by": who, "note": why}).decode()


def _waiting(s: Session, key: str) -> tuple[Dispute, ...]:
    return tuple(d for d in disputes.list_disputes(s, open_only=True) if d.entry_key == key)
