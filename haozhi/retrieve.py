"""Which statements a question is answered from: the nearest ones, one per cluster, in order."""

from dataclasses import dataclass

from haozhi.sums import Expression, asked_sum, equations_in
from ingest.ports import Embedder
from store.engine import Engine, read
from store.records import Statement
from store.statements import get_statements, visible_ids
from store.vectors import Hit, VectorIndex

#: Follow-up searches of a sum: its rewritings by what was found, and hits taken from each.
FOLLOW_UPS = 3
FOLLOW_HITS = 2


@dataclass(frozen=True)
class Retrieved:
    """A statement and its cosine similarity to the question, -1..1."""

    statement: Statement
    similarity: float


def search_text(question: str) -> str:
    """What is searched for: a sum in its plain form, the same in every language."""
    expression = asked_sum(question)
    return written(expression) if expression else question


def written(expression: Expression) -> str:
    """`1 + 1 + 1 = ?` for an expression."""
    return " ".join(expression) + " = ?"


def retrieve(
    engine: Engine, embedder: Embedder, index: VectorIndex, question: str, k: int
) -> tuple[Retrieved, ...]:
    """Up to `k` visible statements, nearest first, then by id; one per cluster.

    For a sum, statements found for what is left of it after a first step take the last places.
    """
    found = _nearest(engine, embedder, index, search_text(question), k)
    expression = asked_sum(question)
    if expression is None:
        return found
    follow: dict[int, Retrieved] = {}
    for rest in _rewritings(expression, found)[:FOLLOW_UPS]:
        for hit in _nearest(engine, embedder, index, written(rest), FOLLOW_HITS):
            follow.setdefault(hit.statement.id, hit)
    first = [f for f in found if f.statement.id not in follow][: k - len(follow)]
    return tuple(sorted([*first, *list(follow.values())[:k]], key=_order))


def _rewritings(expression: Expression, found: tuple[Retrieved, ...]) -> list[Expression]:
    """The expression with one step of it replaced by its result, as a statement says it."""
    steps = (e for each in found for e in equations_in(each.statement.text or ""))
    rests = [
        expression[:start] + step.right + expression[start + len(step.left) :]
        for step in steps
        for start in range(0, len(expression) - len(step.left) + 1, 2)
        if expression[start : start + len(step.left)] == step.left != expression
    ]
    return list(dict.fromkeys(rests))


def _order(found: Retrieved) -> tuple[float, int]:
    return -found.similarity, found.statement.id


def _nearest(
    engine: Engine, embedder: Embedder, index: VectorIndex, text: str, k: int
) -> tuple[Retrieved, ...]:
    index.load()
    (hits,) = index.search(embedder.queries([text]), 2 * k)
    with read(engine) as session:
        visible = visible_ids(session, [hit.statement_id for hit in hits])
        kept = [hit for hit in hits if hit.statement_id in visible]
        statements = get_statements(session, [hit.statement_id for hit in kept])
    return _one_per_cluster(statements, kept)[:k]


def _one_per_cluster(statements: tuple[Statement, ...], hits: list[Hit]) -> tuple[Retrieved, ...]:
    best: dict[int, Retrieved] = {}
    for statement, hit in zip(statements, hits, strict=True):
        found = Retrieved(statement, float(hit.similarity))
        known = best.get(statement.cluster_id)
        if known is None or _order(found) < _order(known):
            best[statement.cluster_id] = found
    return tuple(sorted(best.values(), key=_order))
