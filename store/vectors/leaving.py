"""Ids of an index on disk, and their leaving it, without a look at its vectors."""

from functools import partial
from pathlib import Path

import faiss
import numpy as np
from numpy.typing import NDArray

from store.vectors import kinds
from store.vectors.changes import Rows, read_ids, save_rows
from store.vectors.generations import Manifest, may_change, publish_change, read_manifest
from store.vectors.locking import writer_lock


def leave(folder: Path, ids: NDArray[np.int64]) -> int | None:
    """Take these ids out of the index in a folder; returns how many were there.

    None: it is small, absent or changed often, so that all is to be written anew (`catch_up`).
    Raises as `VectorIndex.writing` and `save`.
    """
    with writer_lock(folder):
        manifest = read_manifest(folder)
        here = None if manifest is None else _ids(folder, manifest)
        if manifest is None or here is None:
            return None
        gone = np.intersect1d(ids, here, assume_unique=True)
        if not len(gone):
            return 0
        if not may_change(manifest, len(gone)):
            return None
        none = np.empty((0, manifest.dim), dtype=np.float32)
        write = partial(save_rows, rows=Rows(gone, gone[:0], none))
        publish_change(folder, manifest, manifest.count - len(gone), len(gone), write)
        return len(gone)


def stored_ids(folder: Path) -> NDArray[np.int64] | None:
    """The ids of the newest generation, each once; None when it is absent or damaged."""
    manifest = read_manifest(folder)
    return None if manifest is None else _ids(folder, manifest)


def _ids(folder: Path, manifest: Manifest) -> NDArray[np.int64] | None:
    try:
        ids = kinds.ids_of(faiss.read_index(str(folder / manifest.file), faiss.IO_FLAG_MMAP))
        for change in manifest.changes:
            removed, added = read_ids(folder / change.file)
            ids = np.concatenate([ids[~np.isin(ids, removed)], added])
    except (OSError, RuntimeError, ValueError):
        return None
    return ids if len(ids) == manifest.count else None


def has_changes(folder: Path) -> bool:
    """Whether vectors of ids that left may still be in a file of the index."""
    manifest = read_manifest(folder)
    return manifest is not None and bool(manifest.changes)
