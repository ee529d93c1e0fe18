"""What backs each segment of an answer: the words decide for sums, words and judge for facts.

For a question of fact the learned judge says which statements, alone or in pairs, answer it at all
(the verdicts). A segment is then backed by those of them that hold what it says, or that models
read as saying it in other words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from haozhi.answering.holding import adds, holds, says
from haozhi.answering.verdicts import Verdict, agrees, by_words, verdict_ids
from haozhi.attribution.support import FoundSet, SegmentSupport, SupportStatement, find_support
from haozhi.attribution.support.clauses import clauses_of
from haozhi.attribution.support.found import distinct, minimal
from haozhi.attribution.support.readings import Reading, Readings, denied_by, supported_by
from haozhi.attribution.support.restated import opposes
from haozhi.sums import asked_sum

#: Strength of a statement that the judge takes for an answer and that holds the segment's words.
JUDGED = 0.95


@dataclass(frozen=True)
class _Beside:
    """A segment with the question, the context's statements by id and their readings."""

    question: str
    segment: str
    statements: Mapping[int, SupportStatement]
    readings: Mapping[int, Reading]


def back(
    question: str,
    segments: Sequence[str],
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
    readings: Readings | None = None,
    judged: Sequence[Verdict] | None = None,
) -> tuple[SegmentSupport, ...]:
    """Support of each segment; `similarities` are the statements' retrieval cosines, `judged` the
    verdicts where they were found before (`verdict_ids`).

    An empty question asks for nothing: each segment must then be held as it stands. An answer that
    covers no verdict is backed by nothing, however true its sentences are; nor is a segment that
    says again what one before it said, or a stammering model would pay its source twice.
    """
    once = _once(segments)
    worded = find_support(question, once, statements)
    texts = {s.id: s.text for s in statements}
    if asked_sum(question):
        return tuple(
            replace(support, sets=_bare_sums(question, segment, support, texts))
            for segment, support in zip(segments, worded, strict=True)
        )
    rows = readings or [[Reading()] * len(statements)] * len(segments)
    ids = [s.id for s in statements]
    besides = [
        _Beside(question, s, {i.id: i for i in statements}, dict(zip(ids, row, strict=True)))
        for s, row in zip(once, rows, strict=True)
    ]
    if not question:
        return tuple(_read(*each) for each in zip(besides, worded, strict=True))
    if judged is None:
        judged = verdict_ids(question, statements, similarities)
    if not judged:
        judged = by_words(question, statements, similarities, worded)
    return _judged(besides, worded, judged)


def _judged(
    besides: Sequence[_Beside], worded: Sequence[SegmentSupport], judged: Sequence[Verdict]
) -> tuple[SegmentSupport, ...]:
    """The support that stays once a judge has said which statements answer."""
    backed = [
        replace(support, sets=_sets(beside, support, judged))
        for beside, support in zip(besides, worded, strict=True)
    ]
    rests_on = {i for support in backed for each in support.sets for i in each.statement_ids}
    if not any(rests_on.issuperset(verdict) for verdict in judged):
        backed = [replace(support, sets=()) for support in backed]
    return tuple(_denied(*each) for each in zip(besides, backed, strict=True))


def _read(beside: _Beside, support: SegmentSupport) -> SegmentSupport:
    """A claim that no words back rests on the statements that entail it."""
    entailed = [
        found
        for i, reading in beside.readings.items()
        for found in [_reworded(beside, i, replace(reading, similarity=None))]
        if found and not support.sets
    ]
    return _denied(beside, replace(support, sets=support.sets or minimal(entailed)))


def _denied(beside: _Beside, support: SegmentSupport) -> SegmentSupport:
    """With what opposes a source of the segment, and what models read as a denial of it.

    A statement is on one side, its own words count most.
    """
    says = {i for each in support.sets if each.method == "verbatim" for i in each.statement_ids}
    backs = {i for each in support.sets for i in each.statement_ids}
    read = [
        denial
        for i, reading in beside.readings.items()
        for denial in [denied_by(beside.statements[i], beside.segment, reading)]
        if denial and i not in backs
    ]
    worded = (d for d in support.denials if says.isdisjoint(d.statement_ids))
    denials = distinct([*worded, *_opposing(beside, support), *read])
    deniers = {i for denial in denials for i in denial.statement_ids}
    sets = tuple(s for s in support.sets if deniers.isdisjoint(s.statement_ids))
    return SegmentSupport(sets, denials)


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


def _opposing(beside: _Beside, support: SegmentSupport) -> Iterator[FoundSet]:
    """Denials of what backs the segment alone, in whatever words the segment says it."""
    clauses = {i: clauses_of(statement.text) for i, statement in beside.statements.items()}
    segment = clauses_of(beside.segment)
    alone = [each.statement_ids[0] for each in support.sets if len(each.statement_ids) == 1]
    for source in alone:
        for i, other in clauses.items():
            method = opposes(clauses[source], other, segment) if i not in alone else ""
            if method:
                yield FoundSet((i,), 1.0, method)


def _sets(
    beside: _Beside, support: SegmentSupport, judged: Iterable[Verdict]
) -> tuple[FoundSet, ...]:
    """Worded sets that a verdict agrees with, and the verdicts that hold the segment.

    Words may know a longer way than the judge, who looks at two statements at most: a verdict that
    is a part of it is not enough. What a chain leads to stands in its last statement and not in
    those before: `Dr Amsel` does not answer where the vet lives.
    """
    worded = [s for s in support.sets if any(agrees(s, verdict) for verdict in judged)]
    found: list[FoundSet] = []
    for verdict in judged:
        texts = [beside.statements[i].text for i in verdict]
        quoted = [i for i, text in zip(verdict, texts, strict=True) if says(text, beside.segment)]
        *before, last = (holds(text, beside.segment, beside.question) for text in texts)
        reworded = _reworded(beside, verdict[-1], beside.readings[verdict[-1]])
        if quoted:
            found.append(FoundSet((quoted[0],), 1.0, "verbatim"))
        elif last and not any(before):
            found.append(FoundSet(tuple(sorted(verdict)), JUDGED, "judged"))
        elif reworded and not any(before):
            found.append(replace(reworded, statement_ids=tuple(sorted(verdict))))
    longer = [set(each.statement_ids) for each in worded]
    others = [f for f in found if not any(ids.issuperset(f.statement_ids) for ids in longer)]
    return minimal([*worded, *others])


def _reworded(beside: _Beside, statement_id: int, reading: Reading) -> FoundSet | None:
    return supported_by(beside.statements[statement_id], beside.segment, beside.question, reading)
