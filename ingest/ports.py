"""What ingestion needs from outside; `haozhi.models` implements it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors; a passage and the query it answers lie close together."""

    @property
    def fingerprint(self) -> str:
        """Names the weights and the way of embedding: vectors of two fingerprints never mix."""

    @property
    def dim(self) -> int:
        """The length of every vector."""

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text (there may be none), [len(texts), dim] float32, each of L2 norm 1."""

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same shape for texts that search."""
