"""Which statements answer a question of fact at all: the judge says so, words where it cannot."""

from collections.abc import Sequence

from haozhi.attribution.support import FoundSet, SegmentSupport, SupportStatement
from haozhi.attribution.support.found import MOST_STATEMENTS
from haozhi.judge import best_verdict, judge_pairs, judge_single, thresholds

#: Ids of the statements that answer, in the order in which one leads to the next.
Verdict = tuple[int, ...]


def verdict_ids(
    question: str, statements: Sequence[SupportStatement], similarities: Sequence[float]
) -> list[Verdict]:
    """The statements that answer a question of fact, alone or in pairs; best first."""
    found = verdicts(question, statements, similarities)
    return [tuple(statements[place].id for place in verdict) for verdict in found]


def verdicts(
    question: str, statements: Sequence[SupportStatement], similarities: Sequence[float]
) -> list[tuple[int, ...]]:
    """Places of the statements that answer a question of fact, alone or in pairs; best first.

    All are of the size of the best one: beside a statement that answers alone no pair is needed,
    and beside a pair a statement alone is only half of the way.
    """
    texts, about = [s.text for s in statements], [s.about for s in statements]
    best = best_verdict(question, texts, similarities, about=about)
    if len(best) == 1:
        single = judge_single(question, texts, similarities, about=about)
        order = sorted(range(len(single)), key=lambda place: (-single[place], place))
        found: list[tuple[int, ...]] = [
            (place,) for place in order if single[place] >= thresholds().single
        ]
    else:
        pairs = judge_pairs(question, texts, similarities, about=about)
        found = [(i, j) for i, j, probability in pairs if probability >= thresholds().pair]
    return [best, *(v for v in found if v != best)] if best else []


def by_words(
    question: str,
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
    worded: Sequence[SegmentSupport],
) -> list[Verdict]:
    """Where the judge takes nothing for an answer: what words back and it cannot see, or half does.

    It looks at two statements at most, so a chain of three stands by itself. Of a statement that
    words back alone it must think half as much as without them.
    """
    least = thresholds().single / 2
    single = judge_single(question, [s.text for s in statements], similarities)
    likely = {s.id for s, p in zip(statements, single, strict=True) if p >= least}
    sets = [found.statement_ids for support in worded for found in support.sets]
    return [
        ids
        for ids in sets
        if len(ids) == MOST_STATEMENTS or (len(ids) == 1 and likely.issuperset(ids))
    ]


def agrees(found: FoundSet, verdict: Verdict) -> bool:
    """Whether one is a part of the other, or both are the same."""
    ids = set(found.statement_ids)
    return ids.issubset(verdict) or ids.issuperset(verdict)
