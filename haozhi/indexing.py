"""The vector index on disk against the database, without repairing it on the way."""

from dataclasses import dataclass
from pathlib import Path

from ingest.ports import Embedder
from store.engine import Engine, read
from store.errors import IndexMissing
from store.records import Difference
from store.statements import iter_embeddings
from store.vectors.catch_up import rebuild_index
from store.vectors.faiss_index import FaissIndex
from store.vectors.generations import read_manifest


@dataclass(frozen=True)
class IndexState:
    """An index with what differs from the database."""

    fingerprint: str
    vectors: int
    differences: tuple[Difference, ...]


def verify(engine: Engine, folder: Path) -> IndexState:
    """Compare every vector in `folder` with the database's of the same embedder.

    IndexMissing: there is no index, or its file is damaged.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise IndexMissing(f"there is no index in {folder}: haozhi index rebuild")
    index = FaissIndex(folder, manifest.fingerprint, manifest.dim)
    index.load()
    with read(engine) as session:
        differences = index.verify(iter_embeddings(session, index.fingerprint))
    return IndexState(index.fingerprint, index.count(), differences)


def rebuild(engine: Engine, embedder: Embedder, folder: Path) -> IndexState:
    """Make the index in `folder` anew from the database, also when another embedder made it."""
    index = FaissIndex(folder, embedder.fingerprint, embedder.dim)
    rebuilt = rebuild_index(engine, index)
    return IndexState(index.fingerprint, rebuilt.added, ())
