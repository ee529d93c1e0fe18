"""An index in memory against the vectors that it should have."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from store.records.ledger import Difference
from store.vectors import Batch, kinds


def differences(
    index: Any, batches: Iterable[Batch], *, sample: bool = False
) -> tuple[Difference, ...]:
    """As `VectorIndex.verify`."""
    here = np.sort(kinds.ids_of(index))
    found: list[Difference] = []
    unknown = np.array([], dtype=np.int64) if sample else here
    for ids, vectors in batches:
        known = np.isin(ids, here)
        same = (kinds.vectors_of(index, ids[known]) == vectors[known]).all(axis=1)
        found += _named("vector_missing", "it is not in the index", ids[~known])
        found += _named("vector_differs", "the index has another", ids[known][~same])
        unknown = np.setdiff1d(unknown, ids, assume_unique=True)
    return (*found, *_named("vector_unknown", "only the index has it", unknown))


def _named(code: str, message: str, ids: Iterable[int]) -> list[Difference]:
    return [Difference(code, f"statement {i}", message) for i in ids]
