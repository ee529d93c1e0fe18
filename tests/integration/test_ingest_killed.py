"""An ingest that is killed loses nothing and doubles nothing."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from store.engine import make_engine, read
from tests.ingesting import everything


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few hundred statements in both languages, some of them twice, by four authors."""
    path = tmp_path_factory.mktemp("corpus") / "sums.jsonl"
    records = [
        {"text": f"{a} + {b} = {a + b}。第{a * 16 + b % 15}句。", "author": f"Author {b % 4}"}
        for a in range(10)
        for b in range(16)
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


@dataclass(frozen=True)
class Clean:
    """What a run that nobody disturbs writes, in how many SQL statements and seconds."""

    rows: dict[str, list[tuple[object, ...]]]
    sql_count: int
    seconds: float


@pytest.fixture(scope="module")
def clean(migrated_file: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Clean:
    """One undisturbed run."""
    path = tmp_path_factory.mktemp("clean") / "haozhi.db"
    shutil.copy(migrated_file, path)
    output = subprocess.run(_command(path, corpus, 0), check=True, capture_output=True, text=True)
    _, ran, seconds = output.stdout.split()
    return Clean(everything(make_engine(f"sqlite:///{path}")), int(ran), float(seconds))


def _command(database: Path, corpus: Path, kill_before: int) -> list[str]:
    url = f"sqlite:///{database}"
    return [sys.executable, "-m", "tests.ingesting", url, str(corpus), str(kill_before)]


def _check_invariants(engine: Engine) -> None:
    with read(engine) as s:
        assert s.scalar(text("PRAGMA integrity_check")) == "ok"
        assert s.execute(text("PRAGMA foreign_key_check")).all() == []
        without_vector = "SELECT count(*) FROM statements LEFT JOIN embeddings ON statement_id = id"
        assert s.scalar(text(f"{without_vector} WHERE vector IS NULL")) == 0
        assert s.scalar(text("SELECT count(*) FROM works WHERE state <> 'ingesting'")) == 0


def test_a_kill_before_any_sql_statement_is_made_good(
    sqlite_engine: Engine, tmp_path: Path, corpus: Path, clean: Clean
) -> None:
    """However often a run dies between two SQL statements, the next one goes on from there."""
    chance = random.Random(20)
    step = clean.sql_count // 2 // 16  # going over what is stored takes half the SQL
    for number in range(14):
        kill_before = number * step + chance.randint(1, step)
        command = _command(tmp_path / "haozhi.db", corpus, kill_before)
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        _check_invariants(sqlite_engine)
    subprocess.run(_command(tmp_path / "haozhi.db", corpus, 0), check=True)
    assert everything(sqlite_engine) == clean.rows


def test_a_kill_at_any_time_is_made_good(
    sqlite_engine: Engine, tmp_path: Path, corpus: Path, clean: Clean
) -> None:
    """The same holds for kills from outside at random times, embedding included."""
    chance = random.Random(21)
    for _ in range(6):
        command = _command(tmp_path / "haozhi.db", corpus, 0)
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"started\n"
            time.sleep(chance.uniform(0, clean.seconds / 8))
            process.kill()
        assert process.returncode == -signal.SIGKILL
        _check_invariants(sqlite_engine)
    subprocess.run(_command(tmp_path / "haozhi.db", corpus, 0), check=True)
    assert everything(sqlite_engine) == clean.rows


def test_two_runs_at_once_are_as_good_as_one(
    sqlite_engine: Engine, tmp_path: Path, corpus: Path, clean: Clean
) -> None:
    """Two processes that ingest the same file take turns and both succeed."""
    command = _command(tmp_path / "haozhi.db", corpus, 0)
    runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    assert everything(sqlite_engine) == clean.rows
