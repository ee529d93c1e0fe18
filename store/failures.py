"""Conditions outside the program (a lock, a full disk, no permission) as one-line errors."""

import sqlite3
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from store.errors import BadInput, HaozhiError, StoreBusy, StoreFull, StoreReadOnly

_BUSY = (StoreBusy, "another process is writing to {}: try again when it has finished")
_READ_ONLY = (StoreReadOnly, "{} cannot be written: check the permissions of it and its folder")
_FULL = (StoreFull, "{} cannot grow: the disk is full or failing; free some space and try again")
_UNREACHABLE = (StoreBusy, "{} cannot be reached or used: check the server and the URL")
_SQLITE: dict[str, tuple[type[HaozhiError], str]] = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": _FULL,
}
_POSTGRES: dict[str, tuple[type[HaozhiError], str]] = {
    "55P03": _BUSY,  # lock_not_available
    "40": _BUSY,  # serialization failure, deadlock
    "25006": _READ_ONLY,
    "53100": _FULL,
    "53": _UNREACHABLE,  # too many connections, out of memory
    "57P": _UNREACHABLE,  # the server is shutting down
    "08": _UNREACHABLE,  # no connection
    "28": _UNREACHABLE,  # not allowed in
    "3D": _UNREACHABLE,  # no such database
}


def database_path(engine: Engine) -> Path | None:
    """The file of a SQLite engine; None for a server."""
    if engine.dialect.name != "sqlite":
        return None
    return Path(engine.url.database or "").absolute()


def is_missing(path: Path | None) -> bool:
    """Whether there is no such file; one that may not be looked at is not missing."""
    if path is None:
        return False
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def as_expected(engine: Engine, error: DBAPIError) -> HaozhiError | None:
    """The one-line error for a condition outside the program; None for anything else."""
    where = engine.url.render_as_string(hide_password=True)
    if isinstance(error.orig, sqlite3.Error):
        path = database_path(engine)
        name = getattr(error.orig, "sqlite_errorname", "")
        if is_missing(path):
            return BadInput(f"there is no database at {path}: run `haozhi db upgrade`")
        if name == "SQLITE_NOTADB":
            return BadInput(f"{path} is not a SQLite database")
        return _by_prefix(name, _SQLITE, str(path))
    no_answer = "08" if isinstance(error, OperationalError) else ""
    return _by_prefix(getattr(error.orig, "sqlstate", None) or no_answer, _POSTGRES, where)


def _by_prefix(
    code: str, table: dict[str, tuple[type[HaozhiError], str]], where: str
) -> HaozhiError | None:
    for prefix, (kind, message) in table.items():
        if code.startswith(prefix):
            return kind(message.format(where))
    return None
