"""Keeping the index equal to SQL: after a commit, at start, and after a crash between the two."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from store.engine import read
from store.errors import IndexMissing
from store.statements import embedded_ids, iter_embeddings
from store.vectors import VectorIndex
from store.vectors.generations import OtherEmbedder

_SAMPLE = 64
_IDS = 10_000
_ROWS = 500
"""Vectors that are read together for a rebuild, which has two indexes in memory already."""


@dataclass(frozen=True)
class Caught:
    """What it took: vectors added and removed; `rebuilt`: all were read anew from SQL."""

    added: int
    removed: int
    rebuilt: bool


def catch_up(engine: Engine, index: VectorIndex) -> Caught:
    """Load the newest generation and make it equal to SQL, at start and after every commit.

    Adds what the index lacks and removes what is withdrawn. An absent or damaged index, or one
    whose sampled vectors differ from SQL, is rebuilt. Takes the writer's lock only when something
    is to be done. Raises OtherEmbedder, which only `rebuild_index` overrules; StoreBusy; StoreFull.
    """
    try:
        index.load()
    except OtherEmbedder:
        raise
    except IndexMissing:
        return rebuild_index(engine, index)
    known = index.ids()
    sample = known[:: max(1, len(known) // _SAMPLE)].tolist()
    with read(engine) as s:
        if index.verify(iter_embeddings(s, index.fingerprint, ids=sample), sample=True):
            return rebuild_index(engine, index)
        if np.array_equal(embedded_ids(s, index.fingerprint), known):
            return Caught(0, 0, rebuilt=False)
    with index.writing(), read(engine) as s:
        return _apply(s, index)


def rebuild_index(engine: Engine, index: VectorIndex) -> Caught:
    """Make the index anew from the embedding rows of its fingerprint, whatever was there."""
    with index.writing(), read(engine) as s:
        return _rebuild(s, index, embedded_ids(s, index.fingerprint))


def _rebuild(s: Session, index: VectorIndex, ids: NDArray[np.int64]) -> Caught:
    removed = index.count()
    draw = partial(_sample, s, index.fingerprint, ids)
    index.rebuild(iter_embeddings(s, index.fingerprint, _ROWS), len(ids), draw)
    index.save()
    return Caught(index.count(), removed, rebuilt=True)


def _sample(s: Session, fingerprint: str, ids: NDArray[np.int64], size: int) -> NDArray[np.float32]:
    """See `Draw`; the same each time."""
    random = np.random.default_rng(0)
    drawn = np.sort(random.choice(ids, min(size, len(ids)), replace=False)).tolist()
    parts = (drawn[i : i + _IDS] for i in range(0, len(drawn), _IDS))
    found = [vectors for part in parts for _, vectors in iter_embeddings(s, fingerprint, ids=part)]
    return random.permutation(np.concatenate(found))


def _apply(s: Session, index: VectorIndex) -> Caught:
    wanted, known = embedded_ids(s, index.fingerprint), index.ids()
    if index.is_outgrown(len(wanted)):
        return _rebuild(s, index, wanted)
    removed = index.remove(np.setdiff1d(known, wanted, assume_unique=True))
    missing: list[int] = np.setdiff1d(wanted, known, assume_unique=True).tolist()
    for i in range(0, len(missing), _IDS):
        for ids, vectors in iter_embeddings(s, index.fingerprint, ids=missing[i : i + _IDS]):
            index.add(ids, vectors)
    index.save()
    return Caught(len(missing), removed, rebuilt=False)
