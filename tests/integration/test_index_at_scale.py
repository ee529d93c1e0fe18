"""An index of lists: exact ids, measured recall, changes beside the data, rebuilt when outgrown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from haozhi import indexing
from ingest import batches
from store.engine import Engine, read, write
from store.statements import (
    NewStatement,
    add_statements,
    iter_embeddings,
    put_embeddings,
    withdraw_statement,
)
from store.vectors import generations, kinds
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import OtherEmbedder, read_manifest
from store.vectors.leaving import has_changes, leave, stored_ids
from store.works import NewWork, add_work

DIM = 16


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists from 500 vectors on, changes beside the data file from 100."""
    monkeypatch.setattr(kinds, "IVF_FROM", 500)
    monkeypatch.setattr(kinds, "SAMPLE_PER_LIST", 10)
    monkeypatch.setattr(generations, "CHANGES_FROM", 100)


def clustered(first: int, count: int) -> NDArray[np.float32]:
    """Unit vectors in clusters of ten."""
    rows = []
    for i in range(first, first + count):
        centre = np.random.default_rng(i // 10).normal(size=DIM)
        rows.append(centre + 0.3 * np.random.default_rng([1, i]).normal(size=DIM))
    found = np.array(rows)
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


def say(engine: Engine, first: int, count: int) -> list[int]:
    """Statements with the vectors of these numbers."""
    with write(engine) as s:
        work = NewWork("public", f"{first}", 1, "w", "w", "text/plain", "utf-8", "x", "text")
        new = [NewStatement(f"said {first + i}", "en", 10 * i, 10 * i + 9) for i in range(count)]
        added = add_statements(s, add_work(s, work), "public", new)
        ids = [each.statement_id for each in added]
        put_embeddings(s, "e", ids, clustered(first, count))
    return ids


def assert_equal(engine: Engine, index: FaissIndex) -> None:
    """What is on disk is what SQL says, vector by vector."""
    fresh = FaissIndex(index.folder, "e", DIM)
    fresh.load()
    with read(engine) as s:
        assert fresh.verify(iter_embeddings(s, "e")) == ()


@pytest.fixture
def index(tmp_path: Path) -> FaissIndex:
    """An index that was never saved."""
    return FaissIndex(tmp_path / "index", "e", DIM)


def test_an_index_becomes_lists_when_it_outgrows_the_exact_one(
    sqlite_engine: Engine, index: FaissIndex
) -> None:
    """From 500 vectors it has lists, with four times as many more, and far below none again."""
    ids = say(sqlite_engine, 0, 400)
    catch_up(sqlite_engine, index)
    kinds_seen = [read_manifest(index.folder)]
    for first, count in ((400, 200), (600, 1500)):
        ids += say(sqlite_engine, first, count)
        assert catch_up(sqlite_engine, index).rebuilt
        kinds_seen.append(read_manifest(index.folder))
        assert_equal(sqlite_engine, index)
    assert [found.lists for found in kinds_seen if found] == [0, 32, 64]
    with write(sqlite_engine) as s:
        for statement_id in ids[100:]:
            withdraw_statement(s, statement_id)
    catch_up(sqlite_engine, index)
    found = read_manifest(index.folder)
    assert found is not None
    assert (found.lists, found.count) == (0, 100)


def test_lists_find_what_exact_search_finds(sqlite_engine: Engine, index: FaissIndex) -> None:
    """Recall@10 is at least .95 on clustered vectors, and the manifest has what was measured."""
    ids = np.array(say(sqlite_engine, 0, 2000))
    catch_up(sqlite_engine, index)
    found = read_manifest(index.folder)
    assert found is not None
    assert 1 <= found.probes < found.lists
    assert found.recall >= kinds.RECALL
    queries = clustered(5, 100)
    exact = ids[np.argsort(-(queries @ clustered(0, 2000).T), axis=1)[:, :10]]
    hits = index.search(queries, 10)
    shared = [
        len({hit.statement_id for hit in row} & set(best.tolist()))
        for row, best in zip(hits, exact, strict=True)
    ]
    assert sum(shared) >= 0.95 * 1000


def test_probes_are_chosen_by_what_no_list_was_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are like no text that the lists know: those find in fewer lists what they seek."""
    monkeypatch.setattr(kinds, "QUERIES", 50)
    drawn = clustered(0, 32 * kinds.SAMPLE_PER_LIST + 50)
    trained: list[NDArray[np.float32]] = []
    train = kinds._trained

    def train_and_tell(lists: int, sample: NDArray[np.float32]) -> Any:
        trained.append(sample)
        return train(lists, sample)

    monkeypatch.setattr(kinds, "_trained", train_and_tell)
    index, queries = kinds.empty(DIM, 32, lambda size: drawn[:size])
    assert queries is not None
    assert np.array_equal(trained[0], drawn[:-50])
    assert np.allclose((queries * drawn[-50:]).sum(axis=1), 0.9, atol=0.06)
    index.add_with_ids(drawn, np.arange(len(drawn)))
    probes, recall = kinds.set_probes(index, queries)
    assert recall >= kinds.RECALL
    assert recall == pytest.approx(_recall(index, drawn, queries), abs=1e-9)
    index.nprobe = probes - 1
    assert probes == 1 or _recall(index, drawn, queries) < kinds.RECALL


def _recall(index: Any, vectors: NDArray[np.float32], queries: NDArray[np.float32]) -> float:
    exact = np.argsort(-(queries @ vectors.T), axis=1)[:, :10]
    _, found = index.search(queries, 10)
    return float(np.mean([np.isin(e, f).mean() for e, f in zip(exact, found, strict=True)]))


def test_ids_leave_a_large_index_without_its_vectors_being_read(
    sqlite_engine: Engine, index: FaissIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers take that up like any change; of ids that are not there nothing happens."""
    ids = np.array(say(sqlite_engine, 0, 1000))
    catch_up(sqlite_engine, index)
    with monkeypatch.context() as patched:
        patched.setattr(FaissIndex, "load", None)
        assert leave(index.folder, np.array([*ids[:3], 10**6])) == 3
        assert leave(index.folder, ids[:3]) == 0
        assert leave(index.folder, ids[3:5]) == 2
    here = stored_ids(index.folder)
    assert here is not None
    assert sorted(here.tolist()) == ids[5:].tolist()
    reader = FaissIndex(index.folder, "e", DIM)
    reader.load()
    assert reader.ids().tolist() == ids[5:].tolist()
    assert catch_up(sqlite_engine, index).added == 5


def test_what_cannot_leave_quickly_is_left_to_catching_up(
    sqlite_engine: Engine, index: FaissIndex
) -> None:
    """A small index, a large part of one, and a damaged one are written anew as a whole."""
    ids = np.array(say(sqlite_engine, 0, 90))
    assert leave(index.folder, ids[:1]) is None
    catch_up(sqlite_engine, index)
    assert leave(index.folder, ids[:1]) is None
    more = np.array(say(sqlite_engine, 90, 900))
    catch_up(sqlite_engine, index)
    assert leave(index.folder, more[:200]) is None
    (data,) = index.folder.glob("*.faiss")
    data.write_bytes(data.read_bytes()[:1000])
    assert leave(index.folder, ids[:1]) is None
    assert stored_ids(index.folder) is None


def test_saved_as_a_whole_no_file_has_what_left(sqlite_engine: Engine, index: FaissIndex) -> None:
    """A change beside the data leaves the vectors in the data file until it is written anew."""
    ids = np.array(say(sqlite_engine, 0, 600))
    catch_up(sqlite_engine, index)
    gone = clustered(0, 1).tobytes()
    assert leave(index.folder, ids[:1]) == 1
    assert any(gone in path.read_bytes() for path in index.folder.iterdir())
    assert has_changes(index.folder)
    with index.writing():
        index.save(whole=True)
    assert not has_changes(index.folder)
    assert not any(gone in path.read_bytes() for path in index.folder.iterdir())


def test_among_given_ids_all_are_looked_at(sqlite_engine: Engine, index: FaissIndex) -> None:
    """A filter never loses a statement because its list is far from the question."""
    ids = say(sqlite_engine, 0, 1000)
    catch_up(sqlite_engine, index)
    few = np.array(ids[::100])
    (hits,) = index.search(clustered(777, 1), 50, few)
    assert sorted(hit.statement_id for hit in hits) == few.tolist()


def test_a_change_of_a_large_index_writes_only_the_change(
    sqlite_engine: Engine, index: FaissIndex
) -> None:
    """Data stays as it is; readers take up the changes; many of them are written into one."""
    ids = say(sqlite_engine, 0, 1000)
    catch_up(sqlite_engine, index)
    reader = FaissIndex(index.folder, "e", DIM)
    reader.load()
    (data,) = index.folder.glob("*.faiss")
    for number in range(3):
        with write(sqlite_engine) as s:
            withdraw_statement(s, ids[number])
        say(sqlite_engine, 2000 + number, 1)
        catch_up(sqlite_engine, index)
        assert reader.load()
        assert ids[number] not in reader.ids()
        assert_equal(sqlite_engine, index)
    assert data.exists()
    assert len(list(index.folder.glob("*.changes"))) == 3
    say(sqlite_engine, 3000, 200)
    catch_up(sqlite_engine, index)
    assert not list(index.folder.glob("*.changes"))
    assert_equal(sqlite_engine, index)


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_damaged_changes_are_rebuilt(sqlite_engine: Engine, index: FaissIndex, damage: str) -> None:
    """A file of changes that is lost or altered is never half believed."""
    ids = say(sqlite_engine, 0, 600)
    catch_up(sqlite_engine, index)
    with write(sqlite_engine) as s:
        withdraw_statement(s, ids[0])
    catch_up(sqlite_engine, index)
    (path,) = index.folder.glob("*.changes")
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    again = FaissIndex(index.folder, "e", DIM)
    assert catch_up(sqlite_engine, again).rebuilt
    assert_equal(sqlite_engine, again)


class Other:
    """Another embedder, which looks at the old index each time that it is used."""

    fingerprint = "other"
    dim = DIM

    def __init__(self, old: FaissIndex, fail_after: int = 10**6) -> None:
        self.old, self.left, self.texts = old, fail_after, 0

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors by the number in the text."""
        self.left -= 1
        if self.left < 0:
            raise ZeroDivisionError
        fresh = FaissIndex(self.old.folder, "e", DIM)
        fresh.load()
        assert len(fresh.search(clustered(1, 1), 3)[0]) == 3
        self.texts += len(texts)
        return np.concatenate([clustered(int(text.split()[-1]) + 7, 1) for text in texts])

    queries = passages


def test_another_embedder_embeds_all_while_the_old_index_serves(
    sqlite_engine: Engine, index: FaissIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped, it goes on where it was; the old index serves until the new one is whole."""
    monkeypatch.setattr(batches, "BATCH", 50)
    ids = say(sqlite_engine, 0, 120)
    catch_up(sqlite_engine, index)
    with pytest.raises(ZeroDivisionError):
        indexing.rebuild(sqlite_engine, Other(index, fail_after=1), index.folder)
    seen: list[tuple[int, int]] = []
    other = Other(index)
    state = indexing.rebuild(
        sqlite_engine, other, index.folder, lambda done, total: seen.append((done, total))
    )
    assert (other.texts, seen) == (70, [(50, 70), (70, 70)])
    assert (state.fingerprint, state.vectors, state.embedded) == ("other", 120, 70)
    fresh = FaissIndex(index.folder, "other", DIM)
    fresh.load()
    assert fresh.ids().tolist() == ids
    with pytest.raises(OtherEmbedder, match="haozhi index rebuild"):
        catch_up(sqlite_engine, FaissIndex(index.folder, "e", DIM))
