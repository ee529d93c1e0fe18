"""Retrieval: the nearest visible statements, one per cluster, in a fixed order."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, update

from haozhi.retrieve import retrieve, search_text
from store.engine import write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.rights import NewGrant, add_grant, add_holder, end_grant, list_grants
from store.schema import StatementRow
from store.statements import NewStatement, add_statements, put_embeddings, withdraw_statement
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex
from store.works import NewWork, add_work

SUMS = ("1 + 1 = 2", "2 + 1 = 3", "1 + 3 = 4", "5 + 4 = 9", "9 = 5 + 4", "the sea is deep")


class Told:
    """An embedder that is told how similar a query is to each statement (by number in SUMS).

    Statements stand at right angles to each other, so that any similarities can be had whose
    squares sum to at most 1.
    """

    fingerprint = "told"
    dim = len(SUMS) + 1

    def __init__(self, near: dict[str, dict[int, float]]) -> None:
        self._near = near
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One axis per statement."""
        return np.eye(self.dim, dtype=np.float32)[[SUMS.index(text) for text in texts]]

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The told similarities; the rest of the vector's length is in no statement's direction."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for number, similarity in self._near.get(text, {}).items():
                row[number] = similarity
            row[-1] = np.sqrt(1 - row @ row)
        self.asked += texts
        return rows


@pytest.fixture
def ids(sqlite_engine: Engine) -> list[int]:
    """The statements by one author, with their vectors."""
    text = "\n".join(SUMS)
    with write(sqlite_engine) as s:
        whole = AuthorShare(add_author(s, "A", "test"), 1_000_000)
        work = NewWork("public", "0" * 64, 1, "sums", "sums", "text/plain", "utf-8", "test", text)
        new = [
            NewStatement(each, "en", at, at + len(each), (whole,))
            for each, at in zip(SUMS, map(text.index, SUMS), strict=True)
        ]
        added = add_statements(s, add_work(s, work), "public", new)
        found = [each.statement_id for each in added]
        put_embeddings(s, Told.fingerprint, found, Told({}).passages(SUMS))
    return found


@pytest.fixture
def index(sqlite_engine: Engine, ids: list[int], tmp_path: Path) -> FaissIndex:
    """The index over them."""
    assert ids
    index = FaissIndex(tmp_path / "index", Told.fingerprint, Told.dim)
    catch_up(sqlite_engine, index)
    return index


def _found(
    engine: Engine, index: FaissIndex, told: Told, question: str, k: int
) -> list[tuple[str | None, float]]:
    found = retrieve(engine, told, index, question, k).found
    return [(each.statement.text, round(each.similarity, 3)) for each in found]


def _join(engine: Engine, ids: Sequence[int]) -> None:
    """Put statements into the first one's cluster."""
    with write(engine) as s:
        s.execute(update(StatementRow).where(StatementRow.id.in_(ids)).values(cluster_id=ids[0]))


def test_the_nearest_come_first_and_equals_by_id(sqlite_engine: Engine, index: FaissIndex) -> None:
    """Order is similarity, then id; at most k of them."""
    told = Told({"how?": {2: 0.4, 0: 0.4, 5: 0.6, 1: 0.3}})
    expected = [(SUMS[5], 0.6), (SUMS[0], 0.4), (SUMS[2], 0.4), (SUMS[1], 0.3)]
    assert _found(sqlite_engine, index, told, "how?", 4) == expected
    assert _found(sqlite_engine, index, told, "how?", 1) == expected[:1]


def test_what_was_withdrawn_takes_no_place(
    sqlite_engine: Engine, ids: list[int], index: FaissIndex
) -> None:
    """The index may still know it; the database decides, and the next one moves up."""
    told = Told({"how?": {0: 0.6, 1: 0.5, 2: 0.4}})
    with write(sqlite_engine) as s:
        withdraw_statement(s, ids[0])
    assert _found(sqlite_engine, index, told, "how?", 2) == [(SUMS[1], 0.5), (SUMS[2], 0.4)]


def test_one_of_a_cluster_is_retrieved(
    sqlite_engine: Engine, ids: list[int], index: FaissIndex
) -> None:
    """Of near-duplicates one is found, and it leaves its twin's place to another."""
    told = Told({"how?": {3: 0.5, 4: 0.6, 5: 0.4}, f"how? {SUMS[3]}": {4: 0.7, 5: 0.6}})
    _join(sqlite_engine, ids[3:5])
    assert _found(sqlite_engine, index, told, "how?", 2) == [(SUMS[3], 0.5), (SUMS[5], 0.4)]


