"""Search finds by meaning and by words in both languages, and never what was withdrawn."""

from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy import text as sql

from haozhi.indexing import rebuild, verify
from haozhi.models.embedders import SentenceEmbedder, load_embedder
from haozhi.ranking import Near
from haozhi.search import search
from haozhi.settings import load_settings
from haozhi.withdraw import withdraw
from ingest.options import IngestOptions
from ingest.pipeline import ingest
from store.database import check
from store.engine import write
from store.errors import BadInput, IndexMissing, NotFound
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex

TEXTS = {
    "甲": "我家猫叫团子。",
    "Bo": "Warsaw is the capital of Poland.",
    "Cy": "The tide turns twice a day.",
}


class Frozen(FaissIndex):
    """An index that takes up no newer generation."""

    def __init__(self, index: FaissIndex) -> None:
        super().__init__(index.folder, index.fingerprint, index.dim)
        self._loaded = index._loaded

    def load(self) -> bool:
        """Nothing is loaded."""
        return False


@pytest.fixture(scope="module")
def embedder(model_dir: Path) -> SentenceEmbedder:
    """The bilingual default embedder."""
    return load_embedder(load_settings(model_dir=model_dir, embedder="builtin:e5-small"))


@pytest.fixture
def index(sqlite_engine: Engine, embedder: SentenceEmbedder, tmp_path: Path) -> FaissIndex:
    """An index over three statements by three authors."""
    for author, text in TEXTS.items():
        path = tmp_path / f"{author}.txt"
        path.write_text(text, encoding="utf-8")
        options = IngestOptions(author=author)
        ingest([path], engine=sqlite_engine, embedder=embedder, options=options)
    index = FaissIndex(tmp_path / "index", embedder.fingerprint, embedder.dim)
    catch_up(sqlite_engine, index)
    return index


@pytest.mark.parametrize(
    ("question", "author"), [("我的猫叫什么？", "甲"), ("Which city governs Poland?", "Bo")]
)
def test_the_nearest_statement_comes_first_with_its_author(
    sqlite_engine: Engine, embedder: SentenceEmbedder, index: FaissIndex, question: str, author: str
) -> None:
    """A question finds its statement, and whoever said it is named."""
    found = search(sqlite_engine, Near(embedder, index), question, k=2)
    assert len(found) == 2
    assert found[0].statement.text == TEXTS[author]
    assert list(found[0].names.values()) == [author]
    assert found[0].ranks["dense"] == 1
    first, second = (each.similarity for each in found)
    assert first is not None
    assert second is not None
    assert first > second


def test_a_withdrawn_statement_is_not_found(
    sqlite_engine: Engine, embedder: SentenceEmbedder, index: FaissIndex
) -> None:
    """Withdrawing by text takes it out of search and index at once; twice changes nothing."""
    text = TEXTS["甲"]
    withdrawn = withdraw(sqlite_engine, index, text)
    assert withdrawn.vectors_removed == 1
    assert text not in [
        f.statement.text for f in search(sqlite_engine, Near(embedder, index), text, 9)
    ]
    again = withdraw(sqlite_engine, index, str(withdrawn.statement_id))
    assert (again.statement_id, again.vectors_removed) == (withdrawn.statement_id, 0)


def test_a_reader_with_an_old_index_does_not_show_withdrawn(
    sqlite_engine: Engine, embedder: SentenceEmbedder, index: FaissIndex
) -> None:
    """SQL decides what may be seen, also while another process still holds an older index."""
    old = FaissIndex(index.folder, embedder.fingerprint, embedder.dim)
    old.load()
    withdraw(sqlite_engine, index, TEXTS["Bo"])
    generation = old.ids().tolist()
    found = search(sqlite_engine, Near(embedder, Frozen(old)), TEXTS["Bo"], k=9)
    assert old.ids().tolist() == generation
    assert TEXTS["Bo"] not in [each.statement.text for each in found]


@pytest.mark.parametrize("statement", ["nobody said this", "987654"])
def test_only_a_stored_statement_can_be_withdrawn(
    sqlite_engine: Engine, index: FaissIndex, statement: str
) -> None:
    """An unknown id or text is not found, exit code 3."""
    with pytest.raises(NotFound, match=statement):
        withdraw(sqlite_engine, index, statement)


def test_a_blank_search_is_bad_input(
    sqlite_engine: Engine, embedder: SentenceEmbedder, index: FaissIndex
) -> None:
    """Spaces are no question."""
    with pytest.raises(BadInput):
        search(sqlite_engine, Near(embedder, index), " \u3000", k=3)


def test_verify_sees_what_rebuild_mends(
    sqlite_engine: Engine, embedder: SentenceEmbedder, index: FaissIndex
) -> None:
    """A vector or word that was lost is a difference until both are rebuilt from SQL."""
    with index.writing():
        index.remove(index.ids()[:1])
        index.save()
    with write(sqlite_engine) as s:
        s.execute(
            sql("UPDATE lexical SET words = 'x' WHERE rowid = (SELECT max(rowid) FROM lexical)")
        )
    differences = verify(sqlite_engine, index.folder).differences
    assert [each.code for each in differences] == ["vector_missing", "words_differ"]
    (line,) = check(sqlite_engine)
    assert line.endswith("haozhi index rebuild")
    rebuilt = rebuild(sqlite_engine, embedder, index.folder)
    assert rebuilt.vectors == len(TEXTS)
    assert verify(sqlite_engine, index.folder) == rebuilt


def test_verifying_without_an_index_names_the_command(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """An absent index is exit code 5 and says how to make one."""
    with pytest.raises(IndexMissing, match="haozhi index rebuild"):
        verify(sqlite_engine, tmp_path / "none")
