"""The indexes of vectors and words against the database, without repairing them on the way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.batches import embed_all
from ingest.ports import Embedder
from store import lexical
from store.engine import Engine, read, write
from store.errors import IndexMissing
from store.records.ledger import Difference
from store.statements import iter_embeddings
from store.vectors.catch_up import rebuild_index
from store.vectors.faiss_index import FaissIndex, stored_index
from store.vectors.generations import read_manifest

COMPARED = 20_000
"""Vectors that are looked up in the index together."""

Progress = Callable[[int, int], None]
"""Told how many texts of how many have got a vector."""


@dataclass(frozen=True)
class IndexState:
    """The vectors of an embedder and the words, with what differs from the database.

    `kind` is FAISS's name of it; `recall` is the part of the true ten nearest that a search found
    when it was built, 1.0 for an exact one. `embedded`: texts that got a vector just now.
    """

    fingerprint: str
    vectors: int
    differences: tuple[Difference, ...]
    kind: str
    recall: float
    embedded: int = 0


def verify(engine: Engine, folder: Path) -> IndexState:
    """Compare every vector in `folder` with the database's of the same embedder, and all words.

    IndexMissing: there is no index, or its file is damaged.
    """
    index = stored_index(folder)
    if index is None:
        raise IndexMissing(f"there is no index in {folder}: haozhi index rebuild")
    index.load()
    with read(engine) as session:
        vectors = index.verify(iter_embeddings(session, index.fingerprint, COMPARED))
        words = lexical.verify(session)
        return _state(folder, index, (*vectors, *words))


def rebuild(
    engine: Engine,
    embedder: Embedder,
    folder: Path,
    progress: Progress = lambda _done, _total: None,
) -> IndexState:
    """Make both anew from the rows, the index in `folder` also when another embedder made it.

    Texts without a vector of this embedder get one first; stopped, it goes on where it was. Until
    the new index is whole the old one is what others load.
    """
    embedded = 0
    for each in embed_all(engine, embedder):
        embedded = each.done
        progress(each.done, each.count)
    with write(engine) as session:
        lexical.rebuild(session)
    index = FaissIndex(folder, embedder.fingerprint, embedder.dim)
    rebuild_index(engine, index)
    return replace(_state(folder, index, ()), embedded=embedded)


def _state(folder: Path, index: FaissIndex, differences: tuple[Difference, ...]) -> IndexState:
    manifest = read_manifest(folder)
    lists = manifest.lists if manifest else 0
    return IndexState(
        index.fingerprint,
        index.count(),
        differences,
        f"IVF{lists},Flat" if lists else "Flat",
        manifest.recall if manifest else 1.0,
    )
