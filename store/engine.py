"""Engines and the two ways to use one: `read` sees a snapshot, `write` is the single writer.

SQLite is opened in autocommit mode and every transaction is begun explicitly, because the driver's
own handling commits before DDL and reads outside a transaction. PostgreSQL takes one advisory lock
per writing transaction, so that writers are serialised on both.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from store.errors import BadInput, HaozhiError
from store.failures import as_expected, database_path, is_missing

# Engine and Session are named here so that callers outside the store can annotate with them
# without importing SQLAlchemy.
__all__ = [
    "Engine",
    "Session",
    "database_path",
    "is_missing",
    "make_engine",
    "migrate",
    "read",
    "write",
]

BUSY_TIMEOUT_S = 10
_WRITER_LOCK = 0x68616F7A6869  # "haozhi"
_PRAGMAS: tuple[tuple[str, str, Any], ...] = (
    ("journal_mode", "WAL", "wal"),
    ("foreign_keys", "ON", 1),
    # REPLACE deletes rows: only with this pragma do the append-only triggers see it.
    ("recursive_triggers", "ON", 1),
    ("synchronous", "FULL", 2),
    ("busy_timeout", str(BUSY_TIMEOUT_S * 1000), BUSY_TIMEOUT_S * 1000),
)


def make_engine(url: str) -> Engine:
    """An engine for `sqlite:///path` (the file must exist, see `store.database.upgrade`) or
    `postgresql://…`; nothing is connected yet.

    Raises BadInput for another kind of URL, for SQLite in memory and for a missing driver.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadInput("the database URL cannot be read: use sqlite:///PATH") from None
    if parsed.get_backend_name() == "sqlite":
        return _sqlite_engine(parsed)
    if parsed.get_backend_name() == "postgresql":
        return _postgres_engine(parsed.set(drivername="postgresql+psycopg"))
    raise BadInput(
        f"{parsed.drivername} is not supported: use sqlite:///PATH or postgresql://HOST/NAME"
    )


@contextmanager
def read(engine: Engine) -> Iterator[Session]:
    """A session on one consistent snapshot; writing in it is refused by the database."""
    with _session(engine, writing=False) as session:
        yield session


@contextmanager
def write(engine: Engine) -> Iterator[Session]:
    """The session of the only writer: commits when the block ends, rolls back when it raises.

    Raises StoreBusy when another writer does not finish within 10 s, StoreReadOnly, StoreFull.
    """
    with _session(engine, writing=True) as session:
        yield session


@contextmanager
def migrate(engine: Engine) -> Iterator[Session]:
    """As `write`, for changes of the schema: SQLite rebuilds a table by dropping the old one, which
    its foreign keys would refuse, so they are checked once, before the commit.
    """
    with _session(engine, writing=True, haozhi_migrating=True) as session:
        yield session
        if session.connection().dialect.name == "sqlite":
            dangling = session.connection().exec_driver_sql("PRAGMA foreign_key_check").first()
            assert dangling is None, f"the migration left a dangling row: {dangling}"


@contextmanager
def _session(engine: Engine, *, writing: bool, **options: bool) -> Iterator[Session]:
    try:
        with engine.connect() as connection:
            connection.execution_options(haozhi_writing=writing, **options)
            with Session(connection, expire_on_commit=False) as session, session.begin():
                session.connection()  # begins now: a writer waits here, not halfway
                yield session
    except DBAPIError as error:
        expected = as_expected(engine, error)
        if expected is None:
            raise
        raise expected from error


def _sqlite_engine(url: URL) -> Engine:
    if not url.database or url.database.startswith((":memory:", "file:")) or url.query:
        raise BadInput("SQLite needs a plain file: use sqlite:///PATH (:memory: is not supported)")
    # mode=rw: reading with a wrong path must not leave an empty database behind.
    address = Path(url.database).absolute().as_uri() + "?mode=rw"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            address,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_S,
        )

    engine = create_engine(url, creator=connect)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    for name, value, expected in _PRAGMAS:
        _patiently(connection, f"PRAGMA {name} = {value}")
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != expected:
            raise HaozhiError(f"SQLite did not take {name} = {value} (it is {found})")


def _patiently(connection: sqlite3.Connection, pragma: str) -> None:
    """Run a pragma, waiting as long as a writer would.

    SQLite does not apply its busy timeout to the change into WAL, which the first connections to a
    new file all try to make.
    """
    deadline = monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute(pragma)
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    writing, migrating = options.get("haozhi_writing"), options.get("haozhi_migrating")
    connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if writing else 'ON'}")
    connection.exec_driver_sql(f"PRAGMA foreign_keys = {'OFF' if migrating else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgres_engine(url: URL) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ImportError:
        raise BadInput(
            "the PostgreSQL driver is not installed: pip install 'haozhi[postgres]'"
        ) from None
    event.listen(engine, "begin", _begin_postgres)
    return engine


def _begin_postgres(connection: Connection) -> None:
    if connection.get_execution_options().get("haozhi_writing", False):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_TIMEOUT_S}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER_LOCK})")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
