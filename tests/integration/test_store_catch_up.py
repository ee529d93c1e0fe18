"""SQL is the truth: whatever happened to the index, catching up makes it equal."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, update

from store.engine import read, write
from store.schema import EmbeddingRow
from store.statements import (
    NewStatement,
    add_statements,
    iter_embeddings,
    put_embeddings,
    withdraw_statement,
)
from store.vectors.catch_up import Caught, catch_up, rebuild_index
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import OtherEmbedder
from store.works import NewWork, add_work

DIM = 16


def _vectors(count: int, seed: int) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).normal(size=(count, DIM))
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


def _ingest(engine: Engine, name: str, count: int, fingerprint: str = "e") -> list[int]:
    """Commit `count` statements with vectors, as ingestion does; the index does not know them."""
    with write(engine) as s:
        work = add_work(
            s, NewWork("public", name, 1, name, name, "text/plain", "utf-8", "x", "text")
        )
        new = [NewStatement(f"{name} {i}", "en", 10 * i, 10 * i + 9) for i in range(count)]
        ids = [added.statement_id for added in add_statements(s, work, "public", new)]
        put_embeddings(s, fingerprint, ids, _vectors(count, seed=len(name)))
    return ids


def _assert_equal(engine: Engine, index: FaissIndex) -> None:
    fresh = FaissIndex(index.folder, index.fingerprint, index.dim)
    fresh.load()
    with read(engine) as s:
        assert fresh.verify(iter_embeddings(s, index.fingerprint)) == ()


@pytest.fixture
def index(tmp_path: Path) -> FaissIndex:
    """An index that was never saved."""
    return FaissIndex(tmp_path / "index", "e", DIM)


def test_first_start_builds_the_index(engine: Engine, index: FaissIndex) -> None:
    """Without an index everything is read from SQL; with an equal one nothing is done."""
    _ingest(engine, "a", 5)
    assert catch_up(engine, index) == Caught(5, 0, rebuilt=True)
    assert catch_up(engine, index) == Caught(0, 0, rebuilt=False)
    _assert_equal(engine, index)


def test_empty_store_has_an_empty_index(sqlite_engine: Engine, index: FaissIndex) -> None:
    """A new store starts with an index of nothing, not with an error."""
    assert catch_up(sqlite_engine, index).added == 0
    assert index.search(_vectors(1, 0), 8) == ((),)


def test_crash_between_commit_and_save_is_caught_up(engine: Engine, index: FaissIndex) -> None:
    """What was committed but not yet indexed is added at the next start, no id twice."""
    _ingest(engine, "a", 5)
    catch_up(engine, index)
    _ingest(engine, "bb", 3)
    assert catch_up(engine, index) == Caught(3, 0, rebuilt=False)
    _assert_equal(engine, index)


def test_withdrawn_statement_leaves_the_index(engine: Engine, index: FaissIndex) -> None:
    """Catching up removes what was withdrawn; a rebuild does not bring it back."""
    ids = _ingest(engine, "a", 5)
    catch_up(engine, index)
    with write(engine) as s:
        withdraw_statement(s, ids[2])
    assert catch_up(engine, index) == Caught(0, 1, rebuilt=False)
    assert ids[2] not in index.ids()
    rebuild_index(engine, index)
    assert ids[2] not in index.ids()
    _assert_equal(engine, index)


def test_damaged_index_is_rebuilt(sqlite_engine: Engine, index: FaissIndex) -> None:
    """A flipped byte in the file is repaired from SQL at the next start."""
    _ingest(sqlite_engine, "a", 5)
    catch_up(sqlite_engine, index)
    (data,) = index.folder.glob("vectors-*")
    data.write_bytes(data.read_bytes()[:-1] + b"\xff")
    again = FaissIndex(index.folder, "e", DIM)
    assert catch_up(sqlite_engine, again) == Caught(5, 0, rebuilt=True)
    _assert_equal(sqlite_engine, again)


def test_vector_that_differs_from_sql_is_rebuilt(sqlite_engine: Engine, index: FaissIndex) -> None:
    """An index whose vectors are not those of SQL credits wrong authors: it is made anew."""
    ids = _ingest(sqlite_engine, "a", 5)
    catch_up(sqlite_engine, index)
    with write(sqlite_engine) as s:
        other = _vectors(1, seed=9).tobytes()
        s.execute(
            update(EmbeddingRow).where(EmbeddingRow.statement_id == ids[1]).values(vector=other)
        )
    assert catch_up(sqlite_engine, index).rebuilt
    _assert_equal(sqlite_engine, index)


def test_other_embedder_is_only_overruled_by_a_rebuild(
    sqlite_engine: Engine, index: FaissIndex
) -> None:
    """A changed embedder never replaces the index by itself; `rebuild_index` does."""
    _ingest(sqlite_engine, "a", 5)
    catch_up(sqlite_engine, index)
    ids = _ingest(sqlite_engine, "bb", 3, fingerprint="other")
    other = FaissIndex(index.folder, "other", DIM)
    with pytest.raises(OtherEmbedder, match="haozhi index rebuild"):
        catch_up(sqlite_engine, other)
    assert index.count() == 5
    rebuild_index(sqlite_engine, other)
    assert other.ids().tolist() == ids
    with pytest.raises(OtherEmbedder):
        catch_up(sqlite_engine, index)
