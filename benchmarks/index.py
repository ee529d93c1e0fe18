"""The index over many statements: against bare FAISS, exact search, and the size of its vectors.

The vectors are made, in clusters, not embedded. `search_ratio` is the median search over that of a
bare FAISS index of the same kind; memory is resident memory over the bytes of the vectors.
"""

import ctypes
import gc
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from haozhi.deleting import delete
from haozhi.ranking import Near, Query, rank
from store import deletions, lexical
from store.database import upgrade
from store.engine import Engine, make_engine, read, write
from store.people import resolve_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings
from store.vectors.catch_up import catch_up, rebuild_index
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import read_manifest
from store.works import NewWork, add_work

DIM = 384
BATCH = 5000
CLUSTER = 100
SEARCHES = 200
GONE = 10_000
_WORDS = 20_000


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


def measure(count: int = 100_000) -> dict[str, Any]:
    """Fill a database, build the index and look at everything that it promises."""
    with tempfile.TemporaryDirectory(prefix="haozhi-index-") as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        fill_s, _ = _timed(lambda: _fill(engine, count))
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


def _fill(engine: Engine, count: int) -> None:
    """Statements by one author, with texts of words that are as unequal as those of a language."""
    rng = random.Random(0)
    weights = [1 / (rank + 1) for rank in range(_WORDS)]
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        drawn = rng.choices(range(_WORDS), weights, k=12 * size)
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


def _build(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    build_s, _ = _timed(lambda: rebuild_index(engine, index))
    again = FaissIndex(index.folder, index.fingerprint, index.dim)
    load_s, _ = _timed(again.load)
    assert again.count() == count
    return {"build_and_save_s": round(build_s, 1), "load_s": round(load_s, 2)}


def _memory(engine: Engine, index: FaissIndex, count: int) -> dict[str, Any]:
    """Resident memory over that before the index, in sizes of the vectors."""
    whole = count * DIM * 4
    before = _resident()
    index.load()
    steady = _settled() - before
    with _peak() as peak:  # another process has saved a new generation: the old one serves
        _saved_elsewhere(index)
        assert index.load()
    read_new = peak[0] - before
    with _peak() as peak:
        rebuild_index(engine, index)
    return {
        "memory_steady": round(steady / whole, 2),
        "memory_reader_swap": round(read_new / whole, 2),
        "memory_writer_swap": round((peak[0] - before) / whole, 2),
        "memory_after": round((_settled() - before) / whole, 2),
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
    queries = _queries(count)
    bare = faiss.read_index(str(index.folder / manifest.file))
    ours: list[float] = []
    theirs: list[float] = []
    hits, exact = 0, _exact(index, count, queries)
    for query, best in zip(queries, exact, strict=True):
        ours_s, (found,) = _timed(lambda query=query: index.search(query[None], 10))
        theirs_s, _ = _timed(lambda query=query: bare.search(query[None], 10))
        ours.append(ours_s)
        theirs.append(theirs_s)
        hits += len({hit.statement_id for hit in found} & set(best.tolist()))
    return {
        "search_p50_ms": round(1000 * float(np.median(ours)), 3),
        "bare_p50_ms": round(1000 * float(np.median(theirs)), 3),
        "search_ratio": round(float(np.median(ours) / np.median(theirs)), 3),
        "recall_at_10": round(hits / (10 * len(queries)), 4),
    }


def _exact(index: FaissIndex, count: int, queries: NDArray[np.float32]) -> NDArray[np.int64]:
    """The ids of the true ten nearest, [q, 10]; statement ids count up from 1."""
    best = np.full((len(queries), 10), -2.0, dtype=np.float32)
    ids = np.zeros((len(queries), 10), dtype=np.int64)
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        scores = np.hstack([best, queries @ vectors(first, size).T])
        numbers = np.hstack(
            [ids, np.broadcast_to(np.arange(size) + first + 1, (len(queries), size))]
        )
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
    weights = [1 / (rank + 1) for rank in range(_WORDS)]
    times: list[float] = []
    for _ in range(SEARCHES):
        words = rng.choices(range(_WORDS), weights, k=6)
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
    folder = index.folder
    deleted_s, done = _timed(
        lambda: delete(
            engine, folder, "statement", names, by="benchmark", reason="benchmark", compact=False
        )
    )
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
        "rewrite_file_s": round(compact_s, 1),
    }


def _queries(count: int) -> NDArray[np.float32]:
    """Vectors beside those of the statements, drawn anywhere."""
    rng = np.random.default_rng(3)
    chosen = rng.integers(0, count, SEARCHES)
    near = np.concatenate([vectors(int(i), 1) for i in chosen])
    away = rng.standard_normal(near.shape, dtype=np.float32)
    found = near + 0.5 * away / np.linalg.norm(away, axis=1, keepdims=True)
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return np.ascontiguousarray(unit.astype(np.float32))


def _timed(work: Any) -> tuple[float, Any]:
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def _resident() -> int:
    """Bytes of this process in memory, without the pages of files."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no RssAnon in /proc/self/status")


def _settled() -> int:
    """The same after what is not needed was given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return _resident()


@contextmanager
def _peak() -> Iterator[list[int]]:
    """The most that was resident meanwhile, looked at every 5 ms."""
    most, stop = [_resident()], threading.Event()

    def watch() -> None:
        while not stop.is_set():
            most[0] = max(most[0], _resident())
            sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield most
    stop.set()
    watcher.join()


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