def test_a_clone_never_takes_the_first_ones_place(
    sqlite_engine: Engine, ids: list[int], index: FaissIndex
) -> None:
    """However near a copy lies, the statement that was first stands for the cluster."""
    near = dict.fromkeys(range(1, 5), 0.45)
    told = Told({"how?": near | {5: 0.2}, f"how? {SUMS[0]}": near})
    _join(sqlite_engine, ids[:5])
    assert _found(sqlite_engine, index, told, "how?", 1) == [(SUMS[0], 0.0)]
    # The search sees the four clones only, and still finds whom they copied.
    assert _found(sqlite_engine, index, told, "how?", 2) == [(SUMS[5], 0.2), (SUMS[0], 0.0)]


def test_what_may_not_be_used_takes_no_place(sqlite_engine: Engine, index: FaissIndex) -> None:
    """When the nearest works are kept out by grants, the search looks deeper than they lie."""
    text = "x" * 9
    with write(sqlite_engine) as s:
        work = NewWork("public", "1" * 64, 1, "book", "book", "text/plain", "utf-8", "test", text)
        book = add_work(s, work)
        said = [NewStatement(f"{i}", "en", i, i + 1) for i in range(9)]
        added = [a.statement_id for a in add_statements(s, book, "public", said)]
        vectors = np.zeros((9, Told.dim), dtype=np.float32)
        vectors[:, 0], vectors[:, 5] = 0.8, 0.6  # nearer than what it lies between
        put_embeddings(s, Told.fingerprint, added, vectors)
        add_grant(s, NewGrant(book, add_holder(s, "Press"), 0, may_retrieve=False), "x")
    catch_up(sqlite_engine, index)
    told = Told({"how?": {0: 0.6, 5: 0.5}})
    assert index.count() == len(SUMS) + 9
    assert _found(sqlite_engine, index, told, "how?", 1) == [(SUMS[0], 0.6)]
    with write(sqlite_engine) as s:
        end_grant(s, list_grants(s, book)[0].id, "x")
        add_grant(s, NewGrant(book, add_holder(s, "Other"), 0), "x")
    # It comes back without reindexing.
    assert _found(sqlite_engine, index, told, "how?", 1) == [("0", 0.78)]


@pytest.mark.parametrize("question", ["1+1+1 等于几？", "What is 1 + 1 + 1?", "1 + 1 + 1 = ?"])
def test_a_sum_is_searched_for_in_one_form(question: str) -> None:
    """However it is asked, the same statements are found; other questions stay as they are."""
    assert search_text(question) == "1 + 1 + 1 = ?"
    assert search_text("Why is the sea deep?") == "Why is the sea deep?"


def test_words_find_what_vectors_do_not(sqlite_engine: Engine, index: FaissIndex) -> None:
    """A statement with the question's words is there, with its own similarity, in its order."""
    told = Told({"how deep?": {0: 0.6, 1: 0.4, 5: -0.1}})
    assert _found(sqlite_engine, index, told, "how deep?", 2) == [
        ("1 + 1 = 2", 0.6),
        ("the sea is deep", -0.1),
    ]


SECOND = {
    "1+1+1 等于几？": ("1 + 1 + 1 = ?", "2 + 1 = ?"),
    "what then?": ("what then?", "what then? 1 + 1 = 2"),
}


@pytest.mark.parametrize("question", SECOND)
def test_a_second_search_goes_on_from_the_first(
    sqlite_engine: Engine, index: FaissIndex, question: str
) -> None:
    """What the first search led to is searched for too; its find is compared with the question."""
    first, second = SECOND[question]
    told = Told({first: {0: 0.6, 2: 0.4, 3: 0.3, 5: 0.2, 1: 0.01}, second: {1: 0.9}})
    found = _found(sqlite_engine, index, told, question, 4)
    assert second in told.asked
    assert found[0] == (SUMS[0], 0.6)
    assert (SUMS[1], 0.01) in found
    assert len(found) == len(dict(found)) == 4
    assert found == sorted(found, key=lambda pair: -pair[1])


def test_a_second_search_brings_in_no_twin(
    sqlite_engine: Engine, ids: list[int], index: FaissIndex
) -> None:
    """One per cluster holds for both searches together."""
    told = Told({"1 + 1 + 1 = ?": {0: 0.6, 3: 0.5}, "2 + 1 = ?": {4: 0.6, 1: 0.5}})
    _join(sqlite_engine, ids[3:5])
    found = dict(_found(sqlite_engine, index, told, "1 + 1 + 1 = ?", 6))
    assert len({SUMS[3], SUMS[4]} & found.keys()) == 1


def test_a_second_search_exceeds_no_k(sqlite_engine: Engine, index: FaissIndex) -> None:
    """k = 1 is one statement, the nearest."""
    told = Told({"1 + 1 + 1 = ?": {0: 0.6}, "2 + 1 = ?": {1: 0.7, 2: 0.5}})
    assert _found(sqlite_engine, index, told, "1 + 1 + 1 = ?", 1) == [(SUMS[0], 0.6)]
