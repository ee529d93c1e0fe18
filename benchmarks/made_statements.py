"""A million statements without a model: texts of made words, vectors in clusters."""

import hashlib
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from store.engine import Engine, write
from store.people import resolve_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings
from store.works import NewWork, add_work

DIM = 384
BATCH = 5000
CLUSTER = 100
WORDS = 20_000


class Made:
    """An embedder whose vectors are made of the number that a text ends with."""

    fingerprint = "made"
    dim = DIM

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, [len(texts), DIM]."""
        return np.concatenate([vectors(int(text.split()[-1]), 1) for text in texts])

    queries = passages


def vectors(first: int, count: int) -> NDArray[np.float32]:
    """The unit vectors of statements `first`…, in clusters of CLUSTER that lie anywhere."""
    found = np.empty((count, DIM), dtype=np.float32)
    at = 0
    while at < count:
        cluster, place = divmod(first + at, CLUSTER)
        size = min(CLUSTER - place, count - at)
        noise = np.random.default_rng(cluster)
        centre = noise.standard_normal(DIM, dtype=np.float32)
        spread = noise.standard_normal((CLUSTER, DIM), dtype=np.float32)
        found[at : at + size] = centre + 0.7 * spread[place : place + size]
        at += size
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def fill(engine: Engine, count: int) -> None:
    """Statements by one author, with texts of words that are as unequal as those of a language."""
    rng = random.Random(0)
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        drawn = rng.choices(range(WORDS), weights, k=12 * size)
        texts = [
            f"{' '.join(f'w{word}' for word in drawn[12 * i : 12 * i + 12])} {first + i}"
            for i in range(size)
        ]
        body = "\n".join(texts)
        digest = hashlib.sha256(body.encode()).hexdigest()
        starts = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])]).tolist()
        with write(engine) as s:
            by = (AuthorShare(resolve_author(s, "a", "benchmark"), 1_000_000),)
            work = NewWork("public", digest, 1, "b", "b", "text/plain", "utf-8", "benchmark", body)
            new = [
                NewStatement(text, "en", at, at + len(text), by)
                for text, at in zip(texts, starts, strict=True)
            ]
            added = add_statements(s, add_work(s, work), "public", new)
            ids = [each.statement_id for each in added]
            put_embeddings(s, Made.fingerprint, ids, vectors(first, size))


def queries(count: int, searches: int) -> NDArray[np.float32]:
    """Vectors beside those of the statements, drawn anywhere."""
    rng = np.random.default_rng(3)
    chosen = rng.integers(0, count, searches)
    near = np.concatenate([vectors(int(i), 1) for i in chosen])
    away = rng.standard_normal(near.shape, dtype=np.float32)
    found = near + 0.5 * away / np.linalg.norm(away, axis=1, keepdims=True)
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return np.ascontiguousarray(unit.astype(np.float32))
