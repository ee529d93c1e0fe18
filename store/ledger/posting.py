"""Posting: the transfers of one event become one entry at the end of the chain, exactly once."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, insert, select
from sqlalchemy.orm import Session

from store.chain import GENESIS, entry_body, entry_hash
from store.errors import HaozhiError, NotFound
from store.ledger.reading import balance, get_entry
from store.ledger.spans import MAX_TRANSFERS, first_id
from store.ledger.totals import add_to_totals
from store.records.ledger import Entry, Transfer
from store.schema import AccountRow, Base, EntryRow, EntrySealRow, PeriodRow, TransferRow
from store.validation import MAX_AMOUNT_MICRO

#: Kinds of account that exist as soon as money moves in them.
MADE_WHEN_NEEDED = ("asker", "hold", "owed", "tax", "bank", "platform")
#: Below zero is what an asker or a holder owes.
WITHOUT_FLOOR = ("asker", "owed")


class EntryConflict(HaozhiError):
    """A key is posted already, with other transfers or under another policy."""


@dataclass(frozen=True)
class Correction:
    """What an entry does to another: `reverses` takes it back whole, `corrects` in part."""

    reverses: str | None = None
    corrects: str | None = None


NEW = Correction()


def post(
    s: Session,
    key: str,
    transfers: Sequence[Transfer],
    *,
    policy_version: int,
    now_us: int,
    of: Correction = NEW,
    memo: str | None = None,
) -> Entry:
    """Append an entry in the caller's writing transaction and return it; posted before, the stored.

    `now_us` is moved past the last entry's time, so times ascend along the chain. Accounts are made
    when money first moves in them; those of holders and reserves must be there. `memo` is canonical
    JSON.
    ValueError: no transfers, too many, or one that no ledger can hold. EntryConflict: the key has
    another body. NotFound: no such account. HaozhiError: an account would fall below its floor, or
    an owed account rise above zero.
    """
    transfers = tuple(transfers)
    _require_postable(key, transfers)
    s.flush()
    connection = s.connection()
    end = connection.execute(_END, {"key": key}).one()
    if end.stored:
        said = (transfers, policy_version, of.reverses, of.corrects, memo)
        return _posted_before(get_entry(s, key), said)
    accounts = _accounts(s, connection, transfers)
    entry = Entry(
        key=key,
        hash="",
        policy_version=policy_version,
        transfers=transfers,
        reverses=of.reverses,
        corrects=of.corrects,
        memo=memo,
        **_place(end, now_us),
    )
    entry = replace(entry, hash=entry_hash(entry.prev_hash, entry_body(entry)))
    _insert(connection, entry, accounts)
    add_to_totals(connection, entry, accounts)
    return entry


def _posted_before(entry: Entry, said: tuple[object, ...]) -> Entry:
    stored = (entry.transfers, entry.policy_version, entry.reverses, entry.corrects, entry.memo)
    if stored != said:
        raise EntryConflict(f"ledger entry {entry.key} is already posted with another body")
    return entry


def _place(end: Row[Any], now_us: int) -> dict[str, Any]:
    """The fields that say where in the chain the next entry stands."""
    return {
        "seq": (end.seq or 0) + 1,
        "prev_hash": end.hash or GENESIS,
        "period_id": end.period_id,
        "created_us": now_us if end.seq is None else max(now_us, end.created_us + 1),
    }


# The statements below are built once, on the tables and not on the mapped classes: posting is on
# the path of every answer, and this halves its time.
_ACCOUNTS, _ENTRIES, _PERIODS = (
    Base.metadata.tables[row.__tablename__] for row in (AccountRow, EntryRow, PeriodRow)
)

#: The end of the chain, if there is one, the period that is open, and whether the key is there.
_STORED = exists(select(_ENTRIES.c.seq).where(_ENTRIES.c.key == bindparam("key"))).label("stored")
_END = (
    select(
        _PERIODS.c.id.label("period_id"),
        _ENTRIES.c.seq,
        _ENTRIES.c.hash,
        _ENTRIES.c.created_us,
        _STORED,
    )
    .outerjoin(_ENTRIES, _ENTRIES.c.seq == select(func.max(_ENTRIES.c.seq)).scalar_subquery())
    .where(_PERIODS.c.state == "OPEN")
)
_FIND_ACCOUNTS = select(_ACCOUNTS.c.code, _ACCOUNTS.c.id, _ACCOUNTS.c.kind, _ACCOUNTS.c.has_floor)
_FIND_ACCOUNTS = _FIND_ACCOUNTS.where(_ACCOUNTS.c.code.in_(bindparam("codes", expanding=True)))
_ADD_ACCOUNT = insert(_ACCOUNTS)
_ADD_ENTRY = insert(_ENTRIES)
_ADD_TRANSFERS = insert(TransferRow.__table__)  # type: ignore[arg-type]
_ADD_SEAL = insert(EntrySealRow.__table__)  # type: ignore[arg-type]


def _require_postable(key: str, transfers: Sequence[Transfer]) -> None:
    if not 0 < len(transfers) <= MAX_TRANSFERS:
        raise ValueError(f"entry {key} has {len(transfers)} transfers, not 1..{MAX_TRANSFERS}")
    for transfer in transfers:
        if not 0 < transfer.amount_micro <= MAX_AMOUNT_MICRO:
            raise ValueError(f"entry {key} has an amount of {transfer.amount_micro}")
        if transfer.debit == transfer.credit:
            raise ValueError(f"entry {key} moves money from {transfer.debit} to itself")


def _accounts(s: Session, connection: Connection, transfers: Sequence[Transfer]) -> dict[str, int]:
    """The ids of these transfers' accounts by code; each has room for what moves."""
    codes = {t.debit for t in transfers} | {t.credit for t in transfers}
    known = _known_accounts(connection, codes)
    if unknown := sorted(codes - known.keys()):
        connection.execute(_ADD_ACCOUNT, [_new_account(code) for code in unknown])
        known = _known_accounts(connection, codes)
    moved: Counter[str] = Counter()
    for transfer in transfers:
        moved[transfer.debit] -= transfer.amount_micro
        moved[transfer.credit] += transfer.amount_micro
    for code, amount in moved.items():
        if amount < 0 and known[code].has_floor and balance(s, code) + amount < 0:
            raise HaozhiError(f"account {code} has less than the {-amount} micro-credits to take")
        if amount > 0 and known[code].kind == "owed" and balance(s, code) + amount > 0:
            raise HaozhiError(f"account {code} owes less than the {amount} micro-credits to give")
    return {code: account.id for code, account in known.items()}


