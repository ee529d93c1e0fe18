"""Search: the statements that a text finds, with how each was found, without an answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from haozhi.display import Shown, shown_texts
from haozhi.language import detect
from haozhi.models.reranker import Reranker
from haozhi.ranking import NO_FILTERS, Mode, Near, Query, rank, similarities
from ingest.fields import check_date
from store.engine import Engine, Session, read
from store.errors import BadInput, UsageError
from store.people import author_names, get_author
from store.records.corpus import Statement
from store.statements import Filters, get_statements, neighbours
from store.text import check_text
from store.works import get_work

RERANKED = 50
"""Statements that a reranker reads per search."""


@dataclass(frozen=True)
class Neighbour:
    """A statement that stands beside one that was found, with its text as it may be shown."""

    statement_id: int
    shown: Shown


@dataclass(frozen=True)
class Found:
    """A statement and how it was found.

    `shown` is its text as its grants let it be shown. `names`: of its credited authors, by id.
    `ranks`: its place, from 1, in every ranking that found it; `score`: what they come to
    (`haozhi.fusion`), or the reranker's score. `similarity`: cosine, -1..1; None where no vector
    was looked at. `before`, `after`: what stands around it in its work.
    """

    statement: Statement
    shown: Shown
    names: dict[str, str]
    score: float
    ranks: dict[str, int]
    similarity: float | None
    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()


def search(
    engine: Engine,
    near: Near | None,
    text: str,
    k: int,
    *,
    mode: Mode = "hybrid",
    filters: Filters = NO_FILTERS,
    reranker: Reranker | None = None,
    around: int = 0,
) -> tuple[Found, ...]:
    """Up to `k` statements that may be retrieved and meet the filters, best first.

    `near` may be None in the mode `lexical`, which needs no model. `around`: so many neighbours on
    each side. BadInput: the text is blank or no text.
    """
    if not text.strip():
        raise BadInput("there is nothing to search for")
    check_text(text)
    if near is None and mode != "lexical":
        raise UsageError(f"the mode {mode} needs an embedder")
    vector = near.query(text) if near and mode != "lexical" else None
    query = Query(text, vector, filters, language=detect(text))
    with read(engine) as session:
        found = rank(session, near.index if near else None, query, mode)
        found = found[: max(k, RERANKED) if reranker else k]
        statements = get_statements(session, [each.statement_id for each in found], query.at_us)
        similar: dict[int, float] = {}
        if near and query.vector is not None:
            ids = [each.id for each in statements]
            similar = similarities(session, near.embedder, query.vector, ids)
        names = _names(session, statements)
        hits = [
            Found(
                statement,
                shown,
                _named(statement, names),
                each.score,
                each.ranks,
                similar.get(statement.id),
                *beside(session, statement, around),
            )
            for statement, shown, each in zip(
                statements, _shown(session, statements), found, strict=True
            )
        ]
    return tuple((_reranked(reranker, text, hits) if reranker else hits)[:k])


def _shown(session: Session, statements: Sequence[Statement]) -> tuple[Shown, ...]:
    return shown_texts(session, ((each.text, each.occurrences[0].id) for each in statements))


def beside(
    session: Session, statement: Statement, count: int
) -> tuple[tuple[Neighbour, ...], tuple[Neighbour, ...]]:
    """Up to `count` statements before and after it where it is credited."""
    if not count:
        return (), ()
    before, after = (
        tuple(
            Neighbour(each.id, shown)
            for each, shown in zip(side, _shown(session, side), strict=True)
        )
        for side in neighbours(session, statement.occurrences[0], count)
    )
    return before, after


def _reranked(reranker: Reranker, text: str, hits: Sequence[Found]) -> list[Found]:
    """In the order of the reranker's scores, equals as they were."""
    scores = reranker.scores(text, [hit.statement.text or "" for hit in hits])
    scored = [replace(hit, score=score) for hit, score in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)


def _names(session: Session, statements: Sequence[Statement]) -> dict[str, str]:
    authors = {share.author_id for each in statements for share in each.occurrences[0].authors}
    return author_names(session, authors)


def _named(statement: Statement, names: dict[str, str]) -> dict[str, str]:
    authors = statement.occurrences[0].authors
    return {a.author_id: names[a.author_id] for a in authors if a.author_id in names}


def checked_filters(engine: Engine, filters: Filters) -> Filters:
    """Filters as a person wrote them, the author by id or name, in the form that search takes.

    NotFound: no such author or work. Ambiguous: several authors have the name. BadInput: a date
    that is none, or an end before the beginning.
    """
    dates = (filters.published_from, filters.published_to)
    first, last = (date and check_date(date) for date in dates)
    if first and last and first > f"{last}-99-99":
        raise BadInput(f"nothing is from {first} and up to {last}")
    author_id = filters.author_id
    with read(engine) as session:
        if author_id is not None:
            author_id = get_author(session, author_id).id
        if filters.work_id is not None:
            get_work(session, filters.work_id)
    return replace(filters, author_id=author_id, published_from=first, published_to=last)
