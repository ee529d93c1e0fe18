"""Whoever changes a row of the books behind their back is found by `ledger check`."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Boolean

from haozhi.accounting.settle import check_ledger
from store.engine import read
from store.schema import Base
from tests.fixtures_store import OpenCopy
from tests.full_books import make_full_books
from tests.signed_books import intruder

TABLES = (
    "entries",
    "entry_seals",
    "transfers",
    "accounts",
    "account_totals",
    "policies",
    "policy_proposals",
    "credit_reports",
    "credit_report_statements",
    "checkpoints",
    "disputes",
    "dispute_closings",
    "payouts",
    "payout_batches",
    "payout_events",
    "payout_files",
    "acts",
    "audits",
    "author_decisions",
    "author_decision_works",
    "common_knowledge",
    "erasures",
    "periods",
    "signing_keys",
)
COLUMNS = [
    (table, column.name) for table in TABLES for column in Base.metadata.tables[table].columns
]
#: The number of an account without a line is named by no row, so that nothing can follow from it.
NAMED = {("accounts", "id"): "WHERE id IN (SELECT account_id FROM account_totals)"}
#: Rows tried of each column.
MOST_ROWS = 2


@dataclass(frozen=True)
class Books:
    """Full books without triggers, to be copied and changed."""

    original: Path
    folder: Path
    open_copy: OpenCopy

    def codes(self, change: Callable[[sqlite3.Connection], object]) -> set[str]:
        """What the check finds in a copy that somebody changed whom no rule stops."""
        with self.open_copy(self.original, self.folder) as engine:
            with closing(sqlite3.connect(self.folder / "haozhi.db")) as connection, connection:
                connection.execute("PRAGMA ignore_check_constraints = ON")
                change(connection)
            with read(engine) as s:
                return {difference.code for difference in check_ledger(s)}

    def rows(self, query: str) -> list[Any]:
        """What is in the original."""
        with closing(sqlite3.connect(self.original)) as connection:
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def books(
    migrated_file: Path, open_copy: OpenCopy, tmp_path_factory: pytest.TempPathFactory
) -> Books:
    """Books in which everything has happened once."""
    folder = tmp_path_factory.mktemp("full")
    with open_copy(migrated_file, folder) as engine:
        make_full_books(engine, folder)
        with intruder(engine):
            pass  # the triggers are gone for good
    return Books(folder / "haozhi.db", tmp_path_factory.mktemp("changed"), open_copy)


def test_full_books_are_whole(books: Books) -> None:
    """Nothing is found in books that nobody changed."""
    assert books.codes(lambda _: None) == set()


def changed(value: Any, is_flag: bool, chance: Random) -> Any:
    """The value with one bit or character changed; something for nothing."""
    if value is None:
        return chance.choice(["x", 1])
    if isinstance(value, int):
        return value ^ (1 if is_flag else 1 << chance.randrange(20))
    place = chance.randrange(len(value))
    if isinstance(value, bytes):
        flipped = bytes([value[place] ^ (1 << chance.randrange(8))])
        return value[:place] + flipped + value[place + 1 :]
    other = chance.choice([c for c in "abcdefxyz0123456789" if c != value[place].lower()])
    return value[:place] + other + value[place + 1 :]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_changed_value_is_found(books: Books, table: str, column: str) -> None:
    """One bit or character of any value of any row cannot change unseen."""
    chance = Random(f"{table}.{column}")
    named = NAMED.get((table, column), "")
    rows = books.rows(f'SELECT rowid, "{column}" FROM {table} {named} ORDER BY rowid')
    is_flag = isinstance(Base.metadata.tables[table].c[column].type, Boolean)
    for row, value in chance.sample(rows, min(len(rows), MOST_ROWS)):
        other = changed(value, is_flag, chance)
        done: list[int] = []

        def change(
            connection: sqlite3.Connection, other: Any = other, row: int = row, done: Any = done
        ) -> None:
            update = f'UPDATE OR IGNORE {table} SET "{column}" = ? WHERE rowid = ?'
            done.append(connection.execute(update, (other, row)).rowcount)

        # Nothing was done where the value must be unique and another row has it.
        assert books.codes(change) or done == [0], (value, other)


@pytest.mark.parametrize("table", TABLES)
def test_a_lost_row_is_found(books: Books, table: str) -> None:
    """No row of these tables can be taken out unseen."""
    rows = books.rows(f"SELECT rowid FROM {table} ORDER BY rowid")
    row = Random(table).choice(rows)
    lost = f"DELETE FROM {table} WHERE rowid = ?"
    assert books.codes(lambda connection: connection.execute(lost, row))


def test_a_transfer_and_both_totals_changed_together_are_found(books: Books) -> None:
    """Every sum and balance still agrees, and yet the entry is not what was hashed and signed."""

    def change(connection: sqlite3.Connection) -> None:
        facts = "id, debit_account_id, credit_account_id, reason"
        line = connection.execute(f"SELECT {facts} FROM transfers ORDER BY id LIMIT 1").fetchone()
        more = "UPDATE transfers SET amount_micro = amount_micro + 7 WHERE id = ?"
        connection.execute(more, line[:1])
        for account, side in ((line[1], "out"), (line[2], "in")):
            connection.execute(
                f"UPDATE account_totals SET {side}_micro = {side}_micro + 7"
                " WHERE account_id = ? AND period_id = 1 AND reason = ?",
                (account, line[3]),
            )

    codes = books.codes(change)
    assert {"hash_differs", "sum_differs", "signed_report_differs"} <= codes
    assert "totals_differ" not in codes
