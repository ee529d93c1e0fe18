"""Backup and restore: everything comes back and is checked, or nothing appears."""

import json
import shutil
import subprocess
import sys
import tarfile
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from haozhi.accounting.settle import check_ledger
from haozhi.archives import MANIFEST
from haozhi.backup import back_up, restore
from haozhi.cli import app as cli
from haozhi.proofs.keys import ledger_key
from haozhi.settings import Settings, load_settings
from store import copying
from store.engine import Engine, database_path, make_engine, read, write
from store.errors import BadInput, HaozhiError, StoreBusy
from store.figures import figures
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex, stored_index
from tests.signed_books import make_books
from tests.two_works import GEHEIM, make_world


def settings_of(engine: Engine, folder: Path) -> Settings:
    """Settings for this database, with a data folder that has an index and a key."""
    path = database_path(engine)
    url = engine.url.render_as_string(hide_password=False)
    return load_settings(data_dir=path.parent if path else folder, database_url=url)


@pytest.fixture
def settings(engine: Engine, tmp_path: Path) -> Settings:
    """A data folder with statements in two languages, an index, closed books and a signing key."""
    found = settings_of(engine, tmp_path)
    make_books(engine, found.data_dir, periods=1, answers=2)
    make_world(engine, found.index_dir)
    return found


def same_elsewhere(settings: Settings, folder: Path, engine: Engine) -> Settings:
    """The same settings with another data folder and, on PostgreSQL, an empty database."""
    if engine.dialect.name == "sqlite":
        return load_settings(data_dir=folder)
    name = f"restored{uuid.uuid4().hex}"
    with engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(
            text(f"CREATE DATABASE {name}")
        )
    url = engine.url.set(database=name).render_as_string(hide_password=False)
    return settings.model_copy(update={"data_dir": folder, "database_url": url})


@pytest.mark.parametrize("name", ["backup", "backup.tar"])
def test_everything_comes_back(
    engine: Engine, settings: Settings, tmp_path: Path, name: str
) -> None:
    """Rows, books, key and index are those of the moment; nobody else can read the files."""
    target = tmp_path / name
    made = back_up(engine, settings, target)
    assert {each.path.split("/")[0] for each in made.files} >= {"keys", "index"}
    with write(engine) as s:
        s.execute(text("UPDATE works SET title = 'later'"))
    elsewhere = same_elsewhere(settings, tmp_path / "restored", engine)
    done = restore(elsewhere, target)
    assert done.manifest == made
    again = make_engine(elsewhere.database_url)
    with read(again) as s:
        assert figures(s) == made.figures
        assert check_ledger(s) == ()
        assert "later" not in s.execute(text("SELECT title FROM works")).scalars().all()
        assert GEHEIM in s.execute(text("SELECT text FROM statements")).scalars().all()
    key = ledger_key(engine, settings.data_dir)
    assert ledger_key(again, elsewhere.data_dir).public == key.public
    index = stored_index(elsewhere.index_dir)
    assert index is not None
    index.load()
    assert index.count() == made.figures["vectors"]
    modes = {p.stat().st_mode & 0o777 for p in (tmp_path / "restored").rglob("*") if p.is_file()}
    assert modes == {0o600}
    assert (tmp_path / "restored").stat().st_mode & 0o777 == 0o700
    again.dispose()


def test_a_backup_is_of_one_moment_while_others_write(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """A vector written after the database was copied is in the index only: restoring mends that."""
    world = make_world(sqlite_engine, tmp_path / "index")
    settings = settings_of(sqlite_engine, tmp_path)
    with write(sqlite_engine) as s:
        s.execute(text("INSERT INTO clusters (created_us) VALUES (1)"))
        back_up(sqlite_engine, settings, tmp_path / "during")  # a writer does not stop it
    target = tmp_path / "backup"
    back_up(sqlite_engine, settings, target)
    index = FaissIndex(tmp_path / "index", "e", 4)
    with write(sqlite_engine) as s:
        s.execute(text("DELETE FROM embeddings WHERE statement_id = 1"))
    catch_up(sqlite_engine, index)
    assert index.count() == 3
    assert world.secret == 1
    restored = load_settings(data_dir=tmp_path / "restored")
    restore(restored, target)
    found = stored_index(restored.index_dir)
    assert found is not None
    found.load()
    assert found.count() == 4


def spoil_byte(folder: Path) -> None:
    """Change one byte of the database."""
    path = folder / copying.SQLITE_FILE
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def change_manifest(**changes: object) -> Callable[[Path], None]:
    """Write a manifest with other values."""

    def spoil(folder: Path) -> None:
        path = folder / MANIFEST
        found = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({**found, **changes}), encoding="utf-8")

    return spoil


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "a changed byte": (spoil_byte, "is damaged: use another copy"),
    "no database": (lambda folder: (folder / copying.SQLITE_FILE).unlink(), "lacks haozhi.db"),
    "no manifest": (lambda folder: (folder / MANIFEST).unlink(), "it has no backup.json"),
    "no JSON": (lambda folder: (folder / MANIFEST).write_text("{"), "no backup that this"),
    "a list": (lambda folder: (folder / MANIFEST).write_text("[]"), "no backup that this"),
    "a newer format": (change_manifest(format=9), "use that or a newer one"),
    "a newer schema": (change_manifest(revision="9999"), "is unknown here"),
    "a way out": (
        change_manifest(files=[{"path": "../x", "bytes": 1, "sha256": ""}]),
        "names a file",
    ),
    "other figures": (change_manifest(figures={"statements": 99}), "contradicts itself: statem"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "tar"])
