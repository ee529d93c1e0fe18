"""Taking money back: reversals, partial refunds, and what a holder owes when it is gone already.

An entry is never changed. Another entry names it, and each of its lines names the line it undoes.
"""

from dataclasses import replace
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from store.errors import BadInput, HaozhiError
from store.ledger.posting import Correction, EntryConflict, post
from store.ledger.reading import (
    find_balance,
    find_entry,
    get_entry,
    load_entries,
    open_period,
)
from store.policies import get_policy_version
from store.records.ledger import Entry, Transfer
from store.schema import AccountRow, AccountTotalRow, EntryRow
from store.split import split


class AlreadyReversed(HaozhiError):
    """The entry was taken back whole before, or nothing of it remains."""


def remaining(s: Session, key: str) -> dict[int, int]:
    """Micro-credits of each line (by position) not yet refunded, reversed or disputed away.

    NotFound: there is no such entry.
    """
    return _remaining(s, get_entry(s, key))


def reverse(s: Session, key: str, *, now_us: int, memo: str | None = None) -> Entry:
    """Post `reversal:{key}`: all that remains of an entry goes back where it came from, once.

    NotFound: there is no such entry. AlreadyReversed: somebody was first, or nothing remains.
    BadInput: the entry distributes no answer's fee.
    """
    entry = _correctable(s, key)
    if find_entry(s, f"reversal:{key}"):
        raise AlreadyReversed(f"{key} is already reversed; refund what came back to it since")
    left = _remaining(s, entry)
    if not any(left.values()):
        raise AlreadyReversed(f"nothing of {key} remains: all of it was refunded or disputed")
    return post(
        s,
        f"reversal:{key}",
        _lines_back(s, entry, left, "reversal"),
        policy_version=entry.policy_version,
        now_us=now_us,
        of=Correction(reverses=key),
        memo=memo,
    )


def refund(
    s: Session, key: str, amount_micro: int, *, name: str, now_us: int, memo: str | None = None
) -> Entry:
    """Post `refund:{name}:{key}`: a part goes back, from each line by what remains of it.

    The same refund again returns the stored entry. NotFound: there is no such entry. EntryConflict:
    a refund of this name had another amount. BadInput: more than remains, nothing, or an entry that
    distributes no answer's fee.
    """
    if not 0 < len(name) <= 200 or ":" in name or not name.isprintable():
        raise BadInput(f"a refund cannot have the name {name[:40]!r}: use a word without a colon")
    refund_key = f"refund:{name}:{key}"
    if stored := find_entry(s, refund_key):
        refunded_micro = sum(transfer.amount_micro for transfer in stored.transfers)
        if (refunded_micro, stored.memo) != (amount_micro, memo):
            raise EntryConflict(f"{refund_key} is already posted with another amount or note")
        return stored
    entry = _correctable(s, key)
    left = _remaining(s, entry)
    if not 0 < amount_micro <= sum(left.values()):
        most = sum(left.values())
        raise BadInput(f"{amount_micro} micro-credits of {key} cannot be refunded: {most} remain")
    weights = [(str(position), part) for position, part in left.items()]
    parts = {int(line): part for line, part in split(amount_micro, weights, refund_key).items()}
    return post(
        s,
        refund_key,
        _lines_back(s, entry, parts, "refund"),
        policy_version=entry.policy_version,
        now_us=now_us,
        of=Correction(corrects=key),
        memo=memo,
    )


def take_back(
    s: Session, account: str, to: str, amount_micro: int, reason: str, **facts: Any
) -> tuple[Transfer, ...]:
    """The transfers that move an amount out of an account; `facts` are further transfer fields.

    What a holder no longer has is debited from `owed:ID`, to be recouped from later earnings.
    """
    whole = Transfer(account, to, amount_micro, reason, **facts)
    return _with_owed(whole, find_balance(s, account))


