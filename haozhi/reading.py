"""Reads an answer's segments beside its context with the models that settings name, once."""

from collections.abc import Sequence

from haozhi.app import App
from haozhi.attribution.support import SupportStatement
from haozhi.attribution.support.readings import Reading, Readings, is_sentence
from haozhi.ranking import similarities
from haozhi.sums import asked_sum
from store.engine import read

#: Decimals that are kept of what a model says, so that what is stored is what was used.
KEPT = 4


def read_beside(
    app: App, question: str, segments: Sequence[str], statements: Sequence[SupportStatement]
) -> Readings | None:
    """Each segment beside each statement; None for a sum, which equations decide.

    A segment that says nothing by itself (`Poland`) has no nearness, and is put to the model of
    inference together with the question.
    """
    if asked_sum(question) or not statements:
        return None
    return [_row(app, question, segment, statements) for segment in segments]


def _row(
    app: App, question: str, segment: str, statements: Sequence[SupportStatement]
) -> list[Reading]:
    near = _similarities(app, segment, statements) if is_sentence(segment) else {}
    inferred: list[tuple[float | None, float | None]] = [(None, None)] * len(statements)
    if app.nli:
        hypothesis = segment if is_sentence(segment) else f"{question} {segment}".strip()
        inferred = list(app.nli.read([(statement.text, hypothesis) for statement in statements]))
    return [
        Reading(_kept(near.get(statement.id)), _kept(entails), _kept(denies))
        for statement, (entails, denies) in zip(statements, inferred, strict=True)
    ]


def _similarities(
    app: App, segment: str, statements: Sequence[SupportStatement]
) -> dict[int, float]:
    vector = app.embedder.passages([segment])
    with read(app.engine) as session:
        return similarities(session, app.embedder, vector, [s.id for s in statements])


def _kept(value: float | None) -> float | None:
    return None if value is None else round(value, KEPT)
