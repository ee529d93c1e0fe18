"""Filters, neighbours, ranks and rerankers of a search, with an embedder that is told."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine

from haozhi.ranking import Mode, Near
from haozhi.search import checked_filters, search
from store.engine import read, write
from store.errors import BadInput, NotFound, UsageError
from store.people import get_author
from store.statements import Filters, missing_embeddings, put_embeddings, withdraw_statement
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex
from tests.lexicon import Written, write_works

WORKS = (
    Written(("one cat", "two cats", "three dogs"), author="Ann", title="Pets", licence="CC-BY-4.0"),
    Written(("一只猫", "两条狗"), author="甲", title="幽夢影", language="zh", published_on="1999"),
    Written(("a tide", "cat and dog"), author="Bo", title="Seas", published_on="2001-05"),
)


class Letters:
    """Vectors that count letters: near is what has the same ones, whatever it means."""

    fingerprint = "letters"
    dim = 16

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the letters, [len(texts), 16]."""
        rows = np.full((len(texts), self.dim), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text:
                row[ord(letter) % self.dim] += 1
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same."""
        return self.passages(texts)


@pytest.fixture
def near(engine: Engine, tmp_path: Path) -> Near:
    """The index over the works, in a database of each kind."""
    embedder = Letters()
    write_works(engine, *WORKS)
    with write(engine) as s:
        ids, texts = zip(*missing_embeddings(s, embedder.fingerprint), strict=True)
        put_embeddings(s, embedder.fingerprint, ids, embedder.passages(texts))
    index = FaissIndex(tmp_path / "index", embedder.fingerprint, embedder.dim)
    catch_up(engine, index)
    return Near(embedder, index)


def _texts(engine: Engine, near: Near | None, text: str, mode: Mode, **filters: str) -> set[str]:
    checked = checked_filters(engine, Filters(**filters))
    found = search(engine, near, text, 20, mode=mode, filters=checked)
    return {each.statement.text or "" for each in found}


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical", "rrf"])
@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        ({"author_id": "Ann"}, set(WORKS[0].texts)),
        ({"author_id": "甲"}, set(WORKS[1].texts)),
        ({"language": "zh"}, set(WORKS[1].texts)),
        ({"published_from": "2000"}, set(WORKS[2].texts)),
        ({"published_to": "2000"}, set(WORKS[1].texts)),
        ({"licence": "cc-by-4.0"}, set(WORKS[0].texts)),
        ({"author_id": "Ann", "language": "zh"}, set()),
    ],
)
def test_filters_hold_in_every_mode(
    engine: Engine, near: Near, mode: Mode, filters: dict[str, str], allowed: set[str]
) -> None:
    """Nothing outside the filters is found; by vectors, everything inside is."""
    found = _texts(engine, near, "cat 猫 dog 狗 tide", mode, **filters)
    assert found <= allowed
    if mode != "lexical":
        assert found == allowed


def test_words_are_searched_without_a_model(engine: Engine, near: Near) -> None:
    """The lexical mode needs no embedder, and has no similarity to show."""
    assert near.index.count() == 7
    found = search(engine, None, "CAT", 5, mode="lexical")
    assert [each.statement.text for each in found] == ["one cat", "cat and dog"]
    assert [each.similarity for each in found] == [None, None]
    assert [each.ranks for each in found] == [{"lexical": 1}, {"lexical": 2}]
    with pytest.raises(UsageError, match="embedder"):
        search(engine, None, "cat", 5)


def test_a_hit_says_which_rankings_found_it(engine: Engine, near: Near) -> None:
    """Each ranking by name with the place; a heading that the text names is a ranking too."""
    found = search(engine, near, "what do Pets say of the cat?", 9)
    assert found[0].statement.text == "one cat"
    assert found[0].ranks["lexical"] == 1
    assert {"dense", "dense under pets", "lexical under pets"} <= found[0].ranks.keys()
    assert all(each.similarity is not None for each in found)
    assert [each.score for each in found] == sorted((e.score for e in found), reverse=True)


def test_neighbours_stand_around_a_hit(engine: Engine, near: Near) -> None:
    """So many before and after in the same work, in order; what is withdrawn is left out."""
    (hit, *_) = search(engine, near, "two cats", 1, around=2)
    assert [each.shown.text for each in hit.before] == ["one cat"]
    assert [each.shown.text for each in hit.after] == ["three dogs"]
    with write(engine) as s:
        withdraw_statement(s, hit.before[0].statement_id)
    (hit, *_) = search(engine, near, "two cats", 1, around=2)
    assert hit.before == ()


class Longest:
    """A reranker that likes long texts."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The length of each."""
        assert query
        return [float(len(text)) for text in texts]


def test_a_reranker_decides_the_order(engine: Engine, near: Near) -> None:
    """What search found is put in the order of its scores, and cut then."""
    found = search(engine, near, "cat", 2, reranker=Longest())
    assert [each.statement.text for each in found] == ["cat and dog", "three dogs"]
    assert [each.score for each in found] == [11.0, 10.0]


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        ({"author_id": "nobody"}, NotFound),
        ({"work_id": "w0"}, NotFound),
        ({"published_from": "yesterday"}, BadInput),
        ({"published_from": "2001", "published_to": "2000-12-31"}, BadInput),
    ],
)
def test_filters_that_make_no_sense_are_refused(
    engine: Engine, filters: dict[str, str], error: type[Exception]
) -> None:
    """An unknown author or work, no date, an end before the beginning."""
    with pytest.raises(error):
        checked_filters(engine, Filters(**filters))


def test_an_author_is_meant_by_id_or_name(engine: Engine, near: Near) -> None:
    """Both give the same filter."""
    assert near.index.count() == 7
    with read(engine) as s:
        author_id = get_author(s, "Ann").id
    assert checked_filters(engine, Filters(author_id=author_id)).author_id == author_id
    assert checked_filters(engine, Filters(author_id="Ann")).author_id == author_id
