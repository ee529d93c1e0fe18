"""Taking an entry back by hand: an admin says why, and that is kept in the entry's memo."""

from store import ledger
from store.chain import canonical
from store.clock import now_us
from store.engine import Engine, write
from store.records.ledger import Entry
from store.text import admin_name, said


def reverse_entry(engine: Engine, key: str, *, by: str, note: str) -> Entry:
    """All that remains of an entry goes back where it came from.

    NotFound, AlreadyReversed, BadInput: as `store.ledger.reverse`; or `by` or `note` says nothing.
    """
    memo = _memo(by, note)
    with write(engine) as s:
        return ledger.reverse(s, key, now_us=now_us(), memo=memo)


def refund_entry(
    engine: Engine, key: str, amount_micro: int, *, name: str, by: str, note: str
) -> Entry:
    """A part of an entry goes back; the same refund again changes nothing.

    NotFound, EntryConflict, BadInput: as `store.ledger.refund`; or `by` or `note` says nothing.
    """
    memo = _memo(by, note)
    with write(engine) as s:
        return ledger.refund(s, key, amount_micro, name=name, now_us=now_us(), memo=memo)


def _memo(by: str, note: str) -> str:
    who, why = admin_name(by), said(note, "a note on why")
    return canonical({"by": who, "note": why}).decode()
