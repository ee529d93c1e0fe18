"""Two statements that answer together: one leads from the question to a term, the other goes on."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from haozhi.judge.features import USUAL
from haozhi.judge.pieces import Pieces
from haozhi.judge.reading import Reading, part_held, read, weights_of
from haozhi.judge.words import words

# Each with the sign that its weight may have (0: either).
SIGNS = {
    "first_similarity": 1,  # cosine of the first less the usual one of its languages
    "second_similarity": 1,
    "first_lead": 1,  # cosine of the first less the list's best
    "coverage": 1,  # part of the question's content that the two hold together
    "first_coverage": 1,  # part that the first holds
    "second_adds": 1,  # part that only the second holds
    "second_coverage": -1,  # part that the second holds: it needs no first when that is much
    "bridge": 1,  # weight of the terms that the two share and the question lacks
    "bridge_name": 1,  # a name is among them
    "bridge_common": -1,  # other statements of the list that hold the term too
    "held": 1,  # the second holds the form asked for (no form known: 0)
    "first_held": -1,  # the first holds it too, and may answer alone
}
NAMES = tuple(SIGNS)
_LONG = 4.0  # weight from which a longer bridge is no better


def pair_features(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    usual: Mapping[str, float],
) -> tuple[list[tuple[int, int]], list[list[float]]]:
    """The ordered pairs that may answer, and one row of NAMES for each.

    A pair shares a term that the question lacks, its second statement holds the form asked for
    where that is known, and neither is an echo, a bare sum or a denial.
    """
    asked, _, readings = read(question, statements)
    weight = weights_of(asked)
    best = max(similarities, default=0.0)
    above = [
        10 * (similarity - usual.get(asked.language + reading.pieces.language, USUAL))
        for similarity, reading in zip(similarities, readings, strict=True)
    ]
    places, rows = [], []
    for i, j in permutations(range(len(readings)), 2):
        first, second = readings[i], readings[j]
        if not _may_answer(first, second):
            continue
        bridge = _shared(first.pieces, second.pieces, asked)
        if not bridge or first.pieces.text == second.pieces.text:
            continue
        others = [readings[k].pieces for k in range(len(readings)) if k not in (i, j)]
        both = {piece: max(grade, second.held[piece]) for piece, grade in first.held.items()}
        mine, together = part_held(first.held, weight), part_held(both, weight)
        places.append((i, j))
        rows.append(
            [
                above[i],
                above[j],
                10 * (similarities[i] - best),
                together,
                mine,
                together - mine,
                part_held(second.held, weight),
                min(sum(bridge.values()), _LONG),
                float(any(term in first.pieces.names for term in bridge)),
                float(sum(any(_holds(other, term) for term in bridge) for other in others)),
                float(bool(second.values)),
                float(bool(first.values)),
            ]
        )
    return places, rows


def _may_answer(first: Reading, second: Reading) -> bool:
    lacking = second.values is not None and not second.values
    sound = all(reading.plain and not reading.denies for reading in (first, second))
    return sound and not lacking


def _shared(first: Pieces, second: Pieces, asked: Pieces) -> dict[str, float]:
    """Terms in both statements and not in the question, with a weight: stems and Han substrings."""
    related = words().groups_en
    taken = {group for word in asked.stems.values() for group in related.get(word, ())}
    shared = {
        stem: 2.0 if stem in first.names and stem in second.names else 1.0
        for stem, word in first.stems.items()
        if stem in second.stems
        and stem not in asked.stems
        and not (taken & related.get(word, frozenset()))
    }
    for run in first.han:
        for term in _common(run, second.text):
            if term not in asked.text:
                shared[term] = float(len(term))
    return shared


def _common(run: str, text: str) -> list[str]:
    """Longest substrings of two characters or more that both hold, left to right."""
    found, start = [], 0
    while start < len(run) - 1:
        end = start + 2
        while end <= len(run) and run[start:end] in text:
            end += 1
        if end > start + 2:
            found.append(run[start : end - 1])
            start = end - 1
        else:
            start += 1
    return found


def _holds(statement: Pieces, term: str) -> bool:
    return term in statement.stems or (not term.isascii() and term in statement.text)
