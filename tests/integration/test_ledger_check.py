"""`ledger check` finds whatever was changed behind the ledger's back."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.engine import Engine, database_path, make_engine, read, write
from store.records import Transfer
from store.schema import Base
from tests.stored_books import NOW, Corpus, add_corpus, settle

BOOKED = ("entries", "entry_seals", "transfers")
#: Surrogate numbers that no other row names: they say nothing.
SURROGATES = {("transfers", "id")}
COLUMNS = [
    (table, column.name)
    for table in BOOKED
    for column in Base.metadata.tables[table].columns
    if (table, column.name) not in SURROGATES
]


@pytest.fixture(scope="module")
def settled(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Corpus]:
    """A database file with three settled answers; copy it, never write to it."""
    path = tmp_path_factory.mktemp("settled") / "haozhi.db"
    shutil.copy(migrated_file, path)
    engine = make_engine(f"sqlite:///{path}")
    corpus = add_corpus(engine)
    for number in (1, 2, 3):
        settle(engine, corpus, number)
    engine.dispose()
    return path, corpus


@pytest.fixture
def corpus(settled: tuple[Path, Corpus]) -> Corpus:
    """The corpus of the settled answers."""
    return settled[1]


@pytest.fixture
def books(settled: tuple[Path, Corpus], tmp_path: Path) -> Iterator[Engine]:
    """A copy of the settled database of one's own."""
    engine = make_engine(f"sqlite:///{shutil.copy(settled[0], tmp_path / 'books.db')}")
    yield engine
    engine.dispose()


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


def recount(connection: sqlite3.Connection) -> None:
    """Make the totals what the transfers say now."""
    side = "SELECT {}_account_id, period_id, reason, {}, {}, 1 FROM transfers JOIN entries"
    sides = (("credit", "amount_micro", "0"), ("debit", "0", "amount_micro"))
    moved = " UNION ALL ".join(side.format(*each) + " ON seq = entry_seq" for each in sides)
    connection.execute("DELETE FROM account_totals")
    connection.execute(
        f"WITH moved (account, period, reason, came, went, n) AS ({moved}) INSERT INTO"
        " account_totals SELECT account, period, reason, sum(came), sum(went), sum(n)"
        " FROM moved GROUP BY account, period, reason"
    )


def codes(engine: Engine) -> set[str]:
    """The codes of all differences."""
    with read(engine) as s:
        return {found.code for found in check_ledger(s)}


def flipped(value: Any) -> Any:
    """The value with one bit changed."""
    if isinstance(value, int):
        return value ^ 64
    return "x" if value is None else value[:-1] + chr(ord(value[-1]) ^ 1)


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_changed_column_of_a_booked_row_is_found(
    books: Engine, table: str, column: str
) -> None:
    """A bit of the last row of the ledger's tables cannot change unseen."""
    assert codes(books) == set()
    with intruder(books) as connection:
        last = f'SELECT rowid, "{column}" FROM {table} ORDER BY rowid DESC LIMIT 1'
        ((row, value),) = connection.execute(last).fetchall()
        changed = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?'
        connection.execute(changed, (flipped(value), row))
    assert codes(books)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE transfers SET amount_micro = amount_micro + 1 WHERE id = 1", "sum_differs"),
        ("DELETE FROM transfers WHERE id = 1", "seal_differs"),
        ("DELETE FROM entries WHERE seq = 1", "entry_missing"),
        ("DELETE FROM entries WHERE seq = 2", "entry_lost"),
        ("DELETE FROM entries WHERE seq = 3", "entry_missing"),
        ("DELETE FROM entry_seals WHERE entry_seq = 1", "seal_differs"),
        ("DELETE FROM attributions", "entry_uncalled"),
        ("UPDATE attributions SET tier = 'provisional'", "entry_uncalled"),
        ("UPDATE attributions SET detail = '{}'", "underivable"),
        ("UPDATE answers SET fee_micro = fee_micro + 1", "sum_differs"),
        ("UPDATE answers SET fee_micro = 0", "entry_uncalled"),
        ("UPDATE answers SET policy_version = 7", "underivable"),
        ("UPDATE segments SET weight_ppb = 5 WHERE position = 0", "answer_differs"),
        ("UPDATE pair_rows SET share_ppb = share_ppb + 1 WHERE id = 1", "attribution_differs"),
        ("UPDATE citations SET share_ppb = share_ppb + 1", "attribution_differs"),
        ("UPDATE pair_rows SET statement_id = 77 WHERE id = 1", "dangling"),
        (
            "UPDATE attributions SET unsupported_ppb = 1, disagree_ppb = 149999999",
            "transfers_differ",
        ),
        ("UPDATE accounts SET has_floor = 0 WHERE code = 'reserve:disputed'", "account_differs"),
        ("UPDATE accounts SET code = 'holder:x' WHERE id = 5", "account_differs"),
        ("UPDATE rights_holders SET author_id = NULL", "payee_differs"),
        ("UPDATE entries SET created_us = 5 WHERE seq = 2", "time_differs"),
        ("UPDATE entries SET key = x'ff' WHERE seq = 2", "unreadable"),
        ("UPDATE entries SET period_id = 'May' WHERE seq = 2", "hash_differs"),
    ],
)
def test_each_kind_of_difference_has_its_code(books: Engine, statement: str, code: str) -> None:
    """What was done to the rows is named by a stable code."""
    with intruder(books) as connection:
        connection.execute(statement)
    assert code in codes(books)


