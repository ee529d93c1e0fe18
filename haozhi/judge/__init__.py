"""Does a statement, or a pair of them, answer the question, in whatever words?

A logistic regression on a few interpretable numbers; no model is loaded, similarities come in.
`python -m haozhi.judge.fit` fits it again.
"""

from collections.abc import Sequence

from haozhi.judge.features import single_features
from haozhi.judge.model import Thresholds, Weights, choose, weights
from haozhi.judge.pairs import pair_features
from haozhi.judge.reading import answers_nothing
from haozhi.judge.words import words
from store.text import normalise

__all__ = [
    "Thresholds",
    "best_verdict",
    "judge_pairs",
    "judge_single",
    "thresholds",
    "usual_similarity",
]
_PAIRS = 5


def judge_single(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    fitted: Weights | None = None,
    about: Sequence[str] = (),
) -> tuple[float, ...]:
    """The probability 0..1 of each statement that it alone answers the question.

    `similarities` are the embedder's cosines with the question, one per statement. Judge the whole
    retrieved list at once: a statement is compared with the others. An echo of a question and a
    bare sum answer nothing (0), and a question that is a sum is answered by calculation only.
    `about`: what each statement speaks of where it opens with a pronoun (`haozhi.judge.about`), ''
    for the others; empty: none does.
    """
    _check(statements, similarities)
    fitted = fitted or weights()
    if not statements or words().sum_question.match(normalise(question)):
        return (0.0,) * len(statements)
    rows = single_features(question, statements, similarities, fitted.usual, about)
    probabilities = fitted.single.probabilities(rows)
    return tuple(
        0.0 if answers_nothing(statement) else probability
        for statement, probability in zip(statements, probabilities, strict=True)
    )


def judge_pairs(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    fitted: Weights | None = None,
    about: Sequence[str] = (),
) -> tuple[tuple[int, int, float], ...]:
    """Pairs (i, j, probability) that answer together, best first, at most 5.

    i is about what the question is about and names a term that the question lacks; j goes on from
    that term to what is asked for. Arguments as in judge_single.
    """
    _check(statements, similarities)
    fitted = fitted or weights()
    if words().sum_question.match(normalise(question)):
        return ()
    places, rows = pair_features(question, statements, similarities, fitted.usual, about)
    found = zip(places, fitted.pair.probabilities(rows), strict=True)
    ranked = sorted(((i, j, p) for (i, j), p in found), key=lambda row: (-row[2], row[0], row[1]))
    return tuple(ranked[:_PAIRS])


def best_verdict(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    fitted: Weights | None = None,
    about: Sequence[str] = (),
) -> tuple[int, ...]:
    """The places of the one or two statements that answer best; empty when nothing answers."""
    fitted = fitted or weights()
    single = judge_single(question, statements, similarities, fitted, about)
    pairs = judge_pairs(question, statements, similarities, fitted, about)
    best = max(range(len(single)), key=lambda place: (single[place], -place), default=0)
    return choose(
        [((best,), probability) for probability in single[best : best + 1]]
        + [((i, j), probability) for i, j, probability in pairs[:1]],
        fitted.thresholds,
    )


def usual_similarity(question_language: str, statement_language: str) -> float:
    """The mean cosine between unrelated texts of these languages (zh or en), as fitted."""
    return weights().usual[question_language + statement_language]


def thresholds() -> Thresholds:
    """From which probability on a verdict means "answerable", fitted with the weights."""
    return weights().thresholds


def _check(statements: Sequence[str], similarities: Sequence[float]) -> None:
    if len(statements) != len(similarities):
        raise ValueError(f"{len(statements)} statements and {len(similarities)} similarities")
