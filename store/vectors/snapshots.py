"""A generation in memory, and how it is read: only what changed where the data file is the same."""

import errno
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss

from store.vectors import kinds
from store.vectors.changes import apply_rows, load_rows
from store.vectors.generations import MANIFEST, Manifest, is_whole

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class Snapshot:
    """A loaded generation, never changed, and the stamp of the manifest that named it."""

    index: Any
    stamp: Stamp
    manifest: Manifest


def stamp_of(folder: Path) -> Stamp:
    """Changes with every generation; None: there is none."""
    try:
        found = (folder / MANIFEST).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def nothing(fingerprint: str, dim: int) -> Snapshot:
    """An empty index that was never saved."""
    manifest = Manifest(fingerprint, dim, count=0, generation=0, file="", sha256="")
    return Snapshot(kinds.exact(dim), None, manifest)


def read_index(folder: Path, manifest: Manifest, known: Snapshot) -> Any:
    """The index of a generation; None when it is gone, damaged, or not what the manifest says."""
    before, changes = known.manifest, manifest.changes
    done = len(before.changes)
    if (before.file, before.sha256) == (manifest.file, manifest.sha256) and (
        before.changes == changes[:done]
    ):
        index = faiss.clone_index(known.index)
    else:
        index, done = _read_data(folder / manifest.file, manifest.sha256), 0
    if index is None:
        return None
    for change in changes[done:]:
        rows = load_rows(folder / change.file, change.sha256)
        if rows is None:
            return None
        apply_rows(index, rows)
    same = (index.ntotal, kinds.lists_of(index)) == (manifest.count, manifest.lists)
    return index if same else None


def write_index(index: Any, path: Path) -> None:
    """Write all of an index to a new file. OSError: there is no space."""
    try:
        faiss.write_index(index, str(path))
    except RuntimeError as error:
        raise OSError(errno.ENOSPC, "no space left") from error


def _read_data(path: Path, sha256: str) -> Any:
    """FAISS reads the file itself: in memory it is there once. None: it is gone or damaged."""
    if not is_whole(path, sha256):
        return None
    try:
        return faiss.read_index(str(path))
    except RuntimeError:
        return None
