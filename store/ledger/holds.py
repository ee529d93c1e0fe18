"""Holds: money set aside for something that happens later, or does not.

The hold NAME is the entry and the account `hold:NAME`. Posting moves all of it on, voiding moves
each line back where it came from; exactly one of them happens.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from store.chain import canonical
from store.errors import BadInput, HaozhiError
from store.ledger.posting import Correction, post
from store.ledger.reading import find_entry, get_entry
from store.records.ledger import Entry, Transfer
from store.schema import AccountRow, EntryRow

#: What the memo of a void says when nobody decided before the hold expired.
TIMEOUT = "timeout"


class HoldEnded(HaozhiError):
    """The hold was posted, voided or has expired, so the other can no longer happen."""


@dataclass(frozen=True)
class Hold:
    """Money set aside. `expires_us`: from then on it can only be voided; None is never."""

    name: str
    state: Literal["pending", "posted", "voided"]
    amount_micro: int
    expires_us: int | None


def get_hold(s: Session, name: str) -> Hold:
    """The hold with this name. NotFound: there is none."""
    return _hold(s, name, get_entry(s, f"hold:{name}"))


def hold(
    s: Session,
    name: str,
    transfers: Sequence[Transfer],
    *,
    policy_version: int,
    now_us: int,
    expires_us: int | None = None,
) -> Entry:
    """Set money aside; each transfer credits `hold:{name}`. The same again: the stored entry.

    BadInput: a name that is empty or ends like another key. ValueError: a transfer elsewhere, or an
    expiry in the past. Otherwise as `post`.
    """
    account = f"hold:{name}"
    if not name or name.endswith((":post", ":void")):
        raise BadInput(f"a hold cannot have the name {name!r}")
    if any(transfer.credit != account for transfer in transfers):
        raise ValueError(f"a transfer of {account} does not credit it")
    memo = None if expires_us is None else _memo(expires_us=str(expires_us))
    if _is_over(s, expires_us, now_us) and not find_entry(s, account):
        raise ValueError(f"{account} expires before it begins")
    return post(s, account, transfers, policy_version=policy_version, now_us=now_us, memo=memo)


def post_hold(s: Session, name: str, transfers: Sequence[Transfer], *, now_us: int) -> Entry:
    """Move all that the hold has on; the same again returns the stored entry.

    NotFound: no such hold. HoldEnded: it was voided, or it has expired. ValueError: a transfer that
    does not debit the hold, or a sum that is not the hold's. EntryConflict: posted otherwise.
    """
    account = f"hold:{name}"
    entry = get_entry(s, account)
    found = _hold(s, name, entry)
    if found.state == "voided":
        raise HoldEnded(f"{account} was voided: its money is back where it came from")
    if any(transfer.debit != account for transfer in transfers):
        raise ValueError(f"a transfer that posts {account} does not debit it")
    if sum(transfer.amount_micro for transfer in transfers) != found.amount_micro:
        raise ValueError(f"{account} is posted whole: {found.amount_micro} micro-credits")
    if found.state == "pending" and _is_over(s, found.expires_us, now_us):
        raise HoldEnded(f"{account} has expired: it can only be voided")
    return post(
        s,
        f"{account}:post",
        transfers,
        policy_version=entry.policy_version,
        now_us=now_us,
        of=Correction(corrects=account),
    )


def void_hold(s: Session, name: str, *, now_us: int, reason: str) -> Entry:
    """Move each line of the hold back where it came from; `reason` is kept in the memo.

    A line keeps its own reason, so a report takes back what it counted. Voided before: the stored
    entry. NotFound: no such hold. HoldEnded: it was posted.
    """
    account = f"hold:{name}"
    if stored := find_entry(s, f"{account}:void"):
        return stored
    entry = get_entry(s, account)
    if find_entry(s, f"{account}:post"):
        raise HoldEnded(f"{account} was posted: its money has moved on")
    back = [
        replace(transfer, debit=account, credit=transfer.debit, line=line)
        for line, transfer in enumerate(entry.transfers)
    ]
    return post(
        s,
        f"{account}:void",
        back,
        policy_version=entry.policy_version,
        now_us=now_us,
        of=Correction(reverses=account),
        memo=_memo(reason=reason),
    )


def expire_holds(s: Session, now_us: int) -> tuple[str, ...]:
    """Void every pending hold whose time is over; returns their names, in order."""
    end = aliased(EntryRow)
    ended = select(end.seq).where(end.key.in_([EntryRow.key + ":post", EntryRow.key + ":void"]))
    query = (
        select(EntryRow.key)
        .join(AccountRow, AccountRow.code == EntryRow.key)
        .where(AccountRow.kind == "hold", EntryRow.memo.is_not(None), ~ended.exists())
    )
    pending = [get_hold(s, key.removeprefix("hold:")) for key in sorted(s.scalars(query))]
    expired = tuple(found.name for found in pending if _is_over(s, found.expires_us, now_us))
    for name in expired:
        void_hold(s, name, now_us=now_us, reason=TIMEOUT)
    return expired


def expiry_of(entry: Entry) -> int | None:
    """When a hold's entry says that it expires. ValueError, KeyError: its memo is no hold's."""
    return None if entry.memo is None else int(json.loads(entry.memo)["expires_us"])


def _hold(s: Session, name: str, entry: Entry) -> Hold:
    state: Literal["pending", "posted", "voided"] = "pending"
    if find_entry(s, f"{entry.key}:post"):
        state = "posted"
    elif find_entry(s, f"{entry.key}:void"):
        state = "voided"
    amount_micro = sum(transfer.amount_micro for transfer in entry.transfers)
    return Hold(name, state, amount_micro, expiry_of(entry))


def _is_over(s: Session, expires_us: int | None, now_us: int) -> bool:
    """By the time that an entry posted now would have: a clock that goes back revives no hold."""
    if expires_us is None:
        return False
    last_us = s.scalar(select(EntryRow.created_us).order_by(EntryRow.seq.desc()).limit(1)) or 0
    return expires_us <= max(now_us, last_us + 1)


def _memo(**said: Any) -> str:
    return canonical(said).decode()
