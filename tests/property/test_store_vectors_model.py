"""The index on disk against a dict: whatever the order of changes, ids keep their own vectors."""

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from numpy.typing import NDArray

from store.vectors import generations, kinds
from store.vectors.faiss_index import FaissIndex

DIM = 4
IDS = st.lists(st.integers(0, 12), unique=True, max_size=5)
SEEDS = st.integers(0, 2**16)


def _vectors(count: int, seed: int) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).normal(size=(count, DIM))
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


class IndexModel(RuleBasedStateMachine):
    """`saved` is what readers must see; `changed` what the writer has made of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="haozhi-index-"))
        self.index = FaissIndex(self.folder, "e", DIM)
        self.reader = FaissIndex(self.folder, "e", DIM)
        self.saved: dict[int, NDArray[np.float32]] = {}
        self.changed: dict[int, NDArray[np.float32]] = {}
        self.generations = 0
        self.writing = ExitStack()
        self.is_writing = False

    @precondition(lambda self: not self.is_writing)
    @rule()
    def begin(self) -> None:
        self.writing.enter_context(self.index.writing())
        self.is_writing, self.changed = True, dict(self.saved)

    @precondition(lambda self: self.is_writing)
    @rule()
    def leave(self) -> None:
        self.writing.close()
        self.is_writing = False

    @precondition(lambda self: self.is_writing)
    @rule(ids=IDS, seed=SEEDS)
    def add(self, ids: list[int], seed: int) -> None:
        vectors = _vectors(len(ids), seed)
        if self.changed.keys() & set(ids):
            with pytest.raises(ValueError, match="already"):
                self.index.add(ids, vectors)
        else:
            self.index.add(ids, vectors)
            self.changed |= dict(zip(ids, vectors, strict=True))

    @precondition(lambda self: self.is_writing)
    @rule(ids=IDS)
    def remove(self, ids: list[int]) -> None:
        there = [i for i in ids if i in self.changed]
        assert self.index.remove(ids) == len(there)
        for i in there:
            del self.changed[i]

    @precondition(lambda self: self.is_writing)
    @rule(ids=IDS, seed=SEEDS)
    def rebuild(self, ids: list[int], seed: int) -> None:
        vectors = _vectors(len(ids), seed)
        batches = [(np.array(ids, dtype=np.int64), vectors)]
        self.index.rebuild(batches, len(ids), lambda size: vectors[:size])
        self.changed = dict(zip(ids, vectors, strict=True))

    @precondition(lambda self: self.is_writing)
    @rule()
    def save(self) -> None:
        self.index.save()
        self.saved, self.generations = dict(self.changed), self.generations + 1

    @invariant()
    def writer_has_its_changes(self) -> None:
        expected = self.changed if self.is_writing else self.saved
        assert self.index.ids().tolist() == sorted(expected)
        assert self.index.count() == len(expected)

    @invariant()
    def readers_see_what_was_saved(self) -> None:
        if not self.generations:
            return
        self.reader.load()
        ids = np.array(sorted(self.saved), dtype=np.int64)
        vectors = np.array([self.saved[i] for i in ids.tolist()], dtype=np.float32)
        assert self.reader.verify([(ids, vectors.reshape(-1, DIM))]) == ()
        for i, vector in self.saved.items():
            (hits,) = self.reader.search(vector[None], len(self.saved) + 3)
            assert sorted(hit.statement_id for hit in hits) == sorted(self.saved)
            best = {hit.statement_id for hit in hits if hit.similarity >= hits[0].similarity}
            assert i in best

    def teardown(self) -> None:
        self.writing.close()
        shutil.rmtree(self.folder)


@pytest.mark.parametrize("ivf_from", [10**6, 3], ids=["flat", "lists"])
@pytest.mark.parametrize("changes_from", [10**6, 0], ids=["whole", "changes"])
def test_index_agrees_with_a_dict(
    ivf_from: int, changes_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any sequence of changes readers see exactly the saved vectors under their ids.

    So it is for both kinds of index, and whether all is written each time or only what changed.
    """
    monkeypatch.setattr(kinds, "IVF_FROM", ivf_from)
    monkeypatch.setattr(kinds, "SAMPLE_PER_LIST", 1)
    monkeypatch.setattr(generations, "CHANGES_FROM", changes_from)
    monkeypatch.setattr(generations, "MOST_CHANGES", 3)
    monkeypatch.setattr(generations, "MOST_CHANGED", 9)
    run_state_machine_as_test(
        IndexModel, settings=settings(max_examples=25, stateful_step_count=25, deadline=None)
    )
