"""The tables of the lexical index, which are no models: FTS5 or a tsvector."""

from types import ModuleType

from sqlalchemy import Connection

from store.lexical import postgres, sqlite

#: FTS5 keeps what it needs in tables of its own.
TABLES = frozenset(
    {"lexical", "lexical_terms"}
    | {f"lexical_{part}" for part in ("config", "content", "data", "docsize", "idx")}
)


def create(connection: Connection) -> None:
    """Create the tables, empty."""
    for statement in _module(connection.dialect.name).CREATE:
        connection.exec_driver_sql(statement)


def drop(connection: Connection) -> None:
    """Drop the tables."""
    for statement in _module(connection.dialect.name).DROP:
        connection.exec_driver_sql(statement)


def differences(connection: Connection) -> tuple[str, ...]:
    """One line when the tables are not as `create` makes them; the rows are not looked at."""
    module = _module(connection.dialect.name)
    same = sorted(module.definitions(connection)) == sorted(module.CREATE)
    return () if same else ("the lexical index is not what it should be",)


def _module(name: str) -> ModuleType:
    return sqlite if name == "sqlite" else postgres
