"""Migrated databases: `sqlite_engine`, `postgres_engine`, and `engine`, which runs a test on both.

Each test gets its own copy of a database that was migrated once.
"""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
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


@pytest.fixture
def sqlite_engine(migrated_file: Path, tmp_path: Path) -> Iterator[Engine]:
    """A fresh migrated SQLite database, `haozhi.db` in tmp_path."""
    engine = make_engine(f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'haozhi.db')}")
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a migrated PostgreSQL database that others are copied from."""
    name = f"template{uuid.uuid4().hex}"
    _execute(postgres_server, f"CREATE DATABASE {name}")
    engine = make_engine(postgres_server.format(database=name))
    upgrade(engine)
    engine.dispose()
    return name


@pytest.fixture
def postgres_engine(postgres_server: str, postgres_template: str) -> Iterator[Engine]:
    """A fresh migrated PostgreSQL database."""
    with copied_database(postgres_server, postgres_template) as engine:
        yield engine


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest) -> Engine:
    """A fresh migrated database of each kind."""
    found = request.getfixturevalue(f"{request.param}_engine")
    assert isinstance(found, Engine)
    return found


@contextmanager
def copied_database(server: str, template: str) -> Iterator[Engine]:
    """A copy of a PostgreSQL database, dropped at the end."""
    name = f"t{uuid.uuid4().hex}"
    _execute(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    engine = make_engine(server.format(database=name))
    yield engine
    engine.dispose()
    _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(server: str, statement: str) -> None:
    url = server.format(database="postgres").replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())
