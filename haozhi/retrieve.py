"""Which statements a question is answered from: the nearest ones, one per cluster, in order."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from haozhi.display import DisplayBudget, over_budget
from haozhi.judge import usual_similarity
from haozhi.language import Language, detect
from haozhi.sums import Expression, asked_sum, equations_in, rewritings
from ingest.ports import Embedder
from store.clock import now_us
from store.engine import Engine, Session, read
from store.records import Statement
from store.rights import Place
from store.statements import get_statements, iter_embeddings, representatives
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
    at = now_us() if at_us is None else at_us
    source = _Source(engine, embedder, index, detect(question), budget, at)
    first = _nearest(source, search_text(question), k)
    found = first.found
    kept = found[: max(k - SECOND_PLACES, 1)]
    more: dict[int, Retrieved] = {}
    for text in _second_searches(question, found)[:SECOND_SEARCHES]:
        known = {each.statement.cluster_id for each in kept} | more.keys()
        new = [
            hit
            for hit in _nearest(source, text, OVERFETCH * k).found
            if hit.statement.cluster_id not in known and _goes_on(text, hit.statement)
        ]
        more.update({hit.statement.cluster_id: hit for hit in new[:SECOND_PLACES]})
    places = min(SECOND_PLACES, k // 2)
    taken = {cluster: hit.statement for cluster, hit in list(more.items())[:places]}
    others = [each for each in found if each.statement.cluster_id not in taken][: k - len(taken)]
    second = _compared(source, search_text(question), list(taken.values()))
    together = sorted([*others, *second], key=partial(_order, source.language))
    with read(engine) as session:
        over = over_budget(session, budget, (_place(each) for each in together))
    return Retrieval(
        tuple(each for each in together if each.statement.id not in over),
        (*first.over_budget, *sorted(over)),
    )


def _compared(source: _Source, text: str, statements: Sequence[Statement]) -> list[Retrieved]:
    """The statements with their similarity to the text, from the vectors in the database."""
    vector = source.embedder.queries([text])[0]
    with read(source.engine) as session:
        similarity = _similarities(session, source, vector, [each.id for each in statements])
    return [Retrieved(statement, similarity[statement.id]) for statement in statements]


def _similarities(
    session: Session, source: _Source, vector: NDArray[np.float32], ids: Collection[int]
) -> dict[int, float]:
    """Cosine similarity by statement id; a statement without a vector is left out."""
    return {
        int(i): float(row @ vector)
        for batch, rows in iter_embeddings(session, source.embedder.fingerprint, ids=list(ids))
        for i, row in zip(batch, rows, strict=True)
    }


def _second_searches(question: str, found: Sequence[Retrieved]) -> list[str]:
    """A sum after its first step; else the question together with the best statement."""
    asked = asked_sum(question)
    if asked:
        return [written(rest) for rest in _rewritings(asked, found)]
    return [f"{question} {found[0].statement.text}"] if found else []


def _goes_on(text: str, statement: Statement) -> bool:
    """What is left of a sum is looked for among statements that say a part of it."""
    left = asked_sum(text)
    return left is None or any(rewritings(left, e) for e in equations_in(statement.text or ""))


def _rewritings(expression: Expression, found: Sequence[Retrieved]) -> list[Expression]:
    """What is left of the expression after one step that a statement says."""
    steps = (e for each in found for e in equations_in(each.statement.text or ""))
    rests = [rest for step in steps for rest in rewritings(expression, step) if len(rest) > 1]
    return list(dict.fromkeys(rests))


def _order(language: Language | None, found: Retrieved) -> tuple[float, int]:
    spoken = "zh" if found.statement.language == "zh" else "en"
    usual = usual_similarity(language or spoken, spoken)
    return usual - found.similarity, found.statement.id


def _place(found: Retrieved) -> Place:
    """Where a statement is shown from: it counts for the work of its credited occurrence."""
    credited = found.statement.occurrences[0]
    return Place(found.statement.id, credited.work_id, credited.end - credited.start)


def _nearest(source: _Source, text: str, k: int) -> Retrieval:
    """The first `k` that may be used, looking deeper where the nearest ones may not be."""
    source.index.load()
    vectors = source.embedder.queries([text])
    wanted = OVERFETCH * k
    while True:
        (hits,) = source.index.search(vectors, wanted)
        with read(source.engine) as session:
            found = _usable(session, source, vectors[0], hits, k)
        if len(found.found) == k or len(hits) < wanted or wanted >= DEEPEST:
            return found
        wanted *= OVERFETCH


def _usable(
    session: Session, source: _Source, vector: NDArray[np.float32], hits: Sequence[Hit], k: int
) -> Retrieval:
    """The first `k` clusters among the hits, each by the statement that represents it."""
    similarity = {hit.statement_id: float(hit.similarity) for hit in hits}
    first = set(representatives(session, similarity, source.at_us).values())
    elsewhere = first - similarity.keys()
    if elsewhere:
        similarity |= _similarities(session, source, vector, elsewhere)
    statements = get_statements(session, sorted(first & similarity.keys()), source.at_us)
    near = sorted(
        (Retrieved(statement, similarity[statement.id]) for statement in statements),
        key=partial(_order, source.language),
    )
    best: dict[int, Retrieved] = {}
    for each in near:
        best.setdefault(each.statement.cluster_id, each)
    over = over_budget(session, source.budget, (_place(each) for each in best.values()))
    ranked = [each.statement.id for each in best.values()][:k]
    return Retrieval(
        tuple(each for each in best.values() if each.statement.id not in over)[:k],
        tuple(i for i in ranked if i in over),
    )
