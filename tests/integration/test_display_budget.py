"""A book cannot be read out by questions: what one asker is shown of one work is limited."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine

from haozhi.display import DisplayBudget
from haozhi.retrieve import Retrieval, retrieve
from store.answers import add_answer
from store.engine import write
from store.people import add_author
from store.records.answers import Answer, ContextEntry
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex
from store.works import NewWork, add_work
from tests.books import a_refusal

PAGES = 40
BOOK = [f"page {i:02} of the book" for i in range(PAGES)]
NOTES = [f"note {i}" for i in range(3)]
LENGTH = len(BOOK[0])
CHARS = 5 * LENGTH + LENGTH - 1
"""Room for five pages of the book and a bit."""


class Pages:
    """An embedder for which a question is nearest to the page whose number it has.

    Then come the pages around that, then the notes, then the pages that are further away.
    """

    fingerprint = "pages"
    dim = PAGES + len(NOTES)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One axis per text."""
        return np.eye(self.dim, dtype=np.float32)[[[*BOOK, *NOTES].index(text) for text in texts]]

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Nearer to nearer pages."""
        asked = [int(text.split()[1]) for text in texts]
        near = 1 / (1 + np.abs(np.arange(self.dim) - np.array(asked)[:, None]))
        near[:, PAGES:] = 0.2
        unit: NDArray[np.float32] = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(
            np.float32
        )
        return unit


@pytest.fixture
def index(engine: Engine, tmp_path: Path) -> FaissIndex:
    """The index over a book of forty pages and a work of three notes."""
    with write(engine) as s:
        author = AuthorShare(add_author(s, "A", "x"), 1_000_000)
        for name, texts in (("book", BOOK), ("notes", NOTES)):
            text = "\n".join(texts)
            about = ("public", name, 1, name, name, "text/plain", "utf-8", "x", text)
            starts = map(text.index, texts)
            new = [
                NewStatement(each, "en", at, at + len(each), (author,))
                for each, at in zip(texts, starts, strict=True)
            ]
            added = add_statements(s, add_work(s, NewWork(*about)), "public", new)
            ids = [each.statement_id for each in added]
            put_embeddings(s, Pages.fingerprint, ids, Pages().passages(texts))
    found = FaissIndex(tmp_path / "index", Pages.fingerprint, Pages.dim)
    catch_up(engine, found)
    return found


def _ask(
    engine: Engine, index: FaissIndex, page: int, asker: str, number: int, chars: int = CHARS
) -> Retrieval:
    """Ask for a page and store the answer with everything that it showed."""
    budget = DisplayBudget(asker, chars)
    retrieval = retrieve(engine, Pages(), index, f"page {page} ?", 4, budget)
    with write(engine) as s:
        add_answer(s, _answer(f"{asker}-{number}", asker, retrieval))
    return retrieval


def _answer(answer_id: str, asker: str, retrieval: Retrieval) -> Answer:
    context = [
        ContextEntry(
            i, f.statement.id, f.statement.hash, f.statement.occurrences[0].id, "p", True, 0, 1, 0.5
        )
        for i, f in enumerate(retrieval.found)
    ]
    answer = a_refusal(id=answer_id, asker_id=asker)
    return replace(answer, context=tuple(context))


def _texts(retrieval: Retrieval) -> set[str]:
    return {each.statement.text or "" for each in retrieval.found}


def test_a_book_cannot_be_read_out_by_questions(engine: Engine, index: FaissIndex) -> None:
    """Forty questions show five pages; whoever else asks is shown others, and other works stay."""
    shown: dict[str, set[str]] = {"mallory": set(), "bob": set()}
    for number in range(PAGES):
        for asker, page in (("mallory", number), ("bob", PAGES - 1 - number)):
            retrieval = _ask(engine, index, page, asker, number)
            shown[asker] |= _texts(retrieval)
            assert len(retrieval.found) <= 4
    for texts in shown.values():
        assert len(texts & set(BOOK)) == CHARS // LENGTH == 5
        assert texts >= set(NOTES)
    assert shown["mallory"] & shown["bob"] == set(NOTES)


def test_what_was_shown_before_is_shown_again(engine: Engine, index: FaissIndex) -> None:
    """A statement costs once; the ones left out are recorded, nearest first."""
    first = _ask(engine, index, 10, "a", 0)
    assert {BOOK[10], BOOK[9]} <= _texts(first) <= set(BOOK)
    assert first.over_budget == ()
    for number in range(1, 4):
        _ask(engine, index, 30, "a", number)
    again = _ask(engine, index, 10, "a", 9)
    assert _texts(first) <= _texts(again) | set(NOTES)
    full = _ask(engine, index, 20, "a", 10)
    assert BOOK[20] not in _texts(full)
    assert full.over_budget[0] == BOOK.index(BOOK[20]) + 1


def test_a_budget_of_nothing_shows_nothing(engine: Engine, index: FaissIndex) -> None:
    """0 is no room, None no limit: these are two things."""
    assert _ask(engine, index, 3, "a", 0, chars=0).found == ()
    found = retrieve(engine, Pages(), index, "page 3 ?", 4).found
    assert len(found) == 4
