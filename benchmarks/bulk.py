"""Rows of answers, attributions and entries, many at a time; posting writes one entry at a time."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Table, insert, select

from store import ledger
from store.chain import entry_body, entry_hash
from store.engine import Session
from store.ledger.spans import first_id
from store.records.answers import Answer, Attribution
from store.records.ledger import Entry, Transfer
from store.schema import AccountRow, Base

Rows = dict[str, list[dict[str, Any]]]


def write_batch(
    s: Session,
    batch: list[tuple[Answer, Attribution, tuple[Transfer, ...]]],
    first: int,
    end: str,
) -> str:
    """Insert a batch whose first entry has this number; returns the hash of the last."""
    accounts = _accounts(s, {f"asker:{answer.asker_id}" for answer, _, _ in batch})
    rows: Rows = {name: [] for name in _ORDER}
    for number, (answer, attribution, transfers) in enumerate(batch, start=first):
        _answer_rows(rows, answer)
        _attribution_rows(rows, attribution, number)
        entry = Entry(
            seq=number,
            key=ledger.distribution_key(answer.id),
            prev_hash=end,
            hash="",
            period_id=1,
            policy_version=answer.policy_version,
            created_us=answer.created_us + 2,
            transfers=transfers,
        )
        entry = replace(entry, hash=entry_hash(end, entry_body(entry)))
        _entry_rows(rows, entry, accounts)
        end = entry.hash
    for name, each in rows.items():
        s.connection().execute(insert(_table(name)), each)
    return end


_ORDER = (
    "answers",
    "context_entries",
    "segments",
    "attributions",
    "support_sets",
    "support_members",
    "signals",
    "pair_rows",
    "citations",
    "entries",
    "transfers",
    "entry_seals",
)


def _table(name: str) -> Table:
    return Base.metadata.tables[name]


def _accounts(s: Session, askers: set[str]) -> dict[str, int]:
    query = select(AccountRow.code, AccountRow.id)
    missing = askers - {code for code, _ in s.execute(query)}
    kind = {"kind": "asker", "has_floor": False}
    if missing:
        s.execute(insert(AccountRow), [{"code": code, **kind} for code in sorted(missing)])
    return dict(s.execute(query).all())


def _answer_rows(rows: Rows, answer: Answer) -> None:
    row = dict(vars(answer))
    parent = {"answer_id": answer.id}
    rows["context_entries"] += ({**vars(part), **parent} for part in row.pop("context"))
    rows["segments"] += ({**vars(part), **parent} for part in row.pop("segments"))
    rows["answers"].append(row)


def _attribution_rows(rows: Rows, attribution: Attribution, number: int) -> None:
    row = dict(vars(attribution))
    rest, supports = row.pop("unattributed"), row.pop("supports")
    parent = {"attribution_id": number}
    for name, field in (("signals", "signals"), ("pair_rows", "pairs"), ("citations", "citations")):
        rows[name] += ({**vars(part), **parent} for part in row.pop(field))
    for support in supports:
        head = {key: value for key, value in vars(support).items() if key != "statement_ids"}
        rows["support_sets"].append({**head, **parent, "id": number})
        rows["support_members"] += (
            {"support_set_id": number, "statement_id": i} for i in support.statement_ids
        )
    row |= {f"{cause}_ppb": part for cause, part in vars(rest).items()}
    rows["attributions"].append(row | {"id": number, "unattributed_ppb": rest.total})


def _entry_rows(rows: Rows, entry: Entry, accounts: dict[str, int]) -> None:
    rows["entries"].append(dict(_head(entry)) | {"seal": entry.seq})
    for position, transfer in enumerate(entry.transfers):
        row = dict(vars(transfer))
        row["debit_account_id"] = accounts[row.pop("debit")]
        row["credit_account_id"] = accounts[row.pop("credit")]
        row["id"] = first_id(entry.seq) + position
        rows["transfers"].append(row | {"entry_seq": entry.seq, "position": position})
    rows["entry_seals"].append({"entry_seq": entry.seq, "transfer_count": len(entry.transfers)})


def _head(entry: Entry) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in vars(entry).items() if name != "transfers")
