"""The vector index as a flat FAISS index with explicit ids; the only module that imports faiss.

A bare flat index shifts its ids when one is removed, and an IVF index under an id map returned
wrong ids after removals: only `IndexIDMap2` around `IndexFlatIP` keeps every id. A wrong id pays
the wrong author.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from store.errors import IndexMissing
from store.records.ledger import Difference
from store.vectors import Batch, Hit, check_vectors
from store.vectors.generations import (
    MANIFEST,
    OtherEmbedder,
    publish,
    read_data,
    read_manifest,
    writer_lock,
)

_Ids = Sequence[int] | NDArray[np.int64]
_Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class _Snapshot:
    """A loaded generation, never changed, and the stamp of the manifest that named it."""

    index: Any
    stamp: _Stamp


class FaissIndex:
    """A `VectorIndex` in a folder; opening it reads nothing, `load` does."""

    def __init__(self, folder: Path, fingerprint: str, dim: int) -> None:
        self.folder = folder
        self.fingerprint = fingerprint
        self.dim = dim
        self._loaded = _Snapshot(self._empty(), None)
        self._changed: Any = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See `VectorIndex.writing`."""
        with writer_lock(self.folder):
            try:
                self.load()
            except IndexMissing:
                self._loaded = _Snapshot(self._empty(), None)
            self._changed = self._loaded.index
            try:
                yield
            finally:
                self._changed = None

    def add(self, ids: _Ids, vectors: NDArray[np.float32]) -> None:
        """See `VectorIndex.add`."""
        index = self._writable()
        wanted = np.asarray(ids, dtype=np.int64)
        check_vectors(vectors, len(wanted), self.dim)
        if len(np.unique(wanted)) != len(wanted) or np.isin(wanted, _ids(index)).any():
            raise ValueError("an id is in the index already or given twice")
        if (wanted < 0).any():
            raise ValueError("ids are not negative: -1 means nothing found")
        index.add_with_ids(np.ascontiguousarray(vectors), wanted)

    def remove(self, ids: _Ids) -> int:
        """See `VectorIndex.remove`."""
        return int(self._writable().remove_ids(np.asarray(ids, dtype=np.int64)))

    def rebuild(self, batches: Iterable[Batch]) -> None:
        """See `VectorIndex.rebuild`."""
        self._writable()
        self._changed = self._empty()
        for ids, vectors in batches:
            self.add(ids, vectors)

    def save(self) -> None:
        """See `VectorIndex.save`."""
        index = self._writable()
        data = faiss.serialize_index(index).tobytes()
        publish(self.folder, self.fingerprint, self.dim, index.ntotal, data)
        self._loaded = _Snapshot(index, self._stamp())

    def load(self) -> bool:
        """See `VectorIndex.load`."""
        stamp = self._stamp()
        if stamp is not None and stamp == self._loaded.stamp:
            return False
        index = self._read()
        if index is not None:
            self._loaded = _Snapshot(index, stamp)
            return True
        if stamp != self._stamp():  # a writer replaced the generation while it was read
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
        selector = None if among is None else faiss.IDSelectorBatch(among)
        limits = None if selector is None else faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
        wanted = max(1, min(k, index.ntotal))
        found = index.search(np.ascontiguousarray(queries), wanted, params=limits)
        return tuple(
            tuple(
                Hit(int(i), float(similarity))
                for similarity, i in sorted(
                    zip(*row, strict=True), key=lambda hit: (-hit[0], hit[1])
                )
                if i >= 0
            )
            for row in zip(*found, strict=True)
        )

    def count(self) -> int:
        """See `VectorIndex.count`."""
        return int(self._seen().ntotal)

    def ids(self) -> NDArray[np.int64]:
        """See `VectorIndex.ids`."""
        return np.sort(_ids(self._seen()))

    def verify(self, batches: Iterable[Batch], *, sample: bool = False) -> tuple[Difference, ...]:
        """See `VectorIndex.verify`."""
        index, here = self._seen(), self.ids()
        found: list[Difference] = []
        unknown = set() if sample else set(here.tolist())
        for ids, vectors in batches:
            known = np.isin(ids, here)
            same = (index.reconstruct_batch(ids[known]) == vectors[known]).all(axis=1)
            found += _differences("vector_missing", "it is not in the index", ids[~known])
            found += _differences("vector_differs", "the index has another", ids[known][~same])
            unknown -= set(ids.tolist())
        found += _differences("vector_unknown", "only the index has it", sorted(unknown))
        return tuple(found)

    def _empty(self) -> Any:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(self.dim))

    def _seen(self) -> Any:
        return self._loaded.index if self._changed is None else self._changed

    def _writable(self) -> Any:
        if self._changed is None:
            raise RuntimeError("the index is changed inside `with index.writing():` only")
        if self._changed is self._loaded.index:
            # Searches go on in the loaded index; FAISS must not change it under them.
            self._changed = faiss.clone_index(self._changed)
        return self._changed

    def _stamp(self) -> _Stamp:
        try:
            found = (self.folder / MANIFEST).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size

    def _read(self) -> Any:
        """The index of the newest generation, or None; raises OtherEmbedder."""
        manifest = read_manifest(self.folder)
        if manifest is None:
            return None
        if (manifest.fingerprint, manifest.dim) != (self.fingerprint, self.dim):
            raise OtherEmbedder(
                f"the vector index was made by {manifest.fingerprint}, the embedder is"
                f" {self.fingerprint}: run `haozhi index rebuild`"
            )
        data = read_data(self.folder, manifest)
        if data is None:
            return None
        index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
        return index if index.ntotal == manifest.count else None


def stored_index(folder: Path) -> FaissIndex | None:
    """The index in a folder as it is, of whatever embedder; nothing is read but its manifest."""
    manifest = read_manifest(folder)
    return FaissIndex(folder, manifest.fingerprint, manifest.dim) if manifest else None


def _ids(index: Any) -> NDArray[np.int64]:
    found: NDArray[np.int64] = faiss.vector_to_array(index.id_map)
    return found


def _differences(code: str, message: str, ids: Iterable[int]) -> list[Difference]:
    return [Difference(code, f"statement {i}", message) for i in ids]
