"""Processes that search while one writes: is every hit the statement that its row says?

Every statement names its author, and its vector is made of its words: a hit whose text, author,
vector and id do not belong together is seen. The writer adds, withdraws and rebuilds all the time.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haozhi.ranking import Near, similarities
from haozhi.search import search
from store import lexical
from store.database import upgrade
from store.engine import Engine, make_engine, read, write
from store.lexical import tokens
from store.people import resolve_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings, withdraw_statement
from store.vectors.catch_up import catch_up, rebuild_index
from store.vectors.faiss_index import FaissIndex
from store.works import NewWork, add_work

READERS = 8
BATCH = 20
FIRST = 50  # batches before anybody searches
WORDS = 2000


class Words:
    """An embedder whose vectors are the sum of one random direction per token."""

    fingerprint = "words"
    dim = 64

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, [len(texts), 64]."""
        rows = np.stack([sum(map(_direction, tokens(text))) for text in texts])
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same."""
        return self.passages(texts)


@cache
def _direction(token: str) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(token.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(Words.dim, dtype=np.float32)


def measure(searches: int = 100_000) -> dict[str, Any]:
    """Let READERS processes do so many searches together while one writes, and count."""
    with tempfile.TemporaryDirectory(prefix="haozhi-readers-") as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        near = _near(Path(folder))
        for number in range(FIRST):
            _add(engine, near, number)
        start = perf_counter()
        writer = _start(folder, "write", 0, 0)
        each = [searches // READERS + (n < searches % READERS) for n in range(READERS)]
        readers = [_start(folder, "read", n, count) for n, count in enumerate(each)]
        found = [json.loads(reader.communicate()[0] or "{}") for reader in readers]
        seconds = perf_counter() - start
        (Path(folder) / "stop").touch()
        wrote = json.loads(writer.communicate()[0] or "{}")
        engine.dispose()
    assert all([*found, wrote]), "a process failed"
    return {
        "searches": sum(each["searches"] for each in found),
        "hits": sum(each["hits"] for each in found),
        "wrong": [line for each in found for line in each["wrong"]],
        "generations_seen": sum(each["generations"] for each in found),
        "batches_written": wrote["batches"],
        "searches_per_s": round(searches / seconds, 1),
    }


def _start(folder: str, role: str, seed: int, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "benchmarks.readers", folder, role, str(seed), str(count)]
    here = Path(__file__).parent.parent
    # A search is too short to be shared among threads.
    one = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here, env=one)


def _near(folder: Path) -> Near:
    embedder = Words()
    return Near(embedder, FaissIndex(folder / "index", embedder.fingerprint, embedder.dim))


def _sentence(rng: random.Random) -> str:
    return " ".join(f"w{rng.randrange(WORDS)}" for _ in range(rng.randint(4, 12)))


def _add(engine: Engine, near: Near, number: int) -> list[int]:
    """One work by an author of its own; each statement says who that is."""
    rng = random.Random(number)
    author = f"author{number % 97}"
    texts = [f"{author} {_sentence(rng)} n{number}x{i}" for i in range(BATCH)]
    body = "\n".join(texts)
    digest = hashlib.sha256(body.encode()).hexdigest()
    vectors = near.embedder.passages(texts)
    with write(engine) as s:
        said_by = (AuthorShare(resolve_author(s, author, "benchmark"), 1_000_000),)
        work = NewWork("public", digest, 1, "b", "b", "text/plain", "utf-8", "benchmark", body)
        starts = [body.index(text) for text in texts]
        new = [
            NewStatement(text, "en", at, at + len(text), said_by)
            for text, at in zip(texts, starts, strict=True)
        ]
        added = add_statements(s, add_work(s, work), "public", new)
        ids = [each.statement_id for each in added]
        put_embeddings(s, near.embedder.fingerprint, ids, vectors)
    catch_up(engine, near.index)
    return ids


def _write(folder: Path, engine: Engine, near: Near) -> dict[str, Any]:
    """Add, withdraw and rebuild until the file `stop` is there."""
    rng, number, ids = random.Random(0), FIRST, []
    while not (folder / "stop").exists():
        ids += _add(engine, near, number)
        number += 1
        with write(engine) as s:
            for _ in range(BATCH - 2):  # grows slowly, so that searches stay comparable
                withdraw_statement(s, ids.pop(rng.randrange(len(ids))))
        if number % 20 == 0:
            rebuild_index(engine, near.index)
            with write(engine) as s:
                lexical.rebuild(s)
    return {"batches": number - FIRST}


def _read(engine: Engine, near: Near, seed: int, count: int) -> dict[str, Any]:
    rng = random.Random(1000 + seed)
    wrong: list[str] = []
    hits = generations = 0
    for _ in range(count):
        generations += near.index.load()
        text = f"{_sentence(rng)} author{rng.randrange(97)}"
        found = search(engine, near, text, 8)
        hits += len(found)
        for each in found:
            said = each.statement.text or ""
            if list(each.names.values()) != said.split()[:1]:
                wrong.append(f"author of {said!r}: {each.names}")
            expected = float(
                (near.embedder.passages([said]) @ near.embedder.queries([text]).T)[0, 0]
            )
            if each.similarity is None or abs(each.similarity - expected) > 1e-3:
                wrong.append(f"vector of {said!r}: {each.similarity}, not {expected}")
        wrong += _wrong_ids(engine, near, text)
    return {"searches": count, "hits": hits, "wrong": wrong, "generations": generations}


def _wrong_ids(engine: Engine, near: Near, text: str) -> Iterator[str]:
    """Ids in the index whose vector is another one than the row's."""
    query = near.query(text)
    (hits,) = near.index.search(query, 20)
    with read(engine) as s:
        rows = similarities(s, near.embedder, query, [hit.statement_id for hit in hits])
    for hit in hits:
        row = rows.get(hit.statement_id, hit.similarity)  # withdrawn since
        if abs(row - hit.similarity) > 1e-3:
            yield f"statement {hit.statement_id}: {hit.similarity} in the index, {row} in its row"


if __name__ == "__main__":
    place, role, number, searches = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
    database, index = make_engine(f"sqlite:///{place}/haozhi.db"), _near(place)
    if role == "write":
        print(json.dumps(_write(place, database, index)))  # noqa: T201
    else:
        print(json.dumps(_read(database, index, number, searches)))  # noqa: T201
