"""Posting: the transfers of one event become one entry at the end of the chain, exactly once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from store.chain import GENESIS, entry_body, entry_hash
from store.errors import HaozhiError, NotFound
from store.ledger.reading import balance, find_entry, open_period
from store.ledger.totals import add_to_totals
from store.records import Entry, Transfer
from store.schema import AccountRow, EntryRow, EntrySealRow, TransferRow
from store.validation import MAX_AMOUNT_MICRO

#: More lines than any answer has; a limit so that a mistake cannot fill the ledger.
MAX_TRANSFERS = 10_000
#: Kinds of account that exist as soon as money moves in them.
MADE_WHEN_NEEDED = ("asker", "hold", "owed", "tax", "bank", "platform")
#: Below zero is what an asker or a holder owes.
WITHOUT_FLOOR = ("asker", "owed")


class EntryConflict(HaozhiError):
    """A key is posted already, with other transfers or under another policy."""


def distribution_key(answer_id: str) -> str:
    """The permanent natural key of the entry that distributes an answer's fee."""
    return f"answer:{answer_id}:dist:1"


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
    if stored := find_entry(s, key):
        if _said(stored) != (transfers, policy_version, of.reverses, of.corrects, memo):
            raise EntryConflict(f"ledger entry {key} is already posted with another body")
        return stored
    accounts = _accounts(s, transfers, now_us)
    last = s.execute(_LAST).first()
    entry = Entry(
        seq=last.seq + 1 if last else 1,
        key=key,
        prev_hash=last.hash if last else GENESIS,
        hash="",
        period_id=open_period(s).id,
        policy_version=policy_version,
        created_us=max(now_us, last.created_us + 1) if last else now_us,
        transfers=transfers,
        reverses=of.reverses,
        corrects=of.corrects,
        memo=memo,
    )
    entry = replace(entry, hash=entry_hash(entry.prev_hash, entry_body(entry)))
    ids = {code: account.id for code, account in accounts.items()}
    _insert(s, entry, ids)
    add_to_totals(s, entry, ids)
    return entry


def _said(entry: Entry) -> tuple[object, ...]:
    return entry.transfers, entry.policy_version, entry.reverses, entry.corrects, entry.memo


_LAST = (
    select(EntryRow.seq, EntryRow.hash, EntryRow.created_us).order_by(EntryRow.seq.desc()).limit(1)
)


def _require_postable(key: str, transfers: Sequence[Transfer]) -> None:
    if not 0 < len(transfers) <= MAX_TRANSFERS:
        raise ValueError(f"entry {key} has {len(transfers)} transfers, not 1..{MAX_TRANSFERS}")
    for transfer in transfers:
        if not 0 < transfer.amount_micro <= MAX_AMOUNT_MICRO:
            raise ValueError(f"entry {key} has an amount of {transfer.amount_micro}")
        if transfer.debit == transfer.credit:
            raise ValueError(f"entry {key} moves money from {transfer.debit} to itself")


def _accounts(s: Session, transfers: Sequence[Transfer], now_us: int) -> dict[str, AccountRow]:
    """The accounts of these transfers by code, with room for what moves."""
    codes = {t.debit for t in transfers} | {t.credit for t in transfers}
    known = {
        row.code: row for row in s.scalars(select(AccountRow).where(AccountRow.code.in_(codes)))
    }
    for code in sorted(codes - known.keys()):
        kind, _, name = code.partition(":")
        if kind not in MADE_WHEN_NEEDED or not name:
            raise NotFound(f"there is no account {code}")
        known[code] = AccountRow(
            code=code, kind=kind, has_floor=kind not in WITHOUT_FLOOR, created_us=now_us
        )
        s.add(known[code])
    s.flush()
    moved: Counter[str] = Counter()
    for transfer in transfers:
        moved[transfer.debit] -= transfer.amount_micro
        moved[transfer.credit] += transfer.amount_micro
    for code, amount in moved.items():
        if amount < 0 and known[code].has_floor and balance(s, code) + amount < 0:
            raise HaozhiError(f"account {code} has less than the {-amount} micro-credits to take")
        if amount > 0 and known[code].kind == "owed" and balance(s, code) + amount > 0:
            raise HaozhiError(f"account {code} owes less than the {amount} micro-credits to give")
    return known


def _insert(s: Session, entry: Entry, account_ids: dict[str, int]) -> None:
    head = {name: value for name, value in vars(entry).items() if name != "transfers"}
    s.execute(insert(EntryRow), [{**head, "seal": entry.seq}])
    rows = [dict(vars(transfer)) for transfer in entry.transfers]
    for position, row in enumerate(rows):
        row["debit_account_id"] = account_ids[row.pop("debit")]
        row["credit_account_id"] = account_ids[row.pop("credit")]
        row |= {"entry_seq": entry.seq, "position": position}
    s.execute(insert(TransferRow), rows)
    # Last: the seal's trigger counts the transfers, and no entry commits without its seal.
    s.execute(insert(EntrySealRow), [{"entry_seq": entry.seq, "transfer_count": len(rows)}])
