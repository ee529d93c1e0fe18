"""The vector index: which statements are near a query. Rebuilt from SQL at any time.

`VectorIndex` is what the rest knows; `store.vectors.faiss_index.FaissIndex` implements it and
`store.vectors.catch_up` keeps it equal to the embedding rows.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from store.records.ledger import Difference

Batch = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Statement ids [n] and their unit vectors [n, dim]."""

Draw = Callable[[int], NDArray[np.float32]]
"""So many [n, dim] of an index's vectors, or all where there are fewer, in random order."""


class Hit(NamedTuple):
    """A statement near a query; `similarity` is the inner product of unit vectors, -1..1.

    A tuple, since making dataclasses took longer than half of a search.
    """

    statement_id: int
    similarity: float


class VectorIndex(Protocol):
    """Unit vectors by statement id. Readers see the last saved generation.

    Changes are made by one writer inside `writing()` and seen by nobody before `save`; leaving
    without `save` drops them. Vectors are float32 of length `dim`, each of L2 norm 1.
    """

    @property
    def fingerprint(self) -> str:
        """Names the embedder; vectors of two fingerprints never mix."""

    @property
    def dim(self) -> int:
        """The length of every vector."""

    def writing(self) -> AbstractContextManager[None]:
        """Be the only writer, on top of the newest usable generation (else on nothing).

        Raises StoreBusy when another writer does not finish within 10 s.
        """

    def add(self, ids: Sequence[int] | NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Add vectors [n, dim]; ValueError for an id that is there or repeated, or a bad vector."""

    def remove(self, ids: Sequence[int] | NDArray[np.int64]) -> int:
        """Remove those of the ids that are there; returns how many were."""

    def is_outgrown(self, count: int) -> bool:
        """Whether an index of so many vectors should be rebuilt as another kind."""

    def rebuild(self, batches: Iterable[Batch], count: int, draw: Draw) -> None:
        """Replace everything by these vectors, `count` of them.

        Where they are many, some are drawn and searching is fast and not quite exact. ValueError
        for an id that is given twice, or a bad vector.
        """

    def save(self) -> None:
        """Publish the changes as the next generation, atomically and durably.

        Raises StoreFull or StoreReadOnly; the last generation is then still whole.
        """

    def load(self) -> bool:
        """Take up the newest generation; False, and cheap, when that is done already.

        Raises IndexMissing when it is absent or damaged, OtherEmbedder when it is of another
        fingerprint.
        """

    def search(
        self, queries: NDArray[np.float32], k: int, among: NDArray[np.int64] | None = None
    ) -> tuple[tuple[Hit, ...], ...]:
        """For each row of queries [q, dim] its k nearest, nearest first, equals by id.

        `among`: nothing but these ids is looked at, if they are there.
        """

    def count(self) -> int:
        """How many vectors are in the loaded generation, or while writing in the changed one."""

    def ids(self) -> NDArray[np.int64]:
        """Their ids, ascending."""

    def verify(self, batches: Iterable[Batch], *, sample: bool = False) -> tuple[Difference, ...]:
        """The differences to the given truth; with `sample` it is only a part of the truth.

        Codes: vector_missing, vector_differs, and without `sample` vector_unknown.
        """


def check_vectors(vectors: NDArray[np.float32], rows: int, dim: int | None = None) -> None:
    """ValueError unless this is float32 [rows, dim], finite, each row of norm 1 within 1e-3."""
    shape_fits = vectors.ndim == 2 and len(vectors) == rows and dim in (None, vectors.shape[1])
    if vectors.dtype != np.float32 or not shape_fits:
        wanted = f"float32 [{rows}, {dim or 'dim'}]"
        raise ValueError(f"expected {wanted}, got {vectors.dtype} {list(vectors.shape)}")
    # `not <=` rather than `>`: NaN must fail too. Plain floats: most often it is one query.
    if not all(abs(square - 1) <= 2e-3 for square in np.vecdot(vectors, vectors).tolist()):
        raise ValueError("a vector is not finite or its norm is not 1")
