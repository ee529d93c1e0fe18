"""Migrating, also by two processes at once, and noticing every kind of drift."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from store import triggers
from store.database import check, is_current, upgrade
from store.engine import make_engine, write
from store.errors import StoreReadOnly


def _execute(engine: Engine, *statements: str) -> None:
    with write(engine) as s:
        for statement in statements:
            s.execute(text(statement))


def test_upgrade_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    """A fresh machine needs nothing but `upgrade`; asking whether it is current makes nothing."""
    path = tmp_path / "a folder with 100% of 空格" / "haozhi.db"
    engine = make_engine(f"sqlite:///{path}")
    assert not is_current(engine)
    assert not path.parent.exists()
    upgrade(engine)
    assert is_current(engine)
    assert check(engine) == ()


def test_upgrade_twice_is_upgrade_once(engine: Engine) -> None:
    """A database at the newest revision is left as it is, with one open period."""
    upgrade(engine)
    with write(engine) as s:
        assert s.execute(text("SELECT count(*) FROM periods")).scalar() == 1


@pytest.mark.parametrize("attempt", range(3))
def test_two_processes_upgrade_at_the_same_time(tmp_path: Path, attempt: int) -> None:
    """One migrates a fresh file, the other waits; both succeed and nothing is there twice."""
    url = f"sqlite:///{tmp_path}/{attempt}/haozhi.db"
    program = (
        "import sys; from store.database import upgrade; from store.engine import make_engine\n"
        "print('ready', flush=True); sys.stdin.readline(); upgrade(make_engine(sys.argv[1]))"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    engine = make_engine(url)
    assert check(engine) == ()
    with write(engine) as s:
        assert s.execute(text("SELECT count(*) FROM accounts")).scalar() == 4


def test_failed_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration that fails at its end takes back the tables too, and can be run again."""
    engine = make_engine(f"sqlite:///{tmp_path}/haozhi.db")
    with monkeypatch.context() as patch:
        patch.setattr(triggers, "install", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            upgrade(engine)
    with write(engine) as s:
        assert s.execute(text("SELECT count(*) FROM sqlite_master")).scalar() == 0
    upgrade(engine)
    assert check(engine) == ()


def test_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    """A data folder below a file is a clear error, not a traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreReadOnly, match="cannot be created"):
        upgrade(make_engine(f"sqlite:///{tmp_path}/file/haozhi.db"))


def test_old_database_says_what_to_do(engine: Engine) -> None:
    """A database at another revision is not current, and the check names the command."""
    _execute(engine, "UPDATE alembic_version SET version_num = '0000'")
    assert not is_current(engine)
    assert "haozhi db upgrade" in check(engine)[0]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("DROP INDEX ix_transfers_author_id", "ix_transfers_author_id"),
        ("ALTER TABLE jobs ADD COLUMN extra INTEGER", "extra"),
        ("ALTER TABLE works DROP COLUMN licence", "licence"),
        ("DROP TABLE grants", "grants"),
        ("CREATE TABLE extra (id INTEGER)", "extra"),
    ],
)
def test_drift_of_tables_is_named(engine: Engine, statement: str, found: str) -> None:
    """A table, column or index that differs from the models is one line that names it."""
    _execute(engine, statement)
    assert found in " ".join(check(engine))


def test_drift_of_sqlite_triggers_is_named(sqlite_engine: Engine) -> None:
    """Missing, changed and unknown triggers each get their line."""
    _execute(
        sqlite_engine,
        "DROP TRIGGER entries_no_update",
        "DROP TRIGGER transfers_open",
        "CREATE TRIGGER transfers_open BEFORE INSERT ON transfers BEGIN SELECT 1; END",
        "CREATE TRIGGER extra BEFORE INSERT ON jobs BEGIN SELECT 1; END",
    )
    assert check(sqlite_engine) == (
        "trigger entries_no_update is missing",
        "trigger extra is unknown",
        "trigger transfers_open is changed",
    )


@pytest.mark.postgres
def test_drift_of_postgres_triggers_is_named(postgres_engine: Engine) -> None:
    """Missing, disabled and weakened triggers are noticed on PostgreSQL as well."""
    _execute(
        postgres_engine,
        "DROP TRIGGER entries_no_change ON entries",
        "ALTER TABLE transfers DISABLE TRIGGER transfers_open",
        "CREATE OR REPLACE FUNCTION haozhi_refuse() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NEW; END'",
    )
    assert check(postgres_engine) == (
        "trigger entries_no_change is missing",
        "trigger transfers_open is changed",
        "function haozhi_refuse is changed",
    )


def test_drift_of_checks_is_named(sqlite_engine: Engine) -> None:
    """A CHECK constraint whose condition was weakened in place is noticed."""
    _execute(
        sqlite_engine,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'amount_micro > 0', 'amount_micro > -9')",
    )
    sqlite_engine.dispose()
    assert check(sqlite_engine) == ("check ck_transfers_amount of transfers differs",)


@pytest.mark.postgres
def test_missing_check_is_named_on_postgres(postgres_engine: Engine) -> None:
    """A CHECK constraint that is gone is noticed on PostgreSQL."""
    _execute(postgres_engine, "ALTER TABLE transfers DROP CONSTRAINT ck_transfers_amount")
    assert check(postgres_engine) == ("check ck_transfers_amount of transfers differs",)


def test_foreign_keys_hold(engine: Engine) -> None:
    """A row that points to nothing is refused on both databases."""
    with pytest.raises(DBAPIError, match="(?i)foreign key"):
        _execute(engine, "INSERT INTO work_texts (work_id, text) VALUES ('nobody', 'x')")
