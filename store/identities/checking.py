"""What decisions and the ledger say of each other: every difference is named."""

from collections.abc import Iterator

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from store import ledger
from store.identities.decisions import Decision, list_decisions
from store.identities.money import HELD, RESERVE, holder_of
from store.records.ledger import Difference, Entry
from store.resolution import resolution_of
from store.schema import EntryRow

_KINDS = ("merge:", "claim:", "unclaim:")
_MOVES = ("merge", "split")


def identity_differences(s: Session) -> Iterator[Difference]:
    """Decisions that cannot be, entries that no decision calls for, money that went astray.

    Codes: decision_differs, identity_entry_uncalled, identity_line_differs.
    """
    decisions = {decision.id: decision for decision in list_decisions(s)}
    for decision in decisions.values():
        if problem := _problem(decision, decisions):
            yield Difference("decision_differs", f"decision {decision.id}", problem)
    ours = or_(*(EntryRow.key.startswith(kind) for kind in _KINDS))
    for key in s.scalars(select(EntryRow.key).where(ours).order_by(EntryRow.seq)).all():
        kind, name, *_ = key.split(":")
        called = decisions.get(int(name)) if name.isdecimal() else None
        undone = decisions.get(called.undoes or 0) if called else None
        if called is None or not _calls(kind, called, undone):
            yield Difference("identity_entry_uncalled", key, "no decision calls for it")
        elif not _is_right(s, ledger.get_entry(s, key), kind, called, undone):
            message = f"its lines do not do what decision {called.id} calls for"
            yield Difference("identity_line_differs", key, message)


def _problem(decision: Decision, decisions: dict[int, Decision]) -> str | None:
    if decision.kind != "undo" and (decision.into_id is not None) != (decision.kind in _MOVES):
        return "it lacks an author, or has one too many"
    if decision.into_id == decision.author_id:
        return "it is about one author twice"
    if (decision.kind == "split") != bool(decision.works):
        return "it has no works, or is about none"
    undone = decisions.get(decision.undoes or 0)
    if decision.undoes and (undone is None or undone.kind == "undo" or undone.id >= decision.id):
        return "it undoes what cannot be undone"
    return None


def _calls(kind: str, decision: Decision, undone: Decision | None) -> bool:
    """Whether an entry of this kind can come of a decision."""
    match kind:
        case "claim":
            return decision.kind in ("confirm", "merge")
        case "unclaim":
            return undone is not None and undone.kind in ("confirm", "merge")
        case _:
            return decision.kind == "merge" or (undone is not None and undone.kind in _MOVES)


def _is_right(
    s: Session, entry: Entry, kind: str, decision: Decision, undone: Decision | None
) -> bool:
    if kind == "merge":
        return _is_merge(s, entry, decision, undone)
    holder = f"holder:{holder_of(s, (undone or decision).subject)}"
    if entry.key != f"{kind}:{decision.id}:{entry.corrects}":
        return False
    if kind == "claim":
        return all(
            (t.debit, t.credit, t.reason) == (RESERVE, holder, "claim") for t in entry.transfers
        )
    begins = f"claim:{undone.id if undone else ''}:"
    return entry.key.startswith(f"unclaim:{decision.id}:{begins}") and all(
        (t.debit, t.credit, t.reason) == (holder, RESERVE, HELD) for t in entry.transfers
    )


def _is_merge(s: Session, entry: Entry, decision: Decision, undone: Decision | None) -> bool:
    """A balance goes from one author to the other, and debts with it."""
    giver, taker = decision.author_id, decision.subject
    if undone is not None and undone.kind == "merge":
        giver, taker = taker, giver
    if undone is not None and undone.kind == "split":
        taker = resolution_of(s, [giver], until=decision.id).author(giver)
    one, other = holder_of(s, giver), holder_of(s, taker)
    allowed = {
        (f"holder:{one}", f"holder:{other}", "merge"),
        (f"holder:{one}", f"owed:{one}", "recoup"),
        (f"holder:{other}", f"owed:{one}", "recoup"),
        (f"owed:{other}", f"owed:{one}", "recoup"),
    }
    return (
        entry.corrects is None
        and {(t.debit, t.credit, t.reason) for t in entry.transfers} <= allowed
    )
