"""Same text, one statement; each place an occurrence; the credited one first."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from store import statements as st
from store.engine import read, write
from store.errors import BadInput, NotFound
from store.people import add_author
from store.records.corpus import AuthorShare
from store.schema import OccurrenceRow, StatementRow
from store.statements import NewStatement
from store.works import (
    NewWork,
    add_work,
    find_work,
    get_work,
    get_work_text,
    set_work_ready,
)
from tests.counting import queries_of


@pytest.fixture
def s(engine: Engine) -> Iterator[Session]:
    """A writing session on a fresh database."""
    with write(engine) as session:
        yield session


def _work(s: Session, name: str = "w", text: str = "1 + 1 = 2. 2 + 1 = 3.") -> str:
    return add_work(
        s, NewWork("public", name, len(text), name, name, "text/plain", "utf-8", "x", text)
    )


def _said(text: str, start: int, author: str | None = None, on: str | None = None) -> NewStatement:
    authors = (AuthorShare(author, 1_000_000),) if author else ()
    return NewStatement(text, "en", start, start + len(text), authors, published_on=on)


def test_work_is_found_by_its_bytes(s: Session) -> None:
    """A work is ingesting until it is ready, keeps its text, and is found by scope and hash."""
    work_id = _work(s, text="我家猫叫团子。")
    found = find_work(s, "public", "w")
    assert found is not None
    assert (found.id, found.state) == (work_id, "ingesting")
    assert find_work(s, "person:1", "w") is None
    set_work_ready(s, work_id)
    s.expire_all()
    assert get_work(s, work_id).state == "ready"
    assert get_work_text(s, work_id) == "我家猫叫团子。"
    with pytest.raises(NotFound):
        get_work_text(s, "none")
    with pytest.raises(NotFound):
        get_work(s, "none")


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_cannot_be_stored_is_bad_input(s: Session, text: str) -> None:
    """Both databases refuse the same texts, with one line."""
    with pytest.raises(BadInput, match="remove it"):
        _work(s, text=text)
    work = _work(s)
    with pytest.raises(BadInput, match="remove it"):
        st.add_statements(s, work, "public", [_said(text, 0)])


def test_same_text_is_one_statement_with_two_occurrences(s: Session) -> None:
    """Within one batch and across works a text is stored once and stands at each place."""
    first = st.add_statements(s, _work(s), "public", [_said("Ab  c", 0), _said("ａＢ c", 9)])
    (again,) = st.add_statements(s, _work(s, "v"), "public", [_said("ab c", 0)])
    assert {added.statement_id for added in (*first, again)} == {first[0].statement_id}
    assert [added.is_new for added in (*first, again)] == [True, False, False]
    assert all(added.occurrence_is_new for added in (*first, again))
    assert len(st.get_statements(s, [again.statement_id])[0].occurrences) == 3


def test_scopes_do_not_share_statements(s: Session) -> None:
    """A person's private text is another statement than the public one."""
    (public,) = st.add_statements(s, _work(s), "public", [_said("ab", 0)])
    (private,) = st.add_statements(s, _work(s, "v"), "person:1", [_said("ab", 0)])
    assert public.statement_id != private.statement_id
    found = st.find_by_text(s, " AB ", "person:1")
    assert found is not None
    assert found.id == private.statement_id
    assert st.find_by_text(s, "other", "public") is None


def test_adding_again_changes_nothing(s: Session) -> None:
    """An interrupted ingest can store its batch again: same ids, nothing new."""
    author = add_author(s, "A", "x")
    work, batch = _work(s), [_said("1 + 1 = 2", 0, author), _said("2 + 1 = 3", 11, author)]
    first = st.add_statements(s, work, "public", batch)
    again = st.add_statements(s, work, "public", batch)
    assert [a.occurrence_id for a in again] == [a.occurrence_id for a in first]
    assert not any(a.is_new or a.occurrence_is_new for a in again)
    assert st.counts(s) == st.Counts(authors=1, works=1, statements=2, occurrences=2)
    assert st.add_statements(s, work, "public", []) == ()


def test_another_statement_at_a_stored_span_is_an_error(s: Session) -> None:
    """One place of a work holds one text: a different one there is a bug, and is refused."""
    work = _work(s)
    st.add_statements(s, work, "public", [_said("ab", 0)])
    with pytest.raises(ValueError, match="another statement stands"):
        st.add_statements(s, work, "public", [_said("cd", 0)])


def test_unreadable_statement_and_wrong_shares_are_refused(s: Session) -> None:
    """A statement of invisible characters is bad input; shares that do not add up are a bug."""
    work = _work(s)
    with pytest.raises(BadInput, match="readable"):
        st.add_statements(s, work, "public", [_said(" \u200b", 0)])
    with pytest.raises(ValueError, match="1,000,000"):
        st.add_statements(
            s, work, "public", [NewStatement("ab", "en", 0, 2, (AuthorShare("a", 999_999),))]
        )


def test_credited_occurrence_comes_first(s: Session) -> None:
    """Order of credit: undisputed, dated before undated, earliest date, then first registered."""
    authors = [add_author(s, name, "x") for name in "abcde"]
    dates = (None, None, "1999", "1998-05-01", "1990")
    occurrences = [
        st.add_statements(s, _work(s, author), "public", [_said("ab", 0, author, on)])[0]
        for author, on in zip(authors, dates, strict=True)
    ]
    s.get_one(OccurrenceRow, occurrences[4].occurrence_id).disputed = True
    s.flush()
    (statement,) = st.get_statements(s, [occurrences[0].statement_id])
    order = [occurrence.authors[0].author_id for occurrence in statement.occurrences]
    assert order == [authors[i] for i in (3, 2, 0, 1, 4)]


