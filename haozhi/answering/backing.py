"""What backs each segment of an answer: the words decide for sums, words and judge for facts.

For a question of fact the learned judge says which statements, alone or in pairs, answer it at all
(the verdicts). A segment is then backed by those of them that hold what it says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from haozhi.answering.holding import adds, holds, says
from haozhi.attribution.support import FoundSet, SegmentSupport, SupportStatement, find_support
from haozhi.judge import best_verdict, judge_pairs, judge_single, thresholds
from haozhi.sums import asked_sum

#: Strength of a statement that the judge takes for an answer and that holds the segment's words.
JUDGED = 0.95

#: Ids of the statements that answer, in the order in which one leads to the next.
Verdict = tuple[int, ...]


def back(
    question: str,
    segments: Sequence[str],
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
    judged: Sequence[Verdict] | None = None,
) -> tuple[SegmentSupport, ...]:
    """Support of each segment; `similarities` are the statements' retrieval cosines, `judged` the
    verdicts where they were found before (`verdict_ids`).

    An empty question asks for nothing: each segment must then be held as it stands. An answer that
    covers no verdict is backed by nothing, however true its sentences are; nor is a segment that
    says again what one before it said, or a stammering model would pay its source twice.
    """
    worded = find_support(question, _once(segments), statements)
    if not question:
        return worded
    texts = {s.id: s.text for s in statements}
    if asked_sum(question):
        return tuple(
            replace(support, sets=_bare_sums(question, segment, support, texts))
            for segment, support in zip(segments, worded, strict=True)
        )
    if judged is None:
        judged = verdict_ids(question, statements, similarities)
    backed = tuple(
        replace(support, sets=_sets(question, segment, support, judged, texts))
        for segment, support in zip(_once(segments), worded, strict=True)
    )
    rests_on = {i for support in backed for each in support.sets for i in each.statement_ids}
    if any(rests_on.issuperset(verdict) for verdict in judged):
        return backed
    return tuple(replace(support, sets=()) for support in backed)


def _bare_sums(
    question: str, segment: str, support: SegmentSupport, texts: Mapping[int, str]
) -> tuple[FoundSet, ...]:
    """The sets whose statements say all that the segment says beside its sum."""
    return tuple(
        found
        for found in support.sets
        if not adds(segment, " ".join([question, *(texts[i] for i in found.statement_ids)]))
    )


def _once(segments: Sequence[str]) -> list[str]:
    """The segments, each that repeats an earlier one made empty."""
    repeats = (any(says(earlier, s) for earlier in segments[:k]) for k, s in enumerate(segments))
    return ["" if again else s for again, s in zip(repeats, segments, strict=True)]


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


def _sets(
    question: str,
    segment: str,
    support: SegmentSupport,
    judged: Iterable[Verdict],
    texts: Mapping[int, str],
) -> tuple[FoundSet, ...]:
    """Worded sets within a verdict, else the verdicts that hold the segment.

    What a chain leads to stands in its last statement and not in those before: `Dr Amsel` does not
    answer where the vet lives.
    """
    worded = [s for s in support.sets if any(set(s.statement_ids) <= set(v) for v in judged)]
    if worded:
        return tuple(worded)
    found: list[FoundSet] = []
    for verdict in judged:
        quoted = [i for i in verdict if says(texts[i], segment)]
        held = [holds(texts[i], segment, question) for i in verdict]
        if quoted:
            found.append(FoundSet((quoted[0],), 1.0, "verbatim"))
        elif held[-1] and not any(held[:-1]):
            found.append(FoundSet(tuple(sorted(verdict)), JUDGED, "judged"))
    return tuple(dict.fromkeys(found))
