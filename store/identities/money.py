"""What decisions do to money: held money is released, and a merged author's balance moves on.

Nothing that was booked is changed. `claim:DECISION:ENTRY` pays out what an entry held,
`unclaim:DECISION:ENTRY` holds again what a claim paid out and is still there, and `merge:DECISION`
moves what an account has in the open period.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, and_, exists, func, literal, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from store import ledger
from store.identities.decisions import Decision
from store.ledger.posting import Correction
from store.policies import get_policy_version
from store.records.ledger import Transfer
from store.resolution import ids_of, resolution_of
from store.schema import (
    AccountRow,
    ContextRow,
    EntryRow,
    OccurrenceRow,
    RightsHolderRow,
    TransferRow,
)

Query = Select[*tuple[Any, ...]]

RESERVE = "reserve:unclaimed"
#: Entries of which one transaction pays out what they hold; other writers wait no longer.
AT_ONCE = 200
#: Why money of an unresolved author is in the reserve.
HELD = "unresolved"


def release(s: Session, decision: Decision, *, now_us: int) -> tuple[int, bool]:
    """Pay out what AT_ONCE entries hold for who the decision is about.

    Returns the micro-credits, and whether other entries may hold more.
    """
    holder, paid = f"holder:{holder_of(s, decision.subject)}", list[int]()
    for key, positions in _held_lines(s, decision).items():
        if len(paid) == AT_ONCE:
            return sum(paid), True
        entry, left = ledger.get_entry(s, key), ledger.remaining(s, key)
        transfers = [
            replace(
                entry.transfers[position],
                debit=RESERVE,
                credit=holder,
                amount_micro=left[position],
                reason="claim",
                line=position,
            )
            for position in positions
            if left[position] > 0
        ]
        if transfers:
            ledger.post(
                s,
                f"claim:{decision.id}:{key}",
                transfers,
                policy_version=entry.policy_version,
                now_us=now_us,
                of=Correction(corrects=key),
            )
            paid.append(sum(transfer.amount_micro for transfer in transfers))
    return sum(paid), False


def hold_again(s: Session, undo: Decision, undone: Decision, *, now_us: int) -> int:
    """Hold again what a decision released, as far as its holder still has it."""
    holder, held_micro = f"holder:{holder_of(s, undone.subject)}", 0
    there_micro = ledger.find_balance(s, holder)
    keys = select(EntryRow.key).where(EntryRow.key.startswith(f"claim:{undone.id}:"))
    for key in s.scalars(keys.order_by(EntryRow.seq)).all():
        entry, transfers = ledger.get_entry(s, key), list[Transfer]()
        for line, left_micro in ledger.remaining(s, key).items():
            amount_micro = min(left_micro, there_micro)
            back = replace(entry.transfers[line], debit=holder, credit=RESERVE, reason=HELD)
            if amount_micro > 0:
                transfers.append(replace(back, amount_micro=amount_micro, line=line))
                there_micro -= amount_micro
        if transfers:
            ledger.post(
                s,
                f"unclaim:{undo.id}:{key}",
                transfers,
                policy_version=entry.policy_version,
                now_us=now_us,
                of=Correction(corrects=key),
            )
            held_micro += sum(transfer.amount_micro for transfer in transfers)
    return held_micro


def move_balance(s: Session, decision: Decision, giver: str, taker: str, *, now_us: int) -> int:
    """Move what the account of one author has to another's, who then owes what the first owed.

    Returns the micro-credits that arrived.
    """
    one, other = holder_of(s, giver), holder_of(s, taker)
    account, owed = f"holder:{one}", f"owed:{one}"
    balance_micro, owes_micro = ledger.find_balance(s, account), -ledger.find_balance(s, owed)
    own_micro = min(balance_micro, owes_micro)
    moved = Transfer(account, f"holder:{other}", balance_micro - own_micro, "merge")
    transfers = [
        each
        for each in (Transfer(account, owed, own_micro, "recoup"), moved)
        if each.amount_micro > 0
    ]
    if owes_micro > own_micro:
        rest_micro = owes_micro - own_micro
        transfers += ledger.take_back(s, f"holder:{other}", owed, rest_micro, "recoup")
    _post_merge(s, decision, transfers, now_us)
    return moved.amount_micro


def move_back(s: Session, undo: Decision, undone: Decision, *, now_us: int) -> int:
    """Move back what a merge moved, as far as it is still there; returns micro-credits."""
    entry = ledger.find_entry(s, f"merge:{undone.id}")
    moved = [t for t in entry.transfers if t.reason == "merge"] if entry else []
    if not moved:
        return 0
    amount_micro = min(moved[0].amount_micro, ledger.find_balance(s, moved[0].credit))
    back = Transfer(moved[0].credit, moved[0].debit, amount_micro, "merge")
    _post_merge(s, undo, [back] if amount_micro else [], now_us)
    return amount_micro


def held_micro(s: Session, author_ids: Collection[str]) -> dict[str, int]:
    """Micro-credits held for each of these authors; one for whom nothing is held is left out."""
    ids = frozenset[str]().union(*(ids_of(s, author_id) for author_id in author_ids))
    resolution, found = resolution_of(s, ids), defaultdict[str, int](int)
    said = (TransferRow.author_id, OccurrenceRow.work_id)
    for side, sign in ((TransferRow.credit_account_id, 1), (TransferRow.debit_account_id, -1)):
        query = _of(ids, select(*said, func.sum(TransferRow.amount_micro)), side)
        for author_id, work_id, moved_micro in s.execute(query.group_by(*said)):
            found[resolution.author(author_id, work_id)] += sign * int(moved_micro)
    return {i: micro for i, micro in found.items() if micro and i in author_ids}


def has_micro(s: Session, author_id: str) -> int:
    """Micro-credits in an author's own account."""
    return ledger.find_balance(s, f"holder:{holder_of(s, author_id)}")


