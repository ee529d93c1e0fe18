"""Transactions, the single writer, and one clear error for what goes wrong outside the program."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

import store.engine
from store.engine import make_engine, read, write
from store.errors import BadInput, HaozhiError, StoreBusy, StoreFull, StoreReadOnly

JOBS = "SELECT count(*) FROM jobs"
ADD_JOB = text(
    "INSERT INTO jobs (id, kind, key, state, payload, attempts, created_us, updated_us)"
    " VALUES (:id, 'k', :id, 'queued', '{}', 0, 0, 0)"
)


def _count(engine: Engine) -> int:
    with read(engine) as s:
        return int(s.execute(text(JOBS)).scalar_one())


def test_write_commits_at_the_end(engine: Engine) -> None:
    """What a write block did is there after it."""
    with write(engine) as s:
        s.execute(ADD_JOB, {"id": "a"})
    assert _count(engine) == 1


def test_write_that_raises_leaves_nothing(engine: Engine) -> None:
    """An exception takes back rows and tables alike: DDL is transactional too."""

    def fail_halfway() -> None:
        with write(engine) as s:
            s.execute(ADD_JOB, {"id": "a"})
            s.execute(text("CREATE TABLE half_done (a INTEGER)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert _count(engine) == 0
    with pytest.raises(DBAPIError, match="half_done"), read(engine) as s:
        s.execute(text("SELECT * FROM half_done"))


def test_read_cannot_write(engine: Engine) -> None:
    """A read block refuses an INSERT, and the next write block is not affected by it."""
    with pytest.raises(StoreReadOnly), read(engine) as s:
        s.execute(ADD_JOB, {"id": "a"})
    with write(engine) as s:
        s.execute(ADD_JOB, {"id": "a"})
    assert _count(engine) == 1


def test_read_sees_one_snapshot(engine: Engine) -> None:
    """A commit in the middle of a read block does not show in it."""
    with read(engine) as s:
        before = s.execute(text(JOBS)).scalar_one()
        with write(engine) as w:
            w.execute(ADD_JOB, {"id": "a"})
        assert s.execute(text(JOBS)).scalar_one() == before
    assert _count(engine) == before + 1


def test_second_writer_waits_then_says_busy(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that finds another one gives up with StoreBusy; readers go on meanwhile."""
    monkeypatch.setattr(store.engine, "BUSY_TIMEOUT_S", 1)
    monkeypatch.setattr(store.engine, "_PRAGMAS", ())
    other = make_engine(engine.url.render_as_string(hide_password=False))
    with write(engine) as s:
        s.execute(ADD_JOB, {"id": "a"})
        assert _count(other) == 0
        with pytest.raises(StoreBusy, match="another process is writing"), write(other):
            raise AssertionError("two writers at once")
    other.dispose()


def test_sqlite_is_opened_with_every_guarantee(sqlite_engine: Engine) -> None:
    """Each connection has WAL, foreign keys, recursive triggers, full sync and a timeout."""
    names = ("journal_mode", "foreign_keys", "recursive_triggers", "synchronous", "busy_timeout")
    with read(sqlite_engine) as s:
        found = [s.execute(text(f"PRAGMA {name}")).scalar() for name in names]
    assert found == ["wal", 1, 1, 2, 10_000]


def test_pragma_that_does_not_take_is_an_error(
    sqlite_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that cannot give a guarantee is not used at all."""
    monkeypatch.setattr(store.engine, "_PRAGMAS", (("foreign_keys", "OFF", 1),))
    with pytest.raises(HaozhiError, match="did not take foreign_keys"), read(sqlite_engine):
        raise AssertionError("opened without foreign keys")


def test_missing_database_is_named_and_not_created(tmp_path: Path) -> None:
    """Reading at a wrong path says which command makes a database and leaves no file."""
    path = tmp_path / "none.db"
    with pytest.raises(BadInput, match="haozhi db upgrade"), read(make_engine(f"sqlite:///{path}")):
        raise AssertionError("opened a missing file")
    assert not path.exists()


def test_file_of_another_kind_is_named(tmp_path: Path) -> None:
    """A file that is no database is bad input, not a traceback."""
    path = tmp_path / "notes.db"
    path.write_text("not a database " * 100)
    with (
        pytest.raises(BadInput, match="not a SQLite database"),
        read(make_engine(f"sqlite:///{path}")),
    ):
        raise AssertionError("opened a text file")


def test_full_disk_is_one_line_and_nothing_half_written(sqlite_engine: Engine) -> None:
    """When the database cannot grow the whole block is taken back."""

    def fill() -> None:
        with write(sqlite_engine) as s:
            pages = s.execute(text("PRAGMA page_count")).scalar_one()
            s.execute(text(f"PRAGMA max_page_count = {pages}"))
            for i in range(1000):
                s.execute(ADD_JOB, {"id": f"{i:0500}"})

    with pytest.raises(StoreFull, match="free some space"):
        fill()
    sqlite_engine.dispose()
    assert _count(sqlite_engine) == 0


READ_ONLY_PROGRAM = """
import os, sys
from store.engine import make_engine, read, write
from store.errors import StoreReadOnly
engine = make_engine(sys.argv[1])
with read(engine):
    pass  # everything is imported before the privileges go
engine.dispose()
if os.geteuid() == 0:
    os.setuid(65534)
try:
    with write(engine):
        pass
except StoreReadOnly as error:
    print(error)
"""


def test_read_only_database_is_one_line(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A writer without permission gets StoreReadOnly (in a process that is not root)."""
    sqlite_engine.dispose()
    tmp_path.chmod(0o555)
    (tmp_path / "haozhi.db").chmod(0o444)
    for folder in list(tmp_path.parents)[:2]:  # pytest makes them for its own user only
        folder.chmod(0o711)
    result = subprocess.run(
        [sys.executable, "-c", READ_ONLY_PROGRAM, str(sqlite_engine.url)],
        capture_output=True,
        text=True,
        check=False,
    )
    tmp_path.chmod(0o755)
    assert (result.stderr, result.returncode) == ("", 0)
    assert "haozhi.db cannot be written" in result.stdout


@pytest.mark.parametrize(
    "url",
    ["sqlite://", "sqlite:///:memory:", "sqlite:////tmp/x?mode=ro", "mysql://h/n", "nonsense"],
)
def test_unusable_url_is_bad_input(url: str) -> None:
    """Only a SQLite file and PostgreSQL are supported; anything else says so at once."""
    with pytest.raises(BadInput, match="sqlite:///PATH"):
        make_engine(url)


def test_password_of_an_unreachable_server_is_not_shown() -> None:
    """The error about a server hides the password of its URL."""
    engine = make_engine("postgresql://u:secret@127.0.0.1:1/x")
    with pytest.raises(StoreBusy, match=r"u:\*\*\*@127.0.0.1:1/x cannot be reached"), read(engine):
        raise AssertionError("connected to nothing")


def test_lock_of_another_program_is_busy(
    sqlite_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock taken outside haozhi (a backup, the sqlite3 shell) is reported in the same way."""
    monkeypatch.setattr(store.engine, "BUSY_TIMEOUT_S", 0)
    monkeypatch.setattr(store.engine, "_PRAGMAS", ())
    shell = sqlite3.connect(str(sqlite_engine.url.database), isolation_level=None)
    shell.execute("BEGIN IMMEDIATE")
    engine = make_engine(str(sqlite_engine.url))
    with pytest.raises(StoreBusy), write(engine):
        raise AssertionError("two writers at once")
    shell.close()
    engine.dispose()
