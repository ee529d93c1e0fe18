"""Books whose periods were signed, and the exports of their reports, for the tests of proofs."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from haozhi.proofs.export import SignedReport, export_proofs, read_entries, report_leaf
from haozhi.proofs.keys import LedgerKey, ledger_key
from haozhi.proofs.notes import build_checkpoint, sign_note
from haozhi.proofs.verify import COLUMNS
from store import checkpoints, ledger
from store.chain import canonical
from store.checkpoints import Checkpoint
from store.engine import Engine, Session, database_path, read, write
from store.schema import PeriodRow
from tests.stored_books import NOW, Corpus, account_of, add_corpus, settle


@dataclass(frozen=True)
class SignedBooks:
    """A database with closed periods, the key that signed them, and the accounts of A and B."""

    engine: Engine
    key: LedgerKey
    corpus: Corpus

    @property
    def accounts(self) -> tuple[str, str]:
        """The accounts whose reports are signed, in the order of their leaves."""
        with read(self.engine) as s:
            return account_of(s, self.corpus.a), account_of(s, self.corpus.b)


def make_books(engine: Engine, data_dir: Path, periods: int, answers: int) -> SignedBooks:
    """Periods with so many paid answers each, signed and closed; one more is open."""
    books = SignedBooks(engine, ledger_key(engine, data_dir), add_corpus(engine))
    for period_id in range(1, periods + 1):
        for number in range(answers):
            settle(engine, books.corpus, period_id * 1000 + number)
        sign_period(books, period_id)
    return books


def sign_period(books: SignedBooks, period_id: int) -> Checkpoint:
    """Sign the checkpoint of the open period, close it and open the next."""
    with write(books.engine) as s:
        history = checkpoints.list_checkpoints(s)
        size = checkpoints.last_seq(s, period_id)
        checkpoint = build_checkpoint(
            books.key,
            period_id=period_id,
            entry_leaves=tuple(checkpoints.entry_leaves(s, size)),
            report_leaves=[leaf_of(s, code, period_id) for code in books.accounts],
            previous_note=history[-1].note if history else None,
            audited=0,
            largest_ppb=None,
        )
        now_us = NOW + period_id * 1_000_000
        checkpoints.add_checkpoint(s, checkpoint, now_us=now_us)
        closed = update(PeriodRow).where(PeriodRow.id == period_id)
        s.execute(closed.values(state="CLOSED", closed_us=now_us))
        s.execute(insert(PeriodRow).values(id=period_id + 1, state="OPEN", opened_us=now_us))
    return checkpoint


def export(
    books: SignedBooks,
    folder: Path,
    period_id: int,
    history: Sequence[Checkpoint] | None = None,
) -> tuple[str, ...]:
    """Export A's report of a period from the rows as they are; what the verification finds."""
    with read(books.engine) as s:
        history = history or checkpoints.list_checkpoints(s, period_id)
        code = books.accounts[0]
        report, lines = report_of(s, code, period_id)
        return export_proofs(
            folder,
            public=books.key.public,
            history=history,
            entries=read_entries(s, history[-1].tree_size),
            report=SignedReport(
                report=report,
                lines=lines,
                salt=salt_of(code, period_id),
                leaves=[leaf_of(s, each, period_id) for each in books.accounts],
                index=0,
            ),
        )


def resign(books: SignedBooks, period_id: int, previous: str | None) -> Checkpoint:
    """A checkpoint of the rows as they are that claims to follow any other: what a cheat signs."""
    with read(books.engine) as s:
        checkpoint = build_checkpoint(
            books.key,
            period_id=period_id,
            entry_leaves=[
                leaf.data for leaf in checkpoints.read_leaves(s, checkpoints.last_seq(s, period_id))
            ],
            report_leaves=[leaf_of(s, code, period_id) for code in books.accounts],
            previous_note=None,
            audited=0,
            largest_ppb=None,
        )
    if previous is None:
        return checkpoint
    text = checkpoint.note.partition("\n\n")[0] + "\n"
    text = text.replace("previous none", f"previous {sha256(previous.encode()).hexdigest()}")
    return replace(checkpoint, note=sign_note(books.key, text))


def salt_of(code: str, period_id: int) -> str:
    """A salt that is the same each time, as a stored one is."""
    return sha256(f"{code} {period_id}".encode()).hexdigest()


def leaf_of(s: Session, code: str, period_id: int) -> bytes:
    """The leaf of a report."""
    report, lines = report_of(s, code, period_id)
    return report_leaf(salt_of(code, period_id), report, sha256(b"".join(lines)).hexdigest())


def report_of(s: Session, code: str, period_id: int) -> tuple[bytes, list[bytes]]:
    """The canonical bytes of a small credit report, and its lines."""
    lines = []
    columns = dict.fromkeys(COLUMNS, 0)
    for line in ledger.lines(s, code, period_id):
        found = {name: None if v is None else str(v) for name, v in vars(line).items()}
        found["entry_hash"] = ledger.get_entry(s, line.entry_key).hash
        lines.append(json.dumps(found, sort_keys=True).encode() + b"\n")
        for column, (sign, reasons) in COLUMNS.items():
            if line.reason in reasons.split():
                columns[column] += sign * line.amount_micro
    closing_micro = ledger.balance(s, code, before_period=period_id + 1)
    report: dict[str, Any] = {
        "holder_id": code.removeprefix("holder:"),
        "period_id": str(period_id),
        "opened_us": str(period_id),
        "closed_us": str(period_id + 1),
        "opening_micro": str(ledger.balance(s, code, before_period=period_id)),
        "closing_micro": str(closing_micro),
        "payable_micro": str(closing_micro),
        "carried_micro": "0",
        "held_micro": "0",
    }
    return canonical(report | {f"{name}_micro": str(v) for name, v in columns.items()}), lines


@contextmanager
def intruder(engine: Engine) -> Iterator[sqlite3.Connection]:
    """A connection of somebody who owns the file: no triggers, no keys, no checks."""
    path = database_path(engine)
    assert path is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.commit()
        connection.execute("PRAGMA ignore_check_constraints = ON")
        yield connection
