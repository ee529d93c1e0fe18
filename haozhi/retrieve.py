"""Which statements a question is answered from: the nearest ones, one per cluster, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from haozhi.judge import usual_similarity
from haozhi.language import Language, detect
from haozhi.sums import Expression, asked_sum, equations_in, rewritings
from ingest.ports import Embedder
from store.engine import Engine, read
from store.records import Statement
from store.statements import get_statements, iter_embeddings, visible_ids
from store.vectors import VectorIndex

#: Second searches at most, and the places of the context that go to what they find.
SECOND_SEARCHES = 3
SECOND_PLACES = 2
#: Hits looked at per place, since withdrawn ones, copies and the other language are sorted out.
OVERFETCH = 4


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
    """Up to `k` visible statements, one per cluster, best first, then by id.

    Best is the similarity less the usual one between these two languages: a statement in the other
    language is never as near as one in the question's own. The last places go to what a second
    search finds, from where the first one led: half of an answer does not resemble its question.
    """
    language = detect(question)
    find = partial(_nearest, engine, embedder, index, language)
    found = find(search_text(question), k)
    kept = found[: max(k - SECOND_PLACES, 1)]
    more: dict[int, Retrieved] = {}
    for text in _second_searches(question, found)[:SECOND_SEARCHES]:
        known = {each.statement.cluster_id for each in kept} | more.keys()
        new = [
            hit
            for hit in find(text, OVERFETCH * k)
            if hit.statement.cluster_id not in known and _goes_on(text, hit.statement)
        ]
        more.update({hit.statement.cluster_id: hit for hit in new[:SECOND_PLACES]})
    places = min(SECOND_PLACES, k // 2)
    taken = {cluster: hit.statement for cluster, hit in list(more.items())[:places]}
    first = [each for each in found if each.statement.cluster_id not in taken][: k - len(taken)]
    second = _compared(engine, embedder, search_text(question), list(taken.values()))
    return tuple(sorted([*first, *second], key=partial(_order, language)))


def _compared(
    engine: Engine, embedder: Embedder, text: str, statements: Sequence[Statement]
) -> list[Retrieved]:
    """The statements with their similarity to the text, from the vectors in the database."""
    vector = embedder.queries([text])[0]
    ids = [statement.id for statement in statements]
    with read(engine) as session:
        similarity = {
            int(i): float(row @ vector)
            for batch, rows in iter_embeddings(session, embedder.fingerprint, ids=ids)
            for i, row in zip(batch, rows, strict=True)
        }
    return [Retrieved(statement, similarity[statement.id]) for statement in statements]


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


def _nearest(
    engine: Engine,
    embedder: Embedder,
    index: VectorIndex,
    language: Language | None,
    text: str,
    k: int,
) -> tuple[Retrieved, ...]:
    index.load()
    (hits,) = index.search(embedder.queries([text]), OVERFETCH * k)
    with read(engine) as session:
        visible = visible_ids(session, [hit.statement_id for hit in hits])
        kept = [hit for hit in hits if hit.statement_id in visible]
        statements = get_statements(session, [hit.statement_id for hit in kept])
    found = [
        Retrieved(statement, float(hit.similarity))
        for statement, hit in zip(statements, kept, strict=True)
    ]
    found.sort(key=partial(_order, language))
    best: dict[int, Retrieved] = {}
    for each in found:
        best.setdefault(each.statement.cluster_id, each)
    return tuple(best.values())[:k]
