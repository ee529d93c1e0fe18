"""One writer, whole generations, and every damage named or repaired."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from store.errors import IndexMissing, StoreBusy, StoreFull
from store.vectors import locking
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import OtherEmbedder

DIM = 16


def _vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).normal(size=(count, DIM))
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an index that holds ten vectors, ids 0..9."""
    index = FaissIndex(tmp_path / "index", "e", DIM)
    with index.writing():
        index.add(range(10), _vectors(10))
        index.save()
    return index.folder


def _loaded(folder: Path) -> FaissIndex:
    index = FaissIndex(folder, "e", DIM)
    index.load()
    return index


def test_search_equals_exhaustive_search(folder: Path) -> None:
    """The nearest statements and their similarities are those of a plain matrix product."""
    queries = _vectors(3, seed=1)
    expected = queries @ _vectors(10).T
    for row, hits in zip(expected, _loaded(folder).search(queries, 4), strict=True):
        assert [hit.statement_id for hit in hits] == np.argsort(-row)[:4].tolist()
        np.testing.assert_allclose([hit.similarity for hit in hits], np.sort(row)[::-1][:4], 1e-5)


def test_asking_for_more_than_there_is_gives_all(folder: Path) -> None:
    """No hit is made up: an index of ten gives ten, an empty one none."""
    assert len(_loaded(folder).search(_vectors(1), 99)[0]) == 10
    assert FaissIndex(folder / "none", "e", DIM).search(_vectors(1), 5) == ((),)


def test_equal_similarities_come_by_id(tmp_path: Path) -> None:
    """Ties are broken by the statement id, so that the same question gives the same context."""
    index = FaissIndex(tmp_path, "e", DIM)
    with index.writing():
        index.add([5, 3, 9], np.repeat(_vectors(1), 3, axis=0))
        index.save()
    assert [hit.statement_id for hit in index.search(_vectors(1), 3)[0]] == [3, 5, 9]


def test_removal_shifts_no_id(folder: Path) -> None:
    """After a removal every other id still finds its own vector."""
    index = _loaded(folder)
    with index.writing():
        assert index.remove([2, 4, 77]) == 2
        index.save()
    for i in (0, 1, 3, 5, 9):
        assert index.search(_vectors(10)[i : i + 1], 1)[0][0].statement_id == i


def test_id_is_refused_twice(folder: Path) -> None:
    """FAISS takes an id twice without a word; the index does not, nor a negative one."""
    index = _loaded(folder)
    with index.writing():
        for ids in ([3], [20, 20], [-1]):
            with pytest.raises(ValueError, match="already|negative"):
                index.add(ids, _vectors(len(ids)))
        assert index.count() == 10


@pytest.mark.parametrize(
    "vectors",
    [
        _vectors(1) * 2,
        _vectors(1) * np.float32(np.nan),
        _vectors(1) * np.float32(np.inf),
        _vectors(1).astype(np.float64),
        _vectors(1)[:, :8],
        _vectors(2),
        _vectors(1)[0],
        np.zeros((1, DIM), dtype=np.float32),
    ],
)
def test_bad_vector_is_refused(folder: Path, vectors: NDArray[np.float32]) -> None:
    """Not finite, not of norm 1, wrong type, length or number: refused when added or searched."""
    index = _loaded(folder)
    with index.writing(), pytest.raises(ValueError, match="norm|expected"):
        index.add([20], vectors)
    if len(vectors) == 1:
        with pytest.raises(ValueError, match="norm|expected"):
            index.search(vectors, 1)


def test_change_outside_writing_is_refused(folder: Path) -> None:
    """Only the holder of the writer's place changes the index."""
    index = _loaded(folder)
    for change in (lambda: index.add([20], _vectors(1)), lambda: index.remove([1]), index.save):
        with pytest.raises(RuntimeError, match="writing"):
            change()


def test_reader_keeps_its_generation_until_it_loads(folder: Path) -> None:
    """A reader is not disturbed by a writer; loading takes up what was saved, once."""
    reader, writer = _loaded(folder), _loaded(folder)
    with writer.writing():
        writer.add([20], _vectors(1, seed=5))
        assert not reader.load()
        writer.save()
    assert reader.count() == 10
    assert reader.load()
    assert reader.count() == 11
    assert not reader.load()


def test_leaving_without_saving_drops_the_changes(folder: Path) -> None:
    """An exception while writing leaves the last generation, for the writer too."""
    index = _loaded(folder)

    def fail_halfway() -> None:
        with index.writing():
            index.remove(range(10))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert index.count() == 10
    assert _loaded(folder).count() == 10


