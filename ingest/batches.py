"""Rows and vectors of a batch go in together; embedding never holds a transaction open."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.holding import Holding
from ingest.options import IngestOptions
from ingest.ports import Embedder
from ingest.setting import embed, embed_stored
from store.clusters import join_clusters
from store.engine import Engine, Session, read, write
from store.statements import (
    AddedStatement,
    NewStatement,
    add_statements,
    add_texts,
    known_hashes,
    missing_embeddings,
    put_embeddings,
    statement_hash,
)
from store.works import set_work_ready

BATCH = 64
"""Statements per transaction."""

OnBatch = Callable[[Sequence[int], NDArray[np.float32]], None]
"""Told after each commit which statement ids [n] have got which vectors [n, dim]."""

Progress = Callable[[str, int, int], None]
"""Told of a path ('' for missing vectors) how many statements are done, and of how many."""


@dataclass(frozen=True)
class Run:
    """What every step of a run needs."""

    engine: Engine
    embedder: Embedder
    options: IngestOptions
    on_batch: OnBatch
    progress: Progress
    job: Holding


@dataclass(frozen=True)
class Embedded:
    """A batch of statements that got their vectors [n, dim]; `done` of `count` have one now."""

    ids: Sequence[int]
    vectors: NDArray[np.float32]
    done: int
    count: int


def embed_all(engine: Engine, embedder: Embedder) -> Iterator[Embedded]:
    """Give every statement without a vector of this embedder one; told after each commit."""
    with read(engine) as s:
        missing = missing_embeddings(s, embedder.fingerprint)
    for start in range(0, len(missing), BATCH):
        some = missing[start : start + BATCH]
        ids = [i for i, _ in some]
        vectors = embed_stored(engine, embedder, some)
        with write(engine) as s:
            put_embeddings(s, embedder.fingerprint, ids, vectors)
        yield Embedded(ids, vectors, start + len(ids), len(missing))


def embed_missing(run: Run) -> None:
    """The same as a step of a run."""
    for each in embed_all(run.engine, run.embedder):
        run.on_batch(each.ids, each.vectors)
        run.progress("", each.done, each.count)
        run.job.beat()


def store_statements(
    run: Run, work_id: str, path: str, statements: Sequence[NewStatement]
) -> list[AddedStatement]:
    """Store the statements of a work, which is ready with the last batch."""
    stored: list[AddedStatement] = []

    def add(s: Session, batch: Sequence[NewStatement]) -> dict[str, int]:
        added = add_statements(s, work_id, run.options.scope, batch)
        stored.extend(added)
        if len(stored) == len(statements):
            set_work_ready(s, work_id)
        # Another process may have added a text meanwhile; then it has a vector already.
        return {_hash(i): a.statement_id for i, a in zip(batch, added, strict=True) if a.is_new}

    _embed(run, path, statements, add)
    return stored


def embed_texts(run: Run, path: str, statements: Sequence[NewStatement]) -> int:
    """Store texts that the scope lacks, which stand nowhere yet; returns how many it lacked."""

    def add(s: Session, batch: Sequence[NewStatement]) -> dict[str, int]:
        return add_texts(s, run.options.scope, batch)

    return _embed(run, path, statements, add)


_Add = Callable[[Session, Sequence[NewStatement]], dict[str, int]]
"""Stores a batch; returns the ids of the new texts by their hash."""


def _embed(run: Run, path: str, statements: Sequence[NewStatement], add: _Add) -> int:
    """Add statements batch by batch with the vectors of new texts; returns how many were new."""
    count = 0
    for start in range(0, len(statements), BATCH):
        run.job.beat()
        run.progress(path, start, len(statements))
        batch = statements[start : start + BATCH]
        vectors = _vectors(run, batch)
        with write(run.engine) as s:
            new = add(s, batch)
            if new:
                rows = np.stack([vectors[digest] for digest in new])
                put_embeddings(s, run.embedder.fingerprint, list(new.values()), rows)
                join_clusters(s, run.embedder.fingerprint, new.values())
        if new:
            run.on_batch(list(new.values()), rows)
        count += len(new)
    run.progress(path, len(statements), len(statements))
    return count


def _vectors(run: Run, batch: Sequence[NewStatement]) -> dict[str, NDArray[np.float32]]:
    """The vectors, by hash, of the texts of a batch that the scope does not have."""
    hashes = [_hash(item) for item in batch]
    with read(run.engine) as s:
        known = known_hashes(s, run.options.scope, hashes)
    new: dict[str, NewStatement] = {}
    for digest, item in zip(hashes, batch, strict=True):
        if digest not in known:
            new.setdefault(digest, item)
    texts, settings = [i.text for i in new.values()], [i.setting for i in new.values()]
    return dict(zip(new, embed(run.embedder, texts, settings), strict=True))


def _hash(item: NewStatement) -> str:
    return statement_hash(item.text)
