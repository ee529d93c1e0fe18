"""Rows and vectors of a batch go in together; embedding never holds a transaction open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.options import IngestOptions
from ingest.ports import Embedder
from store.engine import Engine, read, write
from store.statements import (
    AddedStatement,
    NewStatement,
    add_statements,
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


def embed_missing(run: Run) -> None:
    """Give every statement without a vector of this embedder one, batch by batch."""
    with read(run.engine) as s:
        missing = missing_embeddings(s, run.embedder.fingerprint)
    for start in range(0, len(missing), BATCH):
        ids, texts = zip(*missing[start : start + BATCH], strict=True)
        vectors = run.embedder.passages(texts)
        with write(run.engine) as s:
            put_embeddings(s, run.embedder.fingerprint, ids, vectors)
        run.on_batch(ids, vectors)
        run.progress("", start + len(ids), len(missing))


def store_statements(
    run: Run, work_id: str, path: str, statements: Sequence[NewStatement]
) -> list[AddedStatement]:
    """Store the statements of a work, which is ready with the last batch."""
    stored: list[AddedStatement] = []
    for start in range(0, len(statements), BATCH):
        run.progress(path, start, len(statements))
        batch = statements[start : start + BATCH]
        last = start + len(batch) == len(statements)
        stored += _store_batch(run, work_id, batch, last=last)
    run.progress(path, len(statements), len(statements))
    return stored


def _store_batch(
    run: Run, work_id: str, batch: Sequence[NewStatement], *, last: bool
) -> tuple[AddedStatement, ...]:
    hashes = [statement_hash(item.text) for item in batch]
    with read(run.engine) as s:
        known = known_hashes(s, run.options.scope, hashes)
    texts: dict[str, str] = {}
    for digest, item in zip(hashes, batch, strict=True):
        if digest not in known:
            texts.setdefault(digest, item.text)
    vectors = dict(zip(texts, run.embedder.passages(list(texts.values())), strict=True))
    with write(run.engine) as s:
        added = add_statements(s, work_id, run.options.scope, batch)
        # Another process may have added a text meanwhile; then it has a vector already.
        new = {a.statement_id: vectors[d] for d, a in zip(hashes, added, strict=True) if a.is_new}
        if new:
            rows = np.stack(list(new.values()))
            put_embeddings(s, run.embedder.fingerprint, list(new), rows)
        if last:
            set_work_ready(s, work_id)
    if new:
        run.on_batch(list(new), rows)
    return added