def test_second_writer_is_told_to_wait(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that finds another one gives up with StoreBusy."""
    monkeypatch.setattr(locking, "LOCK_TIMEOUT_S", 0.2)
    with _loaded(folder).writing(), pytest.raises(StoreBusy), _loaded(folder).writing():
        raise AssertionError("two writers at once")


def test_index_of_another_embedder_names_the_command(folder: Path) -> None:
    """Vectors of another embedder are never searched; the error says what to run."""
    for fingerprint, dim in (("other", DIM), ("e", 8)):
        with pytest.raises(OtherEmbedder, match="haozhi index rebuild"):
            FaissIndex(folder, fingerprint, dim).load()


def _flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: _flip_a_byte(folder / "vectors-1.faiss"),
        lambda folder: (folder / "vectors-1.faiss").unlink(),
        lambda folder: (folder / "vectors-1.faiss").write_bytes(b""),
        lambda folder: (folder / "manifest.json").unlink(),
        lambda folder: (folder / "manifest.json").write_text('{"format": 1'),
        lambda folder: (folder / "manifest.json").write_text("[]"),
        lambda folder: (folder / "manifest.json").write_bytes(b"\xff\xfe"),
    ],
)
def test_damaged_index_names_the_command(folder: Path, damage: object) -> None:
    """A lost or changed byte is noticed before anybody is credited by it."""
    assert callable(damage)
    damage(folder)
    with pytest.raises(IndexMissing, match="haozhi index rebuild"):
        FaissIndex(folder, "e", DIM).load()


def test_full_disk_keeps_the_last_generation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the next generation cannot be written the last one is whole and nothing is left."""

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    index, before = _loaded(folder), sorted(folder.iterdir())
    with index.writing():
        index.add([20], _vectors(1))
        monkeypatch.setattr(os, "fsync", no_space)
        with pytest.raises(StoreFull, match="free some space"):
            index.save()
    assert sorted(folder.iterdir()) == before
    assert _loaded(folder).count() == 10


def test_verify_names_every_difference(folder: Path) -> None:
    """Missing, changed and unknown vectors are listed by statement; a sample misses none."""
    index, vectors = _loaded(folder), _vectors(10)
    vectors[7] = vectors[8]
    truth = [(np.array([7, 8, 20]), np.concatenate([vectors[7:9], _vectors(1)]))]
    found = [(d.code, d.subject) for d in index.verify(truth, sample=True)]
    assert found == [("vector_missing", "statement 20"), ("vector_differs", "statement 7")]
    found = [(d.code, d.subject) for d in index.verify(truth)]
    assert found[2:] == [("vector_unknown", f"statement {i}") for i in (0, 1, 2, 3, 4, 5, 6, 9)]


def test_readers_never_fail_while_generations_change(folder: Path) -> None:
    """Loading and searching go on, always on a whole generation, while a writer publishes."""
    writer, stop = _loaded(folder), threading.Event()
    problems: list[BaseException] = []

    def look() -> None:
        reader = FaissIndex(folder, "e", DIM)
        try:
            while not stop.is_set():
                reader.load()
                assert reader.search(_vectors(10)[3:4], 1)[0][0].statement_id == 3
        except BaseException as error:  # noqa: BLE001  # shown by the assertion below
            problems.append(error)

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for i in range(40):
        with writer.writing():
            writer.add([100 + i], _vectors(1, seed=i))
            writer.save()
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []


WRITER = f"""
import sys
from pathlib import Path
import numpy as np
from store.vectors.faiss_index import FaissIndex
index = FaissIndex(Path(sys.argv[1]), "e", {DIM})
vector = np.eye(1, {DIM}, dtype=np.float32)
with index.writing():
    print("ready", flush=True)
    i = 1000
    while True:
        index.add([i], vector)
        index.save()
        i += 1
"""


def test_killed_writer_leaves_a_whole_generation(folder: Path) -> None:
    """Kill -9 while saving, several times: the index loads, and the next writer gets its place."""
    for attempt in range(6):
        before = _loaded(folder).count()
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        threading.Event().wait(0.02 + 0.013 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        index = _loaded(folder)
        assert index.count() >= before
        assert index.search(_vectors(10)[3:4], 1)[0][0].statement_id == 3
        with index.writing():
            index.remove(range(1000, 100_000))
            index.save()
        assert len(list(folder.glob("vectors-*"))) == 1