def holder_of(s: Session, author_id: str) -> str:
    """The id of the holder that is this author."""
    holder = select(RightsHolderRow.id).where(RightsHolderRow.author_id == author_id)
    return s.scalars(holder).one()


def _held_lines(s: Session, decision: Decision) -> dict[str, list[int]]:
    """The lines that hold, or held, money for what the decision's author said, by entry, oldest
    first; without those of which the decision has paid out already.
    """
    ids = ids_of(s, decision.subject)
    resolution = resolution_of(s, ids)
    columns = (EntryRow.key, TransferRow.position, TransferRow.author_id, OccurrenceRow.work_id)
    # What a dispute gave back is part of the line that it went back to, but for what was kept back.
    kept_back = (TransferRow.reason == "dispute_back") & EntryRow.key.contains(":release:")
    claim, paid = aliased(EntryRow), literal(f"claim:{decision.id}:") + EntryRow.key
    query = (
        _of(ids, select(*columns), TransferRow.credit_account_id)
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .where(or_(TransferRow.reason == HELD, kept_back), ~exists().where(claim.key == paid))
        .order_by(EntryRow.seq, TransferRow.position)
    )
    found = defaultdict[str, list[int]](list)
    for key, position, said_by, work_id in s.execute(query):
        if resolution.author(said_by, work_id) == decision.subject:
            found[key].append(position)
    return found


def _of(ids: Collection[str], query: Query, side: InstrumentedAttribute[int]) -> Query:
    """The lines about these authors with the reserve on a side, and the work each was found in."""
    reserve = select(AccountRow.id).where(AccountRow.code == RESERVE).scalar_subquery()
    context = and_(
        ContextRow.answer_id == TransferRow.answer_id,
        ContextRow.statement_id == TransferRow.statement_id,
    )
    return (
        query.select_from(TransferRow)
        .outerjoin(ContextRow, context)
        .outerjoin(OccurrenceRow, OccurrenceRow.id == ContextRow.occurrence_id)
        .where(side == reserve, TransferRow.author_id.in_(ids))
    )


def _post_merge(s: Session, decision: Decision, transfers: Sequence[Transfer], now_us: int) -> None:
    if transfers:
        version = get_policy_version(s).version
        key = f"merge:{decision.id}"
        ledger.post(s, key, transfers, policy_version=version, now_us=now_us)
