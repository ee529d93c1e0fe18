"""Two statements that answer together: one leads from the question to a term, the other goes on."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from haozhi.judge.features import SCALE, USUAL
from haozhi.judge.pieces import Pieces
from haozhi.judge.reading import Reading, part_held, read, weights_of
from haozhi.judge.words import words

# Each with the sign that its weight may have.
SIGNS = {
    "first_similarity": 1,  # cosine of the first less the usual one of its languages
    "first_lead": 1,  # cosine of the first less the list's best
    "coverage": 1,  # part of the question's content that the two hold together
    "second_adds": 1,  # part that only the second holds
    "second_coverage": -1,  # part that the second holds: it needs no first when that is much
    "bridge": 1,  # weight of the terms that the two share and the question lacks
}
NAMES = tuple(SIGNS)
_LONG = 4.0  # weight from which a longer bridge is no better


def pair_features(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    usual: Mapping[str, float],
    about: Sequence[str] = (),
) -> tuple[list[tuple[int, int]], list[list[float]]]:
    """The ordered pairs that may answer, and one row of NAMES for each.

    A pair shares a term that the question lacks, its second statement holds the form asked for
    where that is known, and neither is an echo, a bare sum or a denial.
    """
    asked, _, readings = read(question, statements, about)
    weight = weights_of(asked)
    best = max(similarities, default=0.0)
    places, rows = [], []
    for i, j in permutations(range(len(readings)), 2):
        first, second = readings[i], readings[j]
        bridge = _bridge(first, second, asked) if _may_answer(first, second) else 0.0
        if not bridge:
            continue
        usually = usual.get(asked.language + first.pieces.language, USUAL)
        both = {piece: max(grade, second.held[piece]) for piece, grade in first.held.items()}
        together = part_held(both, weight)
        places.append((i, j))
        rows.append(
            [
                SCALE * (similarities[i] - usually),
                SCALE * (similarities[i] - best),
                together,
                together - part_held(first.held, weight),
                part_held(second.held, weight),
                bridge,
            ]
        )
    return places, rows


def _may_answer(first: Reading, second: Reading) -> bool:
    lacking = second.values is not None and not second.values
    sound = all(reading.plain and not reading.denies for reading in (first, second))
    return sound and not lacking and first.pieces.text != second.pieces.text


def _bridge(first: Reading, second: Reading, asked: Pieces) -> float:
    """Weight of the terms that stand in both, not in the question or the answer, at most 4.

    A word weighs 1, a name 2, a Han term 1 per character; a word of a relation that the question
    asks about is no term.
    """
    related = words().groups_en
    taken = {group for word in asked.stems.values() for group in related.get(word, ())}
    answer = " ".join(second.values or ())
    one, other = first.pieces, second.pieces
    weight = 0.0
    for stem, word in one.stems.items():
        known = stem in asked.stems or taken & related.get(word, frozenset()) or word in answer
        if stem in other.stems and not known:
            weight += 2.0 if stem in one.names and stem in other.names else 1.0
    known_text = asked.text + answer
    for run in one.han:
        weight += sum(len(term) for term in _common(run, other.text) if term not in known_text)
    return min(weight, _LONG)


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
