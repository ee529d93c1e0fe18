"""Interpretable numbers about (question, statement, similarity), the same in both languages."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from haozhi.judge.pieces import Pieces
from haozhi.judge.reading import Reading, is_rare, part_held, read, weights_of
from haozhi.judge.words import Kind

# Each with the sign that its weight may have (0: either): a small fit must not learn nonsense.
SIGNS = {
    "similarity": 1,  # cosine less the usual one of the two languages
    "lead": 1,  # cosine less the best rival's
    "above_mean": 1,  # cosine less the list's mean
    "across": 0,  # the two are in different languages: words say nothing
    "coverage": 1,  # part of the question's content that the statement holds
    "names_missing": -1,  # part of the question's names and numbers that it lacks
    "missing_elsewhere": -1,  # part that it lacks and another statement of the list holds
    "twin": -1,  # how near a rival with an answer of the form comes in coverage
    "strict_held": 1,  # asked for a closed form (price, hour, year, …) and it stands there
    "strict_missing": -1,
    "loose_held": 1,  # asked who, and something like a person stands there
    "loose_missing": -1,
    "denies": -1,  # a denial for a question that denies nothing
    "news": 0,  # how much it says beyond the question's words
    "other_name": -1,  # brings a name where one of the question's is missing
}
NAMES = tuple(SIGNS)
USUAL = 0.85  # cosine of a pair of languages that the fit never met
_SCALE = 10  # cosines differ by hundredths
_ACROSS = 0.6  # coverage where none can be seen


def single_features(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    usual: Mapping[str, float],
) -> list[list[float]]:
    """One row of NAMES per statement; `usual`: the usual cosine per languages, such as `zhen`."""
    asked, kind, readings = read(question, statements)
    weight = weights_of(asked)
    mean = fmean(similarities) if similarities else 0.0
    rows = []
    for number, reading in enumerate(readings):
        similarity = similarities[number]
        rivals = [place for place in range(len(readings)) if _rival(number, place, readings)]
        best = max((similarities[place] for place in rivals), default=min(similarities))
        usually = usual.get(asked.language + reading.pieces.language, USUAL)
        across = asked.language != reading.pieces.language
        rows.append(
            [
                _SCALE * (similarity - usually),
                _SCALE * (similarity - best),
                _SCALE * (similarity - mean),
                float(across),
                *_coverage(asked, reading, [readings[place] for place in rivals], weight),
                *_answer(kind, reading),
                *_manner(asked, reading),
            ]
        )
    return rows


def _rival(number: int, place: int, readings: Sequence[Reading]) -> bool:
    """Whether the statement at `place` may be the answer instead: who says the same is no rival."""
    mine, other = readings[number], readings[place]
    return place != number and not (mine.values and other.plain and mine.values == other.values)


def _coverage(
    asked: Pieces, reading: Reading, rivals: Sequence[Reading], weight: dict[str, float]
) -> list[float]:
    if asked.language != reading.pieces.language:
        return [_ACROSS, 0.0, 0.0, 0.0]
    mine, held = part_held(reading.held, weight), reading.held
    rare = [piece for piece in held if is_rare(piece, asked)]
    best = {piece: max((rival.held[piece] for rival in rivals), default=0.0) for piece in held}
    elsewhere = {piece: max(0.0, best[piece] - grade) for piece, grade in held.items()}
    twins = [rival for rival in rivals if rival.values and rival.plain]
    twin = max((part_held(rival.held, weight) for rival in twins), default=0.0)
    return [
        mine,
        sum(1 - held[piece] for piece in rare) / max(len(rare), 1),
        part_held(elsewhere, weight),
        min(twin / (mine or 1.0), 1.0) if reading.values else 0.0,
    ]


def _answer(kind: Kind | None, reading: Reading) -> list[float]:
    held = [0.0, 0.0, 0.0, 0.0]
    if kind is not None:
        held[(0 if kind.strict else 2) + (0 if reading.values else 1)] = 1.0
    return held


def _manner(asked: Pieces, reading: Reading) -> list[float]:
    statement = reading.pieces
    new = {stem for stem in statement.stems if stem not in asked.stems}
    han = {char for run in statement.han for char in run if char not in asked.text}
    other = bool(statement.names - asked.names) and bool(asked.names - set(statement.stems))
    return [
        float(reading.denies),
        min(len(new) + len(han) / 2, 12.0) / 4,
        float(other and asked.language == statement.language),
    ]
