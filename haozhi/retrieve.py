"""Which statements a question is answered from: the nearest ones, one per cluster, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from haozhi.display import DisplayBudget, over_budget, place_of
from haozhi.judge import usual_similarity
from haozhi.language import Language, as_language, detect
from haozhi.ranking import similarities
from haozhi.sums import Expression, asked_sum, equations_in, rewritings
from ingest.ports import Embedder
from store.clock import now_us
from store.engine import Engine, Session, read
from store.records.corpus import Statement
from store.statements import get_statements, representatives
from store.vectors import Hit, VectorIndex

#: Second searches at most, and the places of the context that go to what they find.
SECOND_SEARCHES = 3
SECOND_PLACES = 2
#: Hits looked at per place, since withdrawn ones, copies and the other language are sorted out.
OVERFETCH = 4
#: Hits looked at in all, where most of the nearest ones may not be used.
DEEPEST = 2048


@dataclass(frozen=True)
class Retrieved:
    """A statement and its cosine similarity to the question, -1..1."""

    statement: Statement
    similarity: float


@dataclass(frozen=True)
class Retrieval:
    """What a question is answered from, best first, then by id.

    `over_budget` are the statements that would have been among them if this asker had not been
    shown so much of their works.
    """

    found: tuple[Retrieved, ...]
    over_budget: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Source:
    """Where is searched, and for whom: `language` is the question's, None when unknown."""

    engine: Engine
    embedder: Embedder
    index: VectorIndex
    language: Language | None
    budget: DisplayBudget | None
    at_us: int


def search_text(question: str) -> str:
    """What is searched for: a sum in its plain form, the same in every language."""
    expression = asked_sum(question)
    return written(expression) if expression else question


def written(expression: Expression) -> str:
    """`1 + 1 + 1 = ?` for an expression."""
    return " ".join(expression) + " = ?"


def retrieve(
    engine: Engine,
    embedder: Embedder,
    index: VectorIndex,
    question: str,
    k: int,
    budget: DisplayBudget | None = None,
    *,
    at_us: int | None = None,
) -> Retrieval:
    """Up to `k` statements that may be used at a time, one per cluster, best first, then by id.

    A cluster is represented by its first statement (`store.statements.priority`), however near
    a later one is. Best is the similarity less the usual one between these two languages: a
    statement in the other language is never as near as one in the question's own. The last places
    go to what a second search finds, from where the first one led: half of an answer does not
    resemble its question.
    """
    source = _Source(engine, embedder, index, detect(question), budget, at_us or now_us())
    first = _nearest(source, search_text(question), k)
    found = first.found
    taken = _found_second(source, question, found, k)
    others = [each for each in found if each.statement.cluster_id not in taken][: k - len(taken)]
    second = _compared(source, search_text(question), list(taken.values()))
    together = sorted([*others, *second], key=partial(_order, source.language))
    with read(engine) as session:
        over = over_budget(session, budget, (place_of(each.statement) for each in together))
    return Retrieval(
        tuple(each for each in together if each.statement.id not in over),
        (*first.over_budget, *sorted(over)),
    )


def _found_second(
    source: _Source, question: str, found: Sequence[Retrieved], k: int
) -> dict[int, Statement]:
    """What second searches found beyond the best of the first, by cluster, as many as fit."""
    kept = {each.statement.cluster_id for each in found[: max(k - SECOND_PLACES, 1)]}
    more: dict[int, Statement] = {}
    for text in _second_searches(question, found)[:SECOND_SEARCHES]:
        new = [
            hit.statement
            for hit in _nearest(source, text, OVERFETCH * k).found
            if hit.statement.cluster_id not in kept | more.keys() and _goes_on(text, hit.statement)
        ]
        more.update({statement.cluster_id: statement for statement in new[:SECOND_PLACES]})
    return dict(list(more.items())[: min(SECOND_PLACES, k // 2)])


def _compared(source: _Source, text: str, statements: Sequence[Statement]) -> list[Retrieved]:
    """The statements with their similarity to the text, from the vectors in the database."""
    query = source.embedder.queries([text])
    with read(source.engine) as session:
        similarity = similarities(session, source.embedder, query, [each.id for each in statements])
    return [Retrieved(statement, similarity[statement.id]) for statement in statements]


def _second_searches(question: str, found: Sequence[Retrieved]) -> list[str]:
    """A sum after one step that a statement says; else the question with the best statement."""
    asked = asked_sum(question)
    if not asked:
        return [f"{question} {found[0].statement.text}"] if found else []
    steps = (e for each in found for e in equations_in(each.statement.text or ""))
    rests = [rest for step in steps for rest in rewritings(asked, step) if len(rest) > 1]
    return [written(rest) for rest in dict.fromkeys(rests)]


def _goes_on(text: str, statement: Statement) -> bool:
    """What is left of a sum is looked for among statements that say a part of it."""
    left = asked_sum(text)
    return left is None or any(rewritings(left, e) for e in equations_in(statement.text or ""))


def _order(language: Language | None, found: Retrieved) -> tuple[float, int]:
    said_in = as_language(found.statement.language)
    usual = usual_similarity(language or said_in, said_in)
    return usual - found.similarity, found.statement.id


def _nearest(source: _Source, text: str, k: int) -> Retrieval:
    """The first `k` that may be used, looking deeper where the nearest ones may not be."""
    source.index.load()
    query = source.embedder.queries([text])
    wanted = OVERFETCH * k
    while True:
        (hits,) = source.index.search(query, wanted)
        with read(source.engine) as session:
            found = _usable(session, source, query, hits, k)
        if len(found.found) == k or len(hits) < wanted or wanted >= DEEPEST:
            return found
        wanted *= OVERFETCH


def _usable(
    session: Session, source: _Source, query: NDArray[np.float32], hits: Sequence[Hit], k: int
) -> Retrieval:
    """The first `k` clusters among the hits, each by the statement that represents it."""
    similarity = {hit.statement_id: float(hit.similarity) for hit in hits}
    first = set(representatives(session, similarity, source.at_us).values())
    elsewhere = first - similarity.keys()
    if elsewhere:
        similarity |= similarities(session, source.embedder, query, [*elsewhere])
    statements = get_statements(session, sorted(first & similarity.keys()), source.at_us)
    near = sorted(
        (Retrieved(statement, similarity[statement.id]) for statement in statements),
        key=partial(_order, source.language),
    )
    best: dict[int, Retrieved] = {}
    for each in near:
        best.setdefault(each.statement.cluster_id, each)
    over = over_budget(session, source.budget, (place_of(r.statement) for r in best.values()))
    ranked = [each.statement.id for each in best.values()][:k]
    return Retrieval(
        tuple(each for each in best.values() if each.statement.id not in over)[:k],
        tuple(i for i in ranked if i in over),
    )