def _known_accounts(
    connection: Connection, codes: Collection[str]
) -> dict[str, Row[Any, Any, Any, Any]]:
    found = connection.execute(_FIND_ACCOUNTS, {"codes": list(codes)})
    return {row.code: row for row in found}


def _new_account(code: str) -> dict[str, Any]:
    kind, _, name = code.partition(":")
    if kind not in MADE_WHEN_NEEDED or not name:
        raise NotFound(f"there is no account {code}")
    return {"code": code, "kind": kind, "has_floor": kind not in WITHOUT_FLOOR}


def _insert(connection: Connection, entry: Entry, account_ids: dict[str, int]) -> None:
    head = {name: value for name, value in vars(entry).items() if name != "transfers"}
    connection.execute(_ADD_ENTRY, head | {"seal": entry.seq})
    first, rows = first_id(entry.seq), [dict(vars(transfer)) for transfer in entry.transfers]
    for position, row in enumerate(rows):
        row["debit_account_id"] = account_ids[row.pop("debit")]
        row["credit_account_id"] = account_ids[row.pop("credit")]
        row |= {"id": first + position, "entry_seq": entry.seq, "position": position}
    connection.execute(_ADD_TRANSFERS, rows)
    # Last: the seal's trigger counts the transfers, and no entry commits without its seal.
    connection.execute(_ADD_SEAL, {"entry_seq": entry.seq, "transfer_count": len(rows)})