def test_money_moved_consistently_between_accounts_is_found(books: Engine, corpus: Corpus) -> None:
    """Crediting B with A's line keeps every sum and both balances, yet not the hash."""
    with intruder(books) as connection:
        connection.execute(
            "UPDATE transfers SET credit_account_id = (SELECT id FROM accounts WHERE holder_id ="
            " (SELECT id FROM rights_holders WHERE author_id = ?)) WHERE author_id = ?",
            (corpus.b, corpus.a),
        )
    assert {"hash_differs", "payee_differs"} <= codes(books)


def test_rehashed_chain_does_not_hide_another_split(books: Engine, corpus: Corpus) -> None:
    """Somebody who posts another split with valid hashes is found by the attribution."""
    answer = corpus.answer(9)
    settle(books, corpus, 9)
    with intruder(books) as connection:
        connection.execute("DELETE FROM transfers WHERE entry_seq = 4")
        connection.execute("DELETE FROM entry_seals WHERE entry_seq = 4")
        connection.execute("DELETE FROM entries WHERE seq = 4")
        recount(connection)
    with write(books) as s:
        all_of_it = Transfer(
            "asker:local",
            "reserve:unattributed",
            10_000,
            "unsupported",
            answer.id,
            None,
            None,
            10**9,
        )
        key = ledger.distribution_key(answer.id)
        ledger.post(s, key, [all_of_it], policy_version=1, now_us=NOW + 50)
    assert codes(books) == {"transfers_differ"}


def test_ledger_tables_refuse_changes(engine: Engine) -> None:
    """With its triggers in place the database lets no booked line be updated or deleted."""
    settle(engine, add_corpus(engine))
    for table in BOOKED:
        (column, *_) = Base.metadata.tables[table].primary_key.columns.keys()
        for statement in (f"UPDATE {table} SET {column} = 9", f"DELETE FROM {table}"):
            with pytest.raises(IntegrityError, match="append-only"), write(engine) as s:
                s.execute(text(statement))
    assert codes(engine) == set()


@pytest.mark.postgres
def test_changed_amount_is_found_on_postgresql(postgres_engine: Engine) -> None:
    """The same check reads PostgreSQL: a superuser's edit is found."""
    settle(postgres_engine, add_corpus(postgres_engine))
    with write(postgres_engine) as s:
        s.execute(text("ALTER TABLE transfers DISABLE TRIGGER ALL"))
        s.execute(text("UPDATE transfers SET amount_micro = amount_micro + 1, statement_id = 99"))
    assert {"hash_differs", "sum_differs", "transfers_differ", "dangling"} <= codes(postgres_engine)
