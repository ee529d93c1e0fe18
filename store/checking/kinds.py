"""What calls for an entry, told from its natural key; what else it names is checked elsewhere."""

from store.ledger.holds import expiry_of
from store.records.ledger import Entry


def kind_problem(entry: Entry) -> str | None:
    """Why nothing calls for an entry of this key and shape; None where something can."""
    kind, _, name = entry.key.partition(":")
    match kind:
        case "answer":  # its attribution says what is in it
            called = True
        case "payout":  # its row says the rest
            called = entry.corrects == f"hold:{entry.key.removesuffix(':return')}:post"
        case "reversal":
            called = bool(entry.reverses) and name == entry.reverses and _only(entry, "reversal")
        case "refund":
            called = bool(entry.corrects) and name.endswith(f":{entry.corrects}")
            called = called and _only(entry, "refund")
        case "hold":
            called = _is_hold(entry)
        case "dispute":  # its row says the rest
            called = entry.corrects is not None
        case "merge":  # its decision says the rest, as of the next two
            called = entry.corrects is None
        case "claim" | "unclaim":
            called = entry.corrects is not None
        case "recoup":
            called = _is_recoup(entry, name)
        case _:
            called = False
    return None if called else "nothing calls for an entry like it"


def _only(entry: Entry, reason: str) -> bool:
    return all(transfer.reason == reason for transfer in entry.transfers)


def _is_hold(entry: Entry) -> bool:
    """The hold itself, or its end: all of it leaves its account."""
    if entry.key == f"{entry.reverses}:void" or entry.key == f"{entry.corrects}:post":
        account = entry.key.rpartition(":")[0]
        return all(transfer.debit == account for transfer in entry.transfers)
    if entry.reverses or entry.corrects or any(t.credit != entry.key for t in entry.transfers):
        return False
    expires_us = expiry_of(entry)
    return expires_us is None or entry.created_us < expires_us


def _is_recoup(entry: Entry, name: str) -> bool:
    """One transfer from a holder to what the holder owes, once in a period."""
    holder_id = name.removeprefix(f"{entry.period_id}:")
    moved = [(t.debit, t.credit, t.reason) for t in entry.transfers]
    return moved == [(f"holder:{holder_id}", f"owed:{holder_id}", "recoup")] and holder_id != name
