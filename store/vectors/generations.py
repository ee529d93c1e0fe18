"""Generations of an index on disk: a data file, and a manifest that is replaced last.

A crash at any moment leaves the old or the new generation, never a mixture.
"""

import errno
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from store.errors import HaozhiError, IndexMissing, StoreBusy, StoreFull, StoreReadOnly

MANIFEST = "manifest.json"
LOCK_TIMEOUT_S = 10.0
_FORMAT = 1


class OtherEmbedder(IndexMissing):
    """The index on disk was made by another embedder than the one in use."""


@dataclass(frozen=True)
class Manifest:
    """What a generation is: whose vectors, how many, in which file with which SHA-256."""

    fingerprint: str
    dim: int
    count: int
    generation: int
    file: str
    sha256: str
    format: int = _FORMAT


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of the newest generation; None when there is none or it cannot be read."""
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return manifest if manifest.format == _FORMAT else None


def read_data(folder: Path, manifest: Manifest) -> bytes | None:
    """The data of a generation; None when it is gone or not what the manifest says."""
    try:
        data = (folder / manifest.file).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == manifest.sha256 else None


def publish(folder: Path, fingerprint: str, dim: int, count: int, data: bytes) -> Manifest:
    """Write the next generation and remove older ones; the caller holds `writer_lock`.

    Raises StoreFull or StoreReadOnly and leaves the newest generation as it was.
    """
    before = read_manifest(folder)
    generation = before.generation + 1 if before else 1
    manifest = Manifest(
        fingerprint=fingerprint,
        dim=dim,
        count=count,
        generation=generation,
        file=f"vectors-{generation}.faiss",
        sha256=hashlib.sha256(data).hexdigest(),
    )
    try:
        _replace(folder / manifest.file, data)
        _replace(folder / MANIFEST, json.dumps(asdict(manifest), indent=1).encode())
    except OSError as error:
        raise _as_expected(folder, error) from error
    for path in folder.glob("vectors-*"):
        if path.name != manifest.file:
            path.unlink(missing_ok=True)
    return manifest


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the index's only writer's place; it is given back also when the process is killed.

    Raises StoreBusy after 10 s, StoreReadOnly when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "writer.lock").open("ab")
    except OSError as error:
        raise _as_expected(folder, error) from error
    with lock:
        deadline = time.monotonic() + LOCK_TIMEOUT_S
        while not _try_lock(lock.fileno()):
            if time.monotonic() > deadline:
                raise StoreBusy(
                    f"another process is writing the index in {folder}: try again when it is done"
                )
            time.sleep(0.05)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.new")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _as_expected(folder: Path, error: OSError) -> HaozhiError:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(f"the index in {folder} cannot be written: check its permissions")
    return StoreFull(f"the index in {folder} cannot be written: {error.strerror}; free some space")
