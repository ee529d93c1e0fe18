"""Leaving nothing of deleted rows in the bytes of the database's files."""

import sqlite3
from pathlib import Path

from sqlalchemy import Engine

from store import lexical
from store.engine import database_path, write
from store.erasures import empty_log, overwrite_deleted
from store.errors import StoreBusy, StoreFull

POSTGRES_NOTE = (
    "PostgreSQL keeps old row versions until VACUUM has passed, and their bytes in its files until"
    " VACUUM FULL, which locks each table: have your administrator run it"
)


def compact(engine: Engine) -> Path | None:
    """Rewrite SQLite's file without what was deleted; the path, None on PostgreSQL.

    Readers go on; a writer waits, and gives up after 10 s. Needs as much free space as the file
    has. StoreBusy: somebody reads old pages or writes for too long. StoreFull.
    """
    path = database_path(engine)
    if path is None:
        return None
    with write(engine) as session:
        overwrite_deleted(session)
        lexical.purge(session)
    _vacuum(engine)
    if not empty_log(engine):
        raise StoreBusy("somebody is reading old pages of the database: haozhi delete resume")
    return path


def _vacuum(engine: Engine) -> None:
    """SQLite copies rows inside a page and between pages: only a new file is free of the rest."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA query_only = OFF")
        connection.cursor().execute("VACUUM")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise StoreFull("no space to rewrite the database: haozhi delete resume") from error
        raise StoreBusy("the database is in use: haozhi delete resume, later") from error
    finally:
        connection.close()
