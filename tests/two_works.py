"""Two works in a real database with vectors, words and an index, for tests of deleting."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from haozhi.deleting import Deleted, delete
from store.deletions import Kind
from store.engine import Engine, write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import FaissIndex
from store.works import NewWork, add_work

SECRET, GEHEIM = "Dumpling lives in 5 Harbour Road.", "团子住在港湾路五号。"
KEPT = "The tide turns twice a day."


@dataclass(frozen=True)
class World:
    """Two works: A's has SECRET, GEHEIM and KEPT, B's has KEPT and a quotation of SECRET."""

    engine: Engine
    index_dir: Path
    a: str
    b: str
    first: str
    second: str
    secret: int
    geheim: int
    kept: int
    quoting: int

    def delete(self, kind: Kind, *names: object, compact: bool = True) -> Deleted:
        """Delete as an admin does."""
        found = delete(
            self.engine, self.index_dir, kind, [str(name) for name in names], by="root",
            reason="asked to", compact=compact,
        )  # fmt: skip
        assert found is not None
        return found


def make_world(engine: Engine, index_dir: Path) -> World:
    """Two works with three and two statements."""
    with write(engine) as s:
        a, b = add_author(s, "A", "test"), add_author(s, "B", "test")
    first, (secret, geheim, kept) = say(engine, "first", a, SECRET, GEHEIM, KEPT)
    second, (_, quoting) = say(engine, "second", b, KEPT, f"A told me: {SECRET}")
    index = FaissIndex(index_dir, "e", 4)
    catch_up(engine, index)
    return World(engine, index_dir, a, b, first, second, secret, geheim, kept, quoting)


def say(engine: Engine, title: str, author: str, *texts: str) -> tuple[str, list[int]]:
    """A work of these lines by an author; its id and the statements' ids."""
    body, by = "\n".join(texts), (AuthorShare(author, 1_000_000),)
    new = [NewStatement(t, "en", body.index(t), body.index(t) + len(t), by) for t in texts]
    with write(engine) as s:
        work = NewWork("public", title, 1, title, title, "text/plain", "utf-8", "test", body)
        work_id = add_work(s, work)
        ids = [each.statement_id for each in add_statements(s, work_id, "public", new)]
        vectors = np.eye(4, dtype=np.float32)[[i % 4 for i in ids]]
        put_embeddings(s, "e", ids, vectors)
    return work_id, ids
