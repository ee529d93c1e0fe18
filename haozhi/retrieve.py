"""Which statements a question is answered from: the best found, one per cluster, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from haozhi.display import DisplayBudget, over_budget, place_of
from haozhi.fusion import Fused
from haozhi.judge import usual_similarity
from haozhi.language import Language, as_language, detect
from haozhi.ranking import DEPTH, Near, Query, rank, similarities
from haozhi.sums import Expression, asked_sum, equations_in, rewritings
from ingest.ports import Embedder
from store.clock import now_us
from store.engine import Engine, Session, read
from store.records.corpus import Statement
from store.statements import get_statements, representatives
from store.statements.setting import Setting
from store.vectors import VectorIndex

#: Second searches at most, and the places of the context that go to what they find.
SECOND_SEARCHES = 3
SECOND_PLACES = 2
#: Places of a second search that are looked at, per place of the context.
OVERFETCH = 4
#: Places of a ranking that are looked at where copies stand in front; how much deeper each time.
DEEPEST, DEEPER = 2048, 4


@dataclass(frozen=True)
class Retrieved:
    """A statement and its cosine similarity to the question, -1..1.

    `setting`: of one that opens with a pronoun, once it was looked up (`haozhi.preparing`).
    """

    statement: Statement
    similarity: float
    setting: Setting | None = None


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
    a later one is. Meaning and words find (`haozhi.ranking`); the order is that of the similarity
    less the usual one between these two languages. The last places go to what a second search
    finds, from where the first one led: half of an answer does not resemble its question.
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


def retrieve_once(
    near: Near, engine: Engine, text: str, k: int, budget: DisplayBudget | None, *, at_us: int
) -> tuple[Retrieved, ...]:
    """`retrieve` without its second searches and its order: as the ranking has them."""
    source = _Source(engine, near.embedder, near.index, detect(text), budget, at_us)
    return _nearest(source, text, k).found


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
    """The first `k` that may be used, looking deeper where there are many copies in front."""
    vector = Near(source.embedder, source.index).query(text)
    depth = DEPTH
    while True:
        query = Query(text, vector, at_us=source.at_us, language=source.language, depth=depth)
        with read(source.engine) as session:
            ranked = rank(session, source.index, query)
            found = _usable(session, source, vector, ranked, k)
        if len(found.found) == k or len(ranked) < depth or depth >= DEEPEST:
            return found
        depth *= DEEPER


def _usable(
    session: Session, source: _Source, vector: NDArray[np.float32], ranked: Sequence[Fused], k: int
) -> Retrieval:
    """The first `k` clusters of a ranking, each by the statement that represents it."""
    first = representatives(session, [each.statement_id for each in ranked], source.at_us)
    # A cluster stands where the best of its statements does.
    order = list(dict.fromkeys(first[i.statement_id] for i in ranked if i.statement_id in first))
    similarity = similarities(session, source.embedder, vector, order)
    statements = get_statements(session, [i for i in order if i in similarity], source.at_us)
    best: dict[int, Retrieved] = {}
    for each in statements:
        best.setdefault(each.cluster_id, Retrieved(each, similarity[each.id]))
    over = over_budget(session, source.budget, (place_of(each.statement) for each in best.values()))
    first_ids = [each.statement.id for each in best.values()][:k]
    return Retrieval(
        tuple(each for each in best.values() if each.statement.id not in over)[:k],
        tuple(i for i in first_ids if i in over),
    )
