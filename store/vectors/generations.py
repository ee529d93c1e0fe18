"""Generations of an index on disk: a data file, changes since, and a manifest replaced last.

A crash at any moment leaves the old or the new generation, never a mixture. A large index is not
written anew for every change: the next generation is the same data file and one more file of
changes, until these are many.
"""

import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from store.errors import HaozhiError, IndexMissing, StoreFull, StoreReadOnly

MANIFEST = "manifest.json"
_FORMAT = 1


class OtherEmbedder(IndexMissing):
    """The index on disk was made by another embedder than the one in use."""


@dataclass(frozen=True)
class Change:
    """A file of ids that left and of vectors that came, with its SHA-256."""

    file: str
    sha256: str
    rows: int


@dataclass(frozen=True)
class Manifest:
    """What a generation is: whose vectors, how many, in which files with which SHA-256.

    `lists` is 0 for an exact index; else a search looks at `probes` of them and found `recall` of
    the true ten nearest when the index was built.
    """

    fingerprint: str
    dim: int
    count: int
    generation: int
    file: str
    sha256: str
    lists: int = 0
    probes: int = 0
    recall: float = 1.0
    changes: tuple[Change, ...] = ()
    format: int = _FORMAT

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files beside the manifest."""
        return self.file, *(change.file for change in self.changes)


CHANGES_FROM = 20_000
"""Vectors from which on a change is a file beside the data file, which stays."""
MOST_CHANGES, MOST_CHANGED = 50, 0.1
"""Files of changes, and the part of the vectors in them, after which all is written anew."""


def may_change(manifest: Manifest, rows: int) -> bool:
    """Whether so many rows may change beside the data file; else all is written anew."""
    changed = sum(change.rows for change in manifest.changes) + rows
    return (
        bool(manifest.file)
        and manifest.count >= CHANGES_FROM
        and len(manifest.changes) < MOST_CHANGES
        and changed <= MOST_CHANGED * manifest.count
    )


Write = Callable[[Path], None]
"""Writes data to a new path."""


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of the newest generation; None when there is none or it cannot be read."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        changes = tuple(Change(**each) for each in found.pop("changes", ()))
        manifest = Manifest(**found, changes=changes)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return manifest if manifest.format == _FORMAT else None


def manifest_of(folder: Path, fingerprint: str, dim: int) -> Manifest | None:
    """As `read_manifest`, of this embedder's index. OtherEmbedder: it is another one's."""
    manifest = read_manifest(folder)
    if manifest and (manifest.fingerprint, manifest.dim) != (fingerprint, dim):
        raise OtherEmbedder(
            f"the vector index was made by {manifest.fingerprint}, the embedder is"
            f" {fingerprint}: run `haozhi index rebuild`"
        )
    return manifest


def is_whole(path: Path, sha256: str) -> bool:
    """Whether a file is there and what its manifest says."""
    try:
        return _sha256(path) == sha256
    except OSError:
        return False


def publish(folder: Path, manifest: Manifest, write: Write) -> Manifest:
    """Write the next generation and remove older ones; the caller holds `writer_lock`.

    Generation, file and hash are filled in. Raises StoreFull or StoreReadOnly and leaves the
    newest generation as it was.
    """
    generation = _next(folder)
    name = f"vectors-{generation}.faiss"
    with expected(folder):
        sha256 = _replace(folder / name, write)
        manifest = replace(manifest, generation=generation, file=name, sha256=sha256)
        _publish(folder, manifest)
    return manifest


def publish_change(folder: Path, before: Manifest, count: int, rows: int, write: Write) -> Manifest:
    """As `publish`, of `before` and one more file, by which so many rows change."""
    generation = _next(folder)
    name = f"vectors-{generation}.changes"
    with expected(folder):
        change = Change(name, _replace(folder / name, write), rows)
        changes = (*before.changes, change)
        manifest = replace(before, generation=generation, count=count, changes=changes)
        _publish(folder, manifest)
    return manifest


def _next(folder: Path) -> int:
    before = read_manifest(folder)
    return before.generation + 1 if before else 1


def _publish(folder: Path, manifest: Manifest) -> None:
    text = json.dumps(asdict(manifest), indent=1)
    _replace(folder / MANIFEST, lambda path: _write_text(path, text))
    for path in folder.glob("vectors-*"):
        if path.name not in manifest.files:
            path.unlink(missing_ok=True)


def _replace(path: Path, write: Write) -> str:
    """Write a file durably, whole or not at all; its SHA-256."""
    temporary = path.with_name(f"{path.name}.new")
    try:
        write(temporary)
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        sha256 = _sha256(temporary)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return sha256


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def expected(folder: Path) -> Iterator[None]:
    """Raise StoreReadOnly or StoreFull where the folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise _as_expected(folder, error) from error


def _as_expected(folder: Path, error: OSError) -> HaozhiError:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(f"the index in {folder} cannot be written: check its permissions")
    return StoreFull(f"the index in {folder} cannot be written: {error.strerror}; free some space")