def test_statements_come_in_the_asked_order_in_four_queries(s: Session) -> None:
    """Reading fifty statements takes as many queries as reading one."""
    author = add_author(s, "A", "x")
    batch = [_said(f"statement {i}", 20 * i, author) for i in range(50)]
    ids = [added.statement_id for added in st.add_statements(s, _work(s), "public", batch)]
    with queries_of(s) as queries:
        found = st.get_statements(s, ids[::-1])
    assert [statement.id for statement in found] == ids[::-1]
    assert len(queries) == 4
    with pytest.raises(NotFound, match="999"):
        st.get_statements(s, [ids[0], 999])


def test_adding_takes_a_constant_number_of_queries(s: Session) -> None:
    """A batch of two hundred statements takes no more queries than a batch of two."""
    author = add_author(s, "A", "x")
    counts = []
    for name, size in (("a", 2), ("b", 200)):
        batch = [_said(f"{name} {i}", 20 * i, author) for i in range(size)]
        work = _work(s, name)
        with queries_of(s) as queries:
            st.add_statements(s, work, "public", batch)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_withdrawn_statement_is_invisible_at_once(s: Session) -> None:
    """Withdrawing hides a statement from retrieval and counts, keeps its row, and stays."""
    work, batch = _work(s), [_said("ab", 0), _said("cd", 3)]
    a, b = (added.statement_id for added in st.add_statements(s, work, "public", batch))
    st.withdraw_statement(s, a)
    st.withdraw_statement(s, a)
    s.expire_all()
    assert st.visible_ids(s, [a, b, 999]) == {b}
    assert st.counts(s).statements == 1
    assert st.get_statements(s, [a])[0].withdrawn
    (again,) = st.add_statements(s, _work(s, "v"), "public", [_said("AB", 0)])
    assert again.withdrawn
    assert not again.is_new
    assert st.visible_ids(s, [a]) == set()
    with pytest.raises(NotFound, match="999"):
        st.withdraw_statement(s, 999)


def test_statement_that_stands_nowhere_is_invisible(s: Session) -> None:
    """When all occurrences are withdrawn nobody can be credited, so it is not retrieved."""
    (added,) = st.add_statements(s, _work(s), "public", [_said("ab", 0)])
    s.get_one(OccurrenceRow, added.occurrence_id).withdrawn_us = 1
    s.flush()
    assert st.visible_ids(s, [added.statement_id]) == set()
    assert st.get_statements(s, [added.statement_id])[0].occurrences == ()


def _unit(*rows: tuple[float, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array(rows, dtype=np.float32)


def test_vectors_come_back_bit_by_bit(s: Session) -> None:
    """What iter_embeddings yields is what was put, by ascending id, in batches, per embedder."""
    added = st.add_statements(s, _work(s), "public", [_said(f"s {i}", 9 * i) for i in range(5)])
    ids = [a.statement_id for a in added]
    vectors = np.random.default_rng(0).normal(size=(5, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    st.put_embeddings(s, "e", ids[:3], vectors[:3])
    assert st.missing_embeddings(s, "e") == ((ids[3], "s 3"), (ids[4], "s 4"))
    st.put_embeddings(s, "e", ids, vectors)
    batches = list(st.iter_embeddings(s, "e", batch=2))
    assert [len(found) for found, _ in batches] == [2, 2, 1]
    assert np.concatenate([found for found, _ in batches]).tolist() == ids
    assert np.array_equal(np.concatenate([found for _, found in batches]), vectors)
    assert len(st.embedded_ids(s, "other")) == 0
    assert len(st.missing_embeddings(s, "other")) == 5


def test_withdrawn_statement_has_no_vector_to_index(s: Session) -> None:
    """The vectors that belong in the index are those of visible statements."""
    added = st.add_statements(s, _work(s), "public", [_said("ab", 0), _said("cd", 3)])
    a, b = (each.statement_id for each in added)
    st.put_embeddings(s, "e", [a, b], _unit((1, 0), (0, 1)))
    st.withdraw_statement(s, a)
    assert st.embedded_ids(s, "e").tolist() == [b]
    assert [ids.tolist() for ids, _ in st.iter_embeddings(s, "e")] == [[b]]
    assert [ids.tolist() for ids, _ in st.iter_embeddings(s, "e", ids=[a])] == []


def test_bad_vectors_are_refused(s: Session) -> None:
    """A vector that is not finite, not of norm 1, of another type or count is never stored."""
    good = _unit((1, 0))
    bad: list[Any] = [good * 2, good * np.nan, good.astype(np.float64), good[0]]
    for vectors in (*bad, _unit((1, 0), (1, 0))):
        with pytest.raises(ValueError, match="expected|norm"):
            st.put_embeddings(s, "e", [1], vectors)


def test_deleted_text_is_told_from_unknown_text(engine: Engine) -> None:
    """A statement whose text was deleted keeps its hash, reads as None and is not retrieved."""
    with write(engine) as s:
        (added,) = st.add_statements(s, _work(s), "public", [_said("ab", 0)])
        s.get_one(StatementRow, added.statement_id).text = None
    with read(engine) as s:
        (statement,) = st.get_statements(s, [added.statement_id])
        assert (statement.text, statement.hash) == (None, st.statement_hash("ab"))
        assert st.visible_ids(s, [statement.id]) == set()
