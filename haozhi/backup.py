"""Backup and restore of all that cannot be made again: database, index, keys, settings file."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from haozhi import __version__
from haozhi.accounting.settle import check_ledger
from haozhi.archives import (
    BackupManifest,
    make_private,
    pack,
    stored_file,
    unpack,
    write_manifest,
)
from haozhi.indexing import verify
from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.new_folder import new_folder
from haozhi.settings import Settings
from store import copying, database
from store.clock import now_us
from store.engine import Engine, database_path, make_engine, read
from store.errors import BadInput, HaozhiError, ModelMissing, StoreBusy
from store.figures import figures
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import stored_index
from store.vectors.generations import MANIFEST as INDEX_MANIFEST
from store.vectors.generations import read_manifest

SETTINGS_FILE, INDEX, KEYS = "haozhi.toml", "index", "keys"
ROLES = ("generator", "embedder", "reranker")


@dataclass(frozen=True)
class Restored:
    """What was restored, and the models of the backup that are not here, by role."""

    manifest: BackupManifest
    other_models: dict[str, str]


def back_up(engine: Engine, settings: Settings, target: Path) -> BackupManifest:
    """Write a new folder, or a file when the name ends in `.tar`, while others read and write.

    The keys that sign the ledger are in it: whoever has the backup can sign. BadInput: the target
    is there. HaozhiError: the database cannot be copied. StoreReadOnly, StoreBusy.
    """
    if target.suffix != ".tar":
        with new_folder(target) as draft:
            return _write(engine, settings, draft)
    with tempfile.TemporaryDirectory(dir=_parent(target), prefix=f".{target.name}-") as name:
        manifest = _write(engine, settings, Path(name))
        pack(Path(name), target)
    return manifest


def restore(settings: Settings, source: Path) -> Restored:
    """Put a backup into the data folder that settings name, which must not have anything in it.

    What is restored is compared with the schema, the books, and the index with the vectors; only
    then it appears. BadInput: no or a damaged backup, or a place that is taken. HaozhiError: what
    was restored contradicts itself.
    """
    if not source.exists():
        raise BadInput(f"there is no backup {source}")
    with new_folder(settings.data_dir) as draft:
        manifest = unpack(source, draft)
        with _database(settings, manifest, draft) as engine:
            _upgrade(engine, manifest)
            _verify(engine, draft / INDEX, manifest)
        make_private(draft)
    here = _models(settings)
    other = {r: f for r, f in manifest.models.items() if f is not None and here.get(r) != f}
    return Restored(manifest, other)


def _parent(target: Path) -> Path:
    if not target.parent.is_dir():
        raise BadInput(f"there is no folder {target.parent}")
    return target.parent


def _write(engine: Engine, settings: Settings, draft: Path) -> BackupManifest:
    copied = copying.copy_database(engine, draft)
    _copy_index(settings.index_dir, draft / INDEX)
    for name in (KEYS, SETTINGS_FILE):
        path = settings.data_dir / name
        if path.is_dir():
            shutil.copytree(path, draft / name)
        elif path.is_file():
            shutil.copyfile(path, draft / name)
    snapshot = make_engine(f"sqlite:///{copied}") if database_path(engine) else engine
    with read(snapshot) as session:
        found = figures(session)
    revision = database.revision(snapshot)
    if snapshot is not engine:
        snapshot.dispose()
        copying.settle_file(copied)
    files = sorted(path for path in draft.rglob("*") if path.is_file())
    manifest = BackupManifest(
        haozhi=__version__,
        created_ms=now_us() // 1000,
        database=engine.dialect.name,
        revision=revision,
        figures=found,
        models=_models(settings),
        files=tuple(stored_file(draft, path) for path in files),
    )
    write_manifest(draft, manifest)
    make_private(draft)
    return manifest


def _copy_index(source: Path, target: Path) -> None:
    """The newest generation, whole; a writer may replace it while it is copied."""
    for _ in range(10):
        found = read_manifest(source)
        if found is None:
            return
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(mode=0o700)
        try:
            for name in (INDEX_MANIFEST, *found.files):
                shutil.copyfile(source / name, target / name)
        except FileNotFoundError:
            continue
        if read_manifest(target) == found:
            return
    raise StoreBusy(f"the index in {source} is replaced all the time: try again")


def _models(settings: Settings) -> dict[str, str | None]:
    """The fingerprints of the models that settings name, by role; None: not installed."""
    return {role: _fingerprint(getattr(settings, role), settings) for role in ROLES}


def _fingerprint(name: str | None, settings: Settings) -> str | None:
    try:
        return model_fingerprint(name, resolve_model(name, settings)) if name else None
    except ModelMissing:
        return None


@contextmanager
def _database(settings: Settings, manifest: BackupManifest, draft: Path) -> Iterator[Engine]:
    """The restored database: the file in the draft, or the empty one that settings name."""
    engine = make_engine(settings.database_url)
    wanted = settings.data_dir / copying.SQLITE_FILE
    if manifest.database == "sqlite":
        if database_path(engine) != wanted:
            raise BadInput(f"the backup is of SQLite: leave HAOZHI_DATABASE_URL out for {wanted}")
        engine = make_engine(f"sqlite:///{draft / copying.SQLITE_FILE}")
    try:
        if manifest.database != "sqlite":
            copying.load_database(engine, draft / copying.POSTGRES_FILE)
            (draft / copying.POSTGRES_FILE).unlink()
        yield engine
    finally:
        engine.dispose()


def _upgrade(engine: Engine, manifest: BackupManifest) -> None:
    if not database.is_known(manifest.revision):
        raise BadInput(
            f"the backup was made by haozhi {manifest.haozhi}, its schema {manifest.revision} is"
            " unknown here: install that version or a newer one"
        )
    database.upgrade(engine)


def _verify(engine: Engine, index_dir: Path, manifest: BackupManifest) -> None:
    """HaozhiError with the first contradiction of what was restored."""
    index = stored_index(index_dir)
    if index is not None:
        catch_up(engine, index)  # what was written between copying the one and the other
    for found in _contradictions(engine, index_dir, manifest):
        raise HaozhiError(f"nothing was restored, the backup contradicts itself: {found}")


def _contradictions(engine: Engine, index_dir: Path, manifest: BackupManifest) -> Iterator[str]:
    yield from database.check(engine)
    with read(engine) as session:
        now = figures(session)
        yield from (
            f"{name} is {now[name]}, not {said}"
            for name, said in manifest.figures.items()
            if now[name] != said
        )
        yield from (f"{d.code} {d.subject}: {d.message}" for d in check_ledger(session))
    if (index_dir / INDEX_MANIFEST).is_file():
        yield from (f"{d.subject}: {d.message}" for d in verify(engine, index_dir).differences)
