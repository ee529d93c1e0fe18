"""The index over many statements: against bare FAISS, exact search, and the size of its vectors.

The vectors are made, in clusters, not embedded. `search_ratio` is the median search over that of a
bare FAISS index of the same kind; memory is resident memory over the bytes of the vectors.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from benchmarks.made_statements import BATCH, DIM, WORDS, Made, fill, queries, vectors
from benchmarks.memory import peak_of, resident, settled
from haozhi.deleting import delete
from haozhi.ranking import Near, Query, rank
from store import deletions, lexical
from store.database import upgrade
from store.engine import Engine, make_engine, read
from store.vectors.catch_up import catch_up, rebuild_index
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import read_manifest

SEARCHES = 200
GONE = 10_000


def measure(count: int = 100_000) -> dict[str, Any]:
    """Fill a database, build the index and look at everything that it promises."""
    with tempfile.TemporaryDirectory(prefix="haozhi-index-") as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        fill_s, _ = _timed(lambda: fill(engine, count))
        engine.dispose()
        parts = ("build", "memory", "search", "ready", "hybrid", "gone")
        found = {part: _apart(folder, part, count) for part in parts}
        manifest = read_manifest(Path(folder) / "index")
    assert manifest is not None
    return {
        "count": count,
        "kind": f"IVF{manifest.lists},Flat" if manifest.lists else "Flat",
        "probes": manifest.probes,
        "recall_when_built": round(manifest.recall, 3),
        "fill_s": round(fill_s, 1),
        **{name: value for figures in found.values() for name, value in figures.items()},
    }


def _apart(folder: str, part: str, count: int) -> dict[str, Any]:
    """One part in a process of its own: what others left in memory does not count.

    FAISS has one thread: a single search is too short to be shared.
    """
    command = [sys.executable, "-m", "benchmarks.index", folder, part, str(count)]
    threads = {**os.environ, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
    here = Path(__file__).parent.parent
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=here, env=threads)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _build(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    build_s, _ = _timed(lambda: rebuild_index(engine, index))
    again = FaissIndex(index.folder, index.fingerprint, index.dim)
    load_s, _ = _timed(again.load)
    assert again.count() == count
    return {"build_and_save_s": round(build_s, 1), "load_s": round(load_s, 2)}


def _memory(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    """Resident memory over that before the index, in sizes of the vectors."""
    whole = count * DIM * 4
    before = resident()
    index.load()
    steady = settled() - before
    with peak_of() as peak:  # another process has saved a new generation: the old one serves
        _saved_elsewhere(index)
        assert index.load()
    read_new = peak[0] - before
    with peak_of() as peak:
        rebuild_index(engine, index)
    return {
        "memory_steady": round(steady / whole, 2),
        "memory_reader_swap": round(read_new / whole, 2),
        "memory_writer_swap": round((peak[0] - before) / whole, 2),
        "memory_after": round((settled() - before) / whole, 2),
    }


def _saved_elsewhere(index: FaissIndex) -> None:
    """The same data as a new generation, as another process would save it."""
    path = index.folder / "manifest.json"
    found = json.loads(path.read_text("utf-8"))
    name = f"vectors-{found['generation'] + 1}.faiss"
    shutil.copyfile(index.folder / found["file"], index.folder / name)
    path.write_text(json.dumps({**found, "generation": found["generation"] + 1, "file": name}))


def _search(_engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    """Searches in turn through the index and through bare FAISS, and what exact search finds."""
    index.load()
    manifest = read_manifest(index.folder)
    assert manifest is not None
    asked = queries(count, SEARCHES)
    bare = faiss.read_index(str(index.folder / manifest.file))
    ours: list[float] = []
    theirs: list[float] = []
    hits, exact = 0, _exact(index, count, asked)
    for query, best in zip(asked, exact, strict=True):
        ours_s, (found,) = _timed(lambda query=query: index.search(query[None], 10))
        theirs_s, _ = _timed(lambda query=query: bare.search(query[None], 10))
        ours.append(ours_s)
        theirs.append(theirs_s)
        hits += len({hit.statement_id for hit in found} & set(best.tolist()))
    return {
        "search_p50_ms": round(1000 * float(np.median(ours)), 3),
        "bare_p50_ms": round(1000 * float(np.median(theirs)), 3),
        "search_ratio": round(float(np.median(ours) / np.median(theirs)), 3),
        "recall_at_10": round(hits / (10 * len(asked)), 4),
    }


def _exact(index: FaissIndex, count: int, asked: NDArray[np.float32]) -> NDArray[np.int64]:
    """The ids of the true ten nearest, [q, 10]; statement ids count up from 1."""
    best = np.full((len(asked), 10), -2.0, dtype=np.float32)
    ids = np.zeros((len(asked), 10), dtype=np.int64)
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        scores = np.hstack([best, asked @ vectors(first, size).T])
        numbers = np.hstack([ids, np.broadcast_to(np.arange(size) + first + 1, (len(asked), size))])
        order = np.argsort(-scores, axis=1)[:, :10]
        best = np.take_along_axis(scores, order, axis=1)
        ids = np.take_along_axis(numbers, order, axis=1)
    assert np.isin(ids, index.ids()).all()
    return ids


def _ready(engine: Engine, index: FaissIndex, _count: int) -> dict[str, Any]:
    """What a start waits for before the first search; libraries are loaded."""
    ready_s, caught = _timed(lambda: catch_up(engine, index))
    assert caught.added == caught.removed == 0
    return {"ready_s": round(ready_s, 2)}


def _hybrid(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    """Meaning and words fused, as retrieval does it; the embedding of the query is not in it."""
    near = Near(Made(), index)
    index.load()
    rng = random.Random(1)
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    times: list[float] = []
    for _ in range(SEARCHES):
        words = rng.choices(range(WORDS), weights, k=6)
        text = f"{' '.join(f'w{word}' for word in words)} {rng.randrange(count)}"
        query = Query(text, near.query(text))
        with read(engine) as session:
            seconds, found = _timed(lambda query=query, s=session: rank(s, index, query))
        assert found
        times.append(seconds)
    return {
        "hybrid_p50_ms": round(1000 * float(np.median(times)), 1),
        "hybrid_p95_ms": round(1000 * float(np.quantile(times, 0.95)), 1),
    }


def _gone(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    """10,000 statements (all, where there are fewer): out of the index, and deleted for good."""
    index.load()
    ids = np.random.default_rng(2).choice(index.ids(), min(GONE, count // 2), replace=False)
    out, rest = np.array_split(ids, 2) if len(ids) < GONE else (ids, ids[:0])

    def remove() -> None:
        with index.writing():
            assert index.remove(out) == len(out)
            index.save()

    removed_s, _ = _timed(remove)
    names = [str(i) for i in (rest if len(rest) else out)]
    folder, began = index.folder, process_time()
    deleted_s, done = _timed(
        lambda: delete(
            engine, folder, "statement", names, by="benchmark", reason="benchmark", compact=False
        )
    )
    deleted_cpu_s = process_time() - began
    assert done is not None
    assert not done.left
    with read(engine) as s:
        assert not lexical.present(s, sorted(map(int, names)))
    compact_s, _ = _timed(lambda: deletions.compact(engine))
    return {
        "removed": len(out),
        "remove_s": round(removed_s, 2),
        "deleted": len(names),
        "delete_and_search_again_s": round(deleted_s, 1),
        "delete_and_search_again_cpu_s": round(deleted_cpu_s, 1),
        "rewrite_file_s": round(compact_s, 1),
    }


def _timed(work: Any) -> tuple[float, Any]:
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


_PARTS = {
    "build": _build,
    "memory": _memory,
    "search": _search,
    "ready": _ready,
    "hybrid": _hybrid,
    "gone": _gone,
}

if __name__ == "__main__":
    place, part, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    database = make_engine(f"sqlite:///{place}/haozhi.db")
    vector_index = FaissIndex(place / "index", Made.fingerprint, DIM)
    print(json.dumps(_PARTS[part](database, vector_index, number)))  # noqa: T201
