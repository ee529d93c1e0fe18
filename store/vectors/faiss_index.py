"""The vector index in a folder: exact while it is small, inverted lists above (`kinds`)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from store.errors import IndexMissing
from store.records.ledger import Difference
from store.vectors import Batch, Draw, Hit, check_vectors, kinds
from store.vectors.changes import Rows, rows_between, save_rows
from store.vectors.comparing import differences
from store.vectors.generations import (
    Manifest,
    manifest_of,
    may_change,
    publish,
    publish_change,
    read_manifest,
)
from store.vectors.locking import writer_lock
from store.vectors.memory import growing
from store.vectors.snapshots import Snapshot, nothing, read_index, stamp_of, write_index

_Ids = Sequence[int] | NDArray[np.int64]


class FaissIndex:
    """A `VectorIndex` in a folder; opening it reads nothing, `load` does."""

    def __init__(self, folder: Path, fingerprint: str, dim: int) -> None:
        self.folder = folder
        self.fingerprint = fingerprint
        self.dim = dim
        self._loaded = nothing(self.fingerprint, self.dim)
        self._changed: Any = None
        self._touched: list[NDArray[np.int64]] = []
        self._rebuilt: Manifest | None = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See `VectorIndex.writing`."""
        with writer_lock(self.folder):
            try:
                self.load()
            except IndexMissing:
                self._loaded = nothing(self.fingerprint, self.dim)
            self._begin()
            try:
                yield
            finally:
                self._changed = None

    def add(self, ids: _Ids, vectors: NDArray[np.float32]) -> None:
        """See `VectorIndex.add`."""
        index = self._writable()
        wanted = np.asarray(ids, dtype=np.int64)
        check_vectors(vectors, len(wanted), self.dim)
        if len(np.unique(wanted)) != len(wanted) or np.isin(wanted, kinds.ids_of(index)).any():
            raise ValueError("an id is in the index already or given twice")
        if (wanted < 0).any():
            raise ValueError("ids are not negative: -1 means nothing found")
        index.add_with_ids(np.ascontiguousarray(vectors), wanted)
        self._touched.append(wanted)

    def remove(self, ids: _Ids) -> int:
        """See `VectorIndex.remove`."""
        unwanted = np.asarray(ids, dtype=np.int64)
        self._touched.append(unwanted)
        return int(self._writable().remove_ids(unwanted))

    def is_outgrown(self, count: int) -> bool:
        """See `VectorIndex.is_outgrown`."""
        lists, wanted = kinds.lists_of(self._seen()), kinds.lists_for(count)
        return wanted >= max(2 * lists, 1) if wanted else lists > 0 and 4 * count < kinds.IVF_FROM

    def rebuild(self, batches: Iterable[Batch], count: int, draw: Draw) -> None:
        """See `VectorIndex.rebuild`."""
        self._seen_by_writer()
        with growing():
            index, queries = kinds.empty(self.dim, kinds.lists_for(count), draw)
            self._changed = index
            for ids, vectors in batches:
                check_vectors(vectors, len(ids), self.dim)
                index.add_with_ids(np.ascontiguousarray(vectors), ids)
        if len(np.unique(kinds.ids_of(index))) != index.ntotal:
            raise ValueError("an id is given twice")
        probes, recall = (0, 1.0) if queries is None else kinds.set_probes(index, queries)
        blank = nothing(self.fingerprint, self.dim).manifest
        lists = kinds.lists_of(index)
        self._rebuilt = replace(blank, lists=lists, probes=probes, recall=recall)

    def save(self, *, whole: bool = False) -> None:
        """See `VectorIndex.save`. `whole`: no file has vectors of ids that left any more."""
        index, rows = self._seen_by_writer(), None if whole else self._rows()
        count, before = int(index.ntotal), self._loaded.manifest
        if rows is None:
            manifest = replace(self._rebuilt or before, count=count, changes=())
            manifest = publish(self.folder, manifest, partial(write_index, index))
        else:
            write = partial(save_rows, rows=rows)
            manifest = publish_change(self.folder, before, count, len(rows), write)
        self._loaded = Snapshot(index, stamp_of(self.folder), manifest)
        self._begin()

    def load(self) -> bool:
        """See `VectorIndex.load`."""
        stamp = stamp_of(self.folder)
        if stamp is not None and stamp == self._loaded.stamp:
            return False
        manifest = manifest_of(self.folder, self.fingerprint, self.dim)
        index = None if manifest is None else read_index(self.folder, manifest, self._loaded)
        if manifest is not None and index is not None:
            self._loaded = Snapshot(index, stamp, manifest)
            return True
        if stamp != stamp_of(self.folder):  # a writer replaced the generation while it was read
            return self.load()
        raise IndexMissing(
            f"the vector index in {self.folder} is absent or damaged: run `haozhi index rebuild`"
        )

    def search(
        self, queries: NDArray[np.float32], k: int, among: NDArray[np.int64] | None = None
    ) -> tuple[tuple[Hit, ...], ...]:
        """See `VectorIndex.search`."""
        check_vectors(queries, len(queries), self.dim)
        index = self._loaded.index
        wanted = max(1, min(k, index.ntotal))
        similarities, ids = kinds.search(index, np.ascontiguousarray(queries), wanted, among)
        return tuple(map(kinds.hits, similarities.tolist(), ids.tolist()))

    def count(self) -> int:
        """See `VectorIndex.count`."""
        return int(self._seen().ntotal)

    def ids(self) -> NDArray[np.int64]:
        """See `VectorIndex.ids`."""
        return np.sort(kinds.ids_of(self._seen()))

    def verify(self, batches: Iterable[Batch], *, sample: bool = False) -> tuple[Difference, ...]:
        """See `VectorIndex.verify`."""
        return differences(self._seen(), batches, sample=sample)

    def _begin(self) -> None:
        self._changed, self._touched, self._rebuilt = self._loaded.index, [], None

    def _seen(self) -> Any:
        return self._loaded.index if self._changed is None else self._changed

    def _seen_by_writer(self) -> Any:
        if self._changed is None:
            raise RuntimeError("the index is changed inside `with index.writing():` only")
        return self._changed

    def _writable(self) -> Any:
        if self._seen_by_writer() is self._loaded.index:
            # Searches go on in the loaded index; FAISS must not change it under them.
            self._changed = faiss.clone_index(self._changed)
        return self._changed

    def _rows(self) -> Rows | None:
        """What was changed since the last generation; None when all is to be written anew."""
        touched = np.unique(np.concatenate([*self._touched, np.array([], dtype=np.int64)]))
        if self._rebuilt or not may_change(self._loaded.manifest, len(touched)):
            return None
        return rows_between(self._loaded.index, self._changed, touched)


def stored_index(folder: Path) -> FaissIndex | None:
    """The index in a folder as it is, of whatever embedder; nothing is read but its manifest."""
    manifest = read_manifest(folder)
    return FaissIndex(folder, manifest.fingerprint, manifest.dim) if manifest else None
