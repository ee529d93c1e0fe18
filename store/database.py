"""Bring a database to the current schema, and tell whether it still is what the models say."""

from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.orm import Session
from sqlalchemy.schema import CheckConstraint

from store import lexical, triggers
from store.engine import database_path, is_missing, migrate, read
from store.errors import StoreReadOnly
from store.schema import Base


def upgrade(engine: Engine) -> None:
    """Migrate to head; a missing SQLite file is created with its folder.

    All of it happens in one writing transaction: a second process waits, then finds nothing to do,
    and a failure leaves the database as it was. Raises StoreBusy, StoreReadOnly, StoreFull.
    """
    path = database_path(engine)
    if path is not None:
        _create_file(path)
    with migrate(engine) as session:
        config = _config()
        config.attributes["connection"] = session.connection()
        command.upgrade(config, "head")


def is_current(engine: Engine) -> bool:
    """Whether the database exists and is at the newest revision; creates nothing."""
    if is_missing(database_path(engine)):
        return False
    with read(engine) as session:
        found = MigrationContext.configure(session.connection()).get_current_heads()
    return found == tuple(ScriptDirectory.from_config(_config()).get_heads())


def revision(engine: Engine) -> str:
    """The revision of the database's schema; '' before the first."""
    with read(engine) as session:
        heads = MigrationContext.configure(session.connection()).get_current_heads()
    return " ".join(heads)


def is_known(revision: str) -> bool:
    """Whether `upgrade` can go on from this revision; one of a newer haozhi is unknown."""
    scripts = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {script.revision for script in scripts}


def check(engine: Engine) -> tuple[str, ...]:
    """One line per difference between the models and the database; empty means none.

    Compared are the revision, tables, columns, indexes, constraints, triggers, and of the lexical
    index its tables and the words of the newest statements.
    """
    if not is_current(engine):
        return ("the database is not at the newest revision: run `haozhi db upgrade`",)
    with read(engine) as session:
        connection = session.connection()
        context = MigrationContext.configure(connection, opts={"include_name": _is_model})
        differences = [str(found) for found in compare_metadata(context, Base.metadata)]
        return (
            *differences,
            *_check_differences(connection),
            *triggers.differences(connection),
            *_lexical_differences(session),
        )


def _lexical_differences(s: Session) -> tuple[str, ...]:
    """Of the tables; where these are as they should be, of the newest statements' words."""
    if found := lexical.schema.differences(s.connection()):
        return found
    words = lexical.verify(s, sample=True)
    return tuple(f"{each.subject}: {each.message}: haozhi index rebuild" for each in words)


def _is_model(name: str | None, kind: str, _parents: object) -> bool:
    """The tables of the lexical index are compared by themselves."""
    return kind != "table" or name not in lexical.schema.TABLES


def _create_file(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be created: {error.strerror}") from error


def _config() -> Config:
    here = Path(__file__).parent
    shipped = here / "_migrations"  # in the wheel; in the source tree it is a top-level folder
    folder = shipped if shipped.is_dir() else here.parent / "migrations"
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def _check_differences(connection: Connection) -> list[str]:
    """Missing, unknown and changed CHECK constraints, which Alembic does not compare.

    Only SQLite keeps a condition as written; PostgreSQL rewords it, so there the name counts.
    """
    inspector = inspect(connection)
    tables = set(inspector.get_table_names()) & Base.metadata.tables.keys()
    found = {
        (name, str(check["name"])): check["sqltext"]
        for name in tables
        for check in inspector.get_check_constraints(name)
    }
    expected = {
        (name, str(constraint.name)): str(constraint.sqltext)
        for name in tables
        for constraint in Base.metadata.tables[name].constraints
        if isinstance(constraint, CheckConstraint)
    }
    worded = connection.dialect.name == "sqlite"
    return [
        f"check {key[1]} of {key[0]} differs"
        for key in sorted(found.keys() | expected.keys())
        if key not in found or key not in expected or (worded and found[key] != expected[key])
    ]
