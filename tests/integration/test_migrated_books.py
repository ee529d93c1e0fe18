"""Books that were written at an older revision stay whole through every later migration."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.database import check, upgrade
from store.engine import make_engine, read

# Written by the code of revision 0001 (tests/stored_books.py there) and dumped by sqlite3.
BOOKS = Path(__file__).parents[1] / "data" / "books-0001.sql"
LAST_HASH = "select hash from entries order by seq desc limit 1"


@pytest.fixture
def old_books(tmp_path: Path) -> Engine:
    """A SQLite database at revision 0001 with four posted answers."""
    path = tmp_path / "haozhi.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(BOOKS.read_text("utf-8"))
    connection.close()
    return make_engine(f"sqlite:///{path}")


def test_old_books_are_whole_after_migrating(old_books: Engine) -> None:
    """Hashes, balances and triggers survive the migration, and the check finds nothing."""
    with old_books.connect() as connection:
        before = connection.execute(text(LAST_HASH)).scalar_one()
        codes = connection.execute(text("select code from accounts order by id")).scalars().all()
    upgrade(old_books)
    assert check(old_books) == ()
    with read(old_books) as s:
        assert check_ledger(s) == ()
        assert s.execute(text(LAST_HASH)).scalar_one() == before
        assert sum(ledger.balance(s, code) for code in codes) == 0
        assert ledger.balance(s, "asker:bob") == -10_000
