"""Migrated databases: `sqlite_engine`, `postgres_engine`, and `engine`, which runs a test on both.

Each test gets its own copy of a database that was migrated once. The engines are kept, and with
them what SQLAlchemy compiled: to compile it anew took a third of a test's time.
"""

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine

from store.database import upgrade
from store.engine import make_engine


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file at the newest revision; copy it, never write to it."""
    path = tmp_path_factory.mktemp("migrated") / "haozhi.db"
    engine = make_engine(f"sqlite:///{path}")
    upgrade(engine)
    engine.dispose()
    return path


#: Opens a copy of a SQLite file, `haozhi.db` in a folder; one at a time.
OpenCopy = Callable[[Path, Path], AbstractContextManager[Engine]]


@pytest.fixture(scope="session")
def open_copy(tmp_path_factory: pytest.TempPathFactory) -> OpenCopy:
    """The kept engine opens a link, which leads to the folder of whichever copy is open."""
    link = tmp_path_factory.mktemp("open") / "folder"
    kept = make_engine(f"sqlite:///{link}/haozhi.db")

    @contextmanager
    def opened(original: Path, folder: Path) -> Iterator[Engine]:
        for log in folder.glob("haozhi.db-*"):  # of an earlier copy in this folder
            log.unlink()
        shutil.copy(original, folder / "haozhi.db")
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
        try:
            yield _of_one_test(kept)
        finally:
            kept.dispose()

    return opened


@pytest.fixture
def sqlite_engine(migrated_file: Path, open_copy: OpenCopy, tmp_path: Path) -> Iterator[Engine]:
    """A fresh migrated SQLite database, `haozhi.db` in tmp_path."""
    with open_copy(migrated_file, tmp_path) as engine:
        yield engine


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a migrated PostgreSQL database that others are copied from."""
    name = f"template{uuid.uuid4().hex}"
    _execute(postgres_server, f"CREATE DATABASE {name}")
    engine = make_engine(postgres_server.format(database=name))
    upgrade(engine)
    engine.dispose()
    return name


@pytest.fixture(scope="session")
def kept_postgres_engine(postgres_server: str) -> Engine:
    """The engine of `postgres_engine`, without a database between tests."""
    return make_engine(postgres_server.format(database=f"t{uuid.uuid4().hex}"))


@pytest.fixture
def postgres_engine(
    postgres_server: str, postgres_template: str, kept_postgres_engine: Engine
) -> Iterator[Engine]:
    """A fresh migrated PostgreSQL database."""
    with copied_database(postgres_server, postgres_template, kept_postgres_engine) as engine:
        yield engine


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest) -> Engine:
    """A fresh migrated database of each kind."""
    found = request.getfixturevalue(f"{request.param}_engine")
    assert isinstance(found, Engine)
    return found


@contextmanager
def copied_database(server: str, template: str, engine: Engine) -> Iterator[Engine]:
    """A copy of a PostgreSQL database, dropped at the end; the engine says what it is called."""
    name = engine.url.database
    _execute(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield _of_one_test(engine)
    finally:
        engine.dispose()
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def _of_one_test(kept: Engine) -> Engine:
    """The same engine, but what a test makes it listen to ends with the test."""
    return kept.execution_options()


def _execute(server: str, statement: str) -> None:
    url = server.format(database="postgres").replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())
