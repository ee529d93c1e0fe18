"""Copies of the database: taken while others write, and put into an empty place again."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine, inspect

from store.engine import database_path, read
from store.errors import BadInput, HaozhiError, StoreFull

SQLITE_FILE, POSTGRES_FILE = "haozhi.db", "haozhi.pgdump"


def copy_database(engine: Engine, folder: Path) -> Path:
    """Write all of the database as it is at one moment into a new file of the folder.

    Others read and write meanwhile. HaozhiError: PostgreSQL's pg_dump is missing or fails, and
    how to go on. StoreFull.
    """
    path = database_path(engine)
    if path is not None:
        return _copy_file(path, folder / SQLITE_FILE)
    target = folder / POSTGRES_FILE
    _run(engine, "pg_dump", "--format=custom", "--no-owner", f"--file={target}")
    return target


def load_database(engine: Engine, dump: Path) -> None:
    """Fill an empty PostgreSQL database from a dump, all of it or nothing.

    BadInput: there are tables in it, or it is no PostgreSQL. HaozhiError: pg_restore is missing or
    fails.
    """
    if engine.dialect.name == "sqlite":
        raise BadInput("this backup is of PostgreSQL: set HAOZHI_DATABASE_URL to an empty database")
    with read(engine) as session:
        if inspect(session.connection()).get_table_names():
            raise BadInput("the database is not empty: create a new one and name it")
    options = ("--no-owner", "--exit-on-error", "--single-transaction")
    _run(engine, "pg_restore", *options, f"--dbname={engine.url.database}", str(dump))


def settle_file(path: Path) -> None:
    """Leave a SQLite file that was only read as the one file it was copied to."""
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


def _copy_file(path: Path, target: Path) -> Path:
    """In one step, a snapshot; the copy is one file without a log beside it."""
    try:
        with (
            closing(sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            (found,) = copy.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise StoreFull(f"{target.parent} is full: free some space") from error
        raise HaozhiError(f"{path} cannot be copied: {error}") from error
    if found != "ok":
        raise HaozhiError(f"{path} is damaged ({found}): restore the last good backup")
    return target


def _run(engine: Engine, program: str, *options: str) -> None:
    """Run a program of PostgreSQL on the engine's database; a password is in no process list."""
    found = shutil.which(program)
    if found is None:
        raise HaozhiError(
            f"{program} is not on this machine: install PostgreSQL's client of the server's version"
            " (apt-get install postgresql-client), or copy the database with your own tools"
        )
    url = engine.url
    host = url.host or url.query.get("host")
    names = {"PGHOST": host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    known = {name: str(value) for name, value in names.items() if value}
    command = [found, "--no-password", *options]
    environment = {**os.environ, **known, "PGDATABASE": url.database or ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        raise HaozhiError(f"{program}: {lines[0].removeprefix(f'{program}: ')}")
