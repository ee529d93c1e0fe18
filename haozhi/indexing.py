"""The indexes of vectors and words against the database, without repairing them on the way."""

from dataclasses import dataclass
from pathlib import Path

from ingest.ports import Embedder
from store import lexical
from store.engine import Engine, read, write
from store.errors import IndexMissing
from store.records.ledger import Difference
from store.statements import iter_embeddings
from store.vectors.catch_up import rebuild_index
from store.vectors.faiss_index import FaissIndex, stored_index


@dataclass(frozen=True)
class IndexState:
    """The vectors of an embedder and the words, with what differs from the database."""

    fingerprint: str
    vectors: int
    differences: tuple[Difference, ...]


def verify(engine: Engine, folder: Path) -> IndexState:
    """Compare every vector in `folder` with the database's of the same embedder, and all words.

    IndexMissing: there is no index, or its file is damaged.
    """
    index = stored_index(folder)
    if index is None:
        raise IndexMissing(f"there is no index in {folder}: haozhi index rebuild")
    index.load()
    with read(engine) as session:
        vectors = index.verify(iter_embeddings(session, index.fingerprint))
        words = lexical.verify(session)
        return IndexState(index.fingerprint, index.count(), (*vectors, *words))


def rebuild(engine: Engine, embedder: Embedder, folder: Path) -> IndexState:
    """Make both anew from the rows, the index in `folder` also when another embedder made it."""
    with write(engine) as session:
        lexical.rebuild(session)
    index = FaissIndex(folder, embedder.fingerprint, embedder.dim)
    rebuilt = rebuild_index(engine, index)
    return IndexState(index.fingerprint, rebuilt.added, ())