def recoup(s: Session, *, now_us: int) -> tuple[Entry, ...]:
    """Post `recoup:{period}:{holder}` for every holder that owes and has money; once a period."""
    period_id, version = open_period(s).id, get_policy_version(s).version
    posted = []
    for holder_id, owed_micro in _owing(s):
        key, account = f"recoup:{period_id}:{holder_id}", f"holder:{holder_id}"
        amount_micro = min(owed_micro, find_balance(s, account))
        if amount_micro and not find_entry(s, key):
            paid = Transfer(account, f"owed:{holder_id}", amount_micro, "recoup")
            posted.append(post(s, key, [paid], policy_version=version, now_us=now_us))
    return tuple(posted)


def owed_code(account: str) -> str | None:
    """The account of what the holder of this account must give back; None for no holder's."""
    kind, _, holder_id = account.partition(":")
    return f"owed:{holder_id}" if kind == "holder" else None


def taken_micro(change: Transfer, original: Transfer) -> int:
    """What a correcting line took from the line that it names; negative when it gave back."""
    payee = {original.credit, owed_code(original.credit)}
    if (change.debit in payee) == (change.credit in payee):
        return 0  # it moves money that another line took, or within what the payee has and owes
    return change.amount_micro if change.debit in payee else -change.amount_micro


def _remaining(s: Session, entry: Entry) -> dict[int, int]:
    left = {line: transfer.amount_micro for line, transfer in enumerate(entry.transfers)}
    changed = or_(EntryRow.reverses == entry.key, EntryRow.corrects == entry.key)
    for change in load_entries(s, changed):
        for transfer in change.transfers:
            if transfer.line is not None:
                left[transfer.line] -= taken_micro(transfer, entry.transfers[transfer.line])
    return left


def _correctable(s: Session, key: str) -> Entry:
    entry = get_entry(s, key)
    # What a correction, a hold or a recoupment moved has its own way back; taken back here, money
    # would come into a holder's account for which a credit report has no column.
    if not key.startswith("answer:"):
        raise BadInput(f"only the entry of an answer is taken back, and {key} is another")
    return entry


def _lines_back(
    s: Session, entry: Entry, amounts: dict[int, int], reason: str
) -> tuple[Transfer, ...]:
    """Each amount of a line back where it came from; what payees no longer have, they owe."""
    has: dict[str, int] = {}
    found: list[Transfer] = []
    for line, amount_micro in amounts.items():
        original = entry.transfers[line]
        account = original.credit
        back = replace(
            original,
            debit=account,
            credit=original.debit,
            amount_micro=amount_micro,
            reason=reason,
            line=line,
        )
        parts = _with_owed(back, has.setdefault(account, find_balance(s, account)))
        has[account] -= sum(part.amount_micro for part in parts if part.debit == account)
        found += parts
    return tuple(found)


def _with_owed(whole: Transfer, has_micro: int) -> tuple[Transfer, ...]:
    """The transfer, divided where its debit account is a holder's and has less."""
    owed = owed_code(whole.debit)
    here = whole.amount_micro if owed is None else min(whole.amount_micro, has_micro)
    parts = [replace(whole, amount_micro=here)]
    if owed is not None:
        parts.append(replace(whole, debit=owed, amount_micro=whole.amount_micro - here))
    return tuple(part for part in parts if part.amount_micro)


def _owing(s: Session) -> list[tuple[str, int]]:
    """Each holder that owes, with the micro-credits."""
    owed_micro = func.sum(AccountTotalRow.out_micro - AccountTotalRow.in_micro)
    query = (
        select(AccountRow.code, owed_micro)
        .join(AccountTotalRow, AccountTotalRow.account_id == AccountRow.id)
        .where(AccountRow.kind == "owed")
        .group_by(AccountRow.code)
        .having(owed_micro > 0)
    )
    return sorted((code.removeprefix("owed:"), int(owed)) for code, owed in s.execute(query))
