"""Search: the statements nearest to a text, as retrieval sees them, without an answer."""

from dataclasses import dataclass

from haozhi.display import Shown, shown_texts
from ingest.ports import Embedder
from store.clock import now_us
from store.engine import Engine, read
from store.errors import BadInput
from store.people import author_names
from store.records import Statement
from store.statements import get_statements, visible_ids
from store.text import check_text
from store.vectors import VectorIndex


@dataclass(frozen=True)
class Found:
    """A statement, the names of its credited authors by id, and its cosine similarity, -1..1.

    `shown` is its text as its grants let it be shown.
    """

    statement: Statement
    shown: Shown
    names: dict[str, str]
    similarity: float


def search(
    engine: Engine, embedder: Embedder, index: VectorIndex, text: str, k: int
) -> tuple[Found, ...]:
    """Up to `k` visible statements, the nearest first. BadInput: the text is blank or no text."""
    if not text.strip():
        raise BadInput("there is nothing to search for")
    check_text(text)
    (hits,) = index.search(embedder.queries([text]), k)
    with read(engine) as session:
        at_us = now_us()
        visible = visible_ids(session, [hit.statement_id for hit in hits], at_us)
        hits = tuple(hit for hit in hits if hit.statement_id in visible)
        statements = get_statements(session, [hit.statement_id for hit in hits], at_us)
        shown = shown_texts(session, ((each.text, each.occurrences[0].id) for each in statements))
        authors = {share.author_id for each in statements for share in each.occurrences[0].authors}
        names = author_names(session, authors)
    return tuple(
        Found(each, text, _named(each, names), hit.similarity)
        for each, text, hit in zip(statements, shown, hits, strict=True)
    )


def _named(statement: Statement, names: dict[str, str]) -> dict[str, str]:
    authors = statement.occurrences[0].authors
    return {a.author_id: names[a.author_id] for a in authors if a.author_id in names}
