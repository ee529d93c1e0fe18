"""Changes of an index as a file: ids that left, then ids and vectors that came."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.vectors import kinds
from store.vectors.generations import is_whole


@dataclass(frozen=True)
class Rows:
    """Ids [m] that left, and ids [n] with unit vectors [n, dim] that came."""

    removed: NDArray[np.int64]
    added: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        """How many rows change."""
        return len(self.removed) + len(self.added)


def rows_between(before: Any, after: Any, touched: NDArray[np.int64]) -> Rows:
    """What differs between two indexes, which only these ids (ascending) can."""
    removed = np.intersect1d(touched, kinds.ids_of(before))
    added = np.intersect1d(touched, kinds.ids_of(after))
    return Rows(removed, added, kinds.vectors_of(after, added))


def save_rows(path: Path, rows: Rows) -> None:
    """Write them to a new file."""
    with path.open("wb") as file:
        np.savez(file, removed=rows.removed, added=rows.added, vectors=rows.vectors)


def load_rows(path: Path, sha256: str) -> Rows | None:
    """Read what `save_rows` wrote; None when it is gone or damaged."""
    if not is_whole(path, sha256):
        return None
    with np.load(path, allow_pickle=False) as found:
        return Rows(found["removed"], found["added"], found["vectors"])


def read_ids(path: Path) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids that left and those that came, as a file says; OSError or ValueError: damaged."""
    with np.load(path, allow_pickle=False) as found:
        return found["removed"], found["added"]


def apply_rows(index: Any, rows: Rows) -> None:
    """Make these changes in an index."""
    if len(rows.removed):
        index.remove_ids(rows.removed)
    if len(rows.added):
        index.add_with_ids(rows.vectors, rows.added)