def test_a_bad_backup_is_one_line_and_leaves_nothing(
    sqlite_engine: Engine, tmp_path: Path, kind: str, packed: bool
) -> None:
    """Whatever is wrong with it, the message says so and no data folder appears."""
    make_world(sqlite_engine, tmp_path / "index")
    source = tmp_path / "backup"
    back_up(sqlite_engine, settings_of(sqlite_engine, tmp_path), source)
    spoil, message = BAD[kind]
    spoil(source)
    if packed:
        with tarfile.open(tmp_path / "backup.tar", "w") as tar:
            tar.add(source, ".")
            for path in source.rglob("*"):
                tar.add(path, path.relative_to(source).as_posix(), recursive=False)
        source = tmp_path / "backup.tar"
    (tmp_path / "new").mkdir()
    with pytest.raises(HaozhiError, match=message):
        restore(load_settings(data_dir=tmp_path / "new" / "data"), source)
    assert list((tmp_path / "new").iterdir()) == []


def test_other_files_are_no_backup(tmp_path: Path) -> None:
    """A text, half an archive, nothing at all: one line each."""
    (tmp_path / "text.tar").write_text("hello")
    (tmp_path / "empty.tar").touch()
    (tmp_path / "empty").mkdir()
    for name in ("text.tar", "empty.tar", "empty", "none"):
        with pytest.raises(BadInput, match="no backup"):
            restore(load_settings(data_dir=tmp_path / "data"), tmp_path / name)
    assert not (tmp_path / "data").exists()


def test_nothing_is_overwritten(sqlite_engine: Engine, tmp_path: Path) -> None:
    """Neither a backup nor a data folder that is there."""
    settings = settings_of(sqlite_engine, tmp_path)
    for name in ("backup", "backup.tar"):
        back_up(sqlite_engine, settings, tmp_path / name)
        with pytest.raises(BadInput, match="name a new"):
            back_up(sqlite_engine, settings, tmp_path / name)
    with pytest.raises(BadInput, match="is not empty"):
        restore(settings, tmp_path / "backup")
    with pytest.raises(BadInput, match="there is no folder"):
        back_up(sqlite_engine, settings, tmp_path / "none" / "backup.tar")
    other = load_settings(data_dir=tmp_path / "x", database_url=f"sqlite:///{tmp_path}/other.db")
    with pytest.raises(BadInput, match="leave HAOZHI_DATABASE_URL out"):
        restore(other, tmp_path / "backup")


@pytest.mark.postgres
def test_only_an_empty_database_is_filled(
    postgres_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PostgreSQL backup goes into an empty database; without pg_dump the line says what to do."""
    settings = settings_of(postgres_engine, tmp_path / "data")
    back_up(postgres_engine, settings, tmp_path / "backup")
    again = settings.model_copy(update={"data_dir": tmp_path / "again"})
    with pytest.raises(BadInput, match="the database is not empty"):
        restore(again, tmp_path / "backup")
    with pytest.raises(BadInput, match="this backup is of PostgreSQL"):
        restore(load_settings(data_dir=tmp_path / "again"), tmp_path / "backup")
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(HaozhiError, match="pg_dump is not on this machine: install"):
        back_up(postgres_engine, settings, tmp_path / "another")
    assert not (tmp_path / "another").exists()
    assert not (tmp_path / "again").exists()


def test_an_index_that_changes_all_the_time_is_not_copied_in_halves(
    sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that goes away while it is copied is tried again, then said."""
    make_world(sqlite_engine, tmp_path / "index")

    def gone(*_paths: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(shutil, "copyfile", gone)
    with pytest.raises(StoreBusy, match="replaced all the time"):
        back_up(sqlite_engine, settings_of(sqlite_engine, tmp_path), tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


KILLED = """
import os, sys
from pathlib import Path
from haozhi import archives, backup
from haozhi.settings import load_settings
left = int(sys.argv[3])
def dying(of, name):
    real = getattr(of, name)
    def call(*args, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), 9)
        return real(*args, **options)
    setattr(of, name, call)
for of, name in ((archives, "_copy"), (backup, "_upgrade"), (backup, "_verify"),
                 (backup, "make_private")):
    dying(of, name)
backup.restore(load_settings(data_dir=Path(sys.argv[2])), Path(sys.argv[1]))
"""


def test_a_killed_restore_leaves_nothing_that_looks_whole(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """Kill -9 before each step: no data folder; the next try works."""
    make_world(sqlite_engine, tmp_path / "index")
    back_up(sqlite_engine, settings_of(sqlite_engine, tmp_path), tmp_path / "backup")
    data = tmp_path / "data"
    command = [sys.executable, "-c", KILLED, str(tmp_path / "backup"), str(data)]
    for step in range(1, 7):
        done = subprocess.run([*command, str(step)], check=False, capture_output=True)
        assert done.returncode == -9, done.stderr
        assert not data.exists()
    restore(load_settings(data_dir=data), tmp_path / "backup")
    assert (data / "haozhi.db").is_file()


def test_the_commands_say_what_is_in_it(
    sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts, and whether the signing key is in it; one line of JSON; exit 4 for a bad file."""
    make_books(sqlite_engine, tmp_path, periods=1, answers=1)
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    run = CliRunner()
    made = run.invoke(cli, ["backup", str(tmp_path / "b.tar")])
    assert made.exit_code == 0, made.output
    assert "3 statements" in made.stdout
    assert "whoever has the backup can sign" in made.stdout
    assert (tmp_path / "b.tar").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "r"))
    done = run.invoke(cli, ["restore", str(tmp_path / "b.tar"), "--json"])
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["figures"]["entries"] == 1
    again = run.invoke(cli, ["restore", str(tmp_path / "b.tar")])
    assert isinstance(again.exception, BadInput)
