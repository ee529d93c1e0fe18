"""Interpretable numbers about (question, statement, similarity), the same in both languages."""

from collections.abc import Mapping, Sequence

from haozhi.judge.pieces import replaced
from haozhi.judge.reading import Reading, part_held, read, weights_of
from haozhi.judge.words import Kind

# Each with the sign that its weight may have (0: either): a small fit must not learn nonsense.
SIGNS = {
    "similarity": 1,  # cosine less the usual one of the two languages
    "lead": 1,  # cosine less the best rival's
    "across": 0,  # the two are in different languages: words say nothing
    "coverage": 1,  # part of the question's content that the statement holds
    "strict_held": 1,  # asked for a closed form (price, hour, place, …) and it stands there
    "strict_missing": -1,
    "loose_held": 1,  # asked who, and something like a person stands there
    "loose_missing": -1,
    "replaced": -1,  # tells it of something else: chess club for maths club
    "denies": -1,  # a denial for a question that denies nothing
}
NAMES = tuple(SIGNS)
USUAL = 0.85  # cosine of a pair of languages that the fit never met
SCALE = 10  # cosines differ by hundredths
_ACROSS = 0.6  # coverage where none can be seen


def single_features(
    question: str,
    statements: Sequence[str],
    similarities: Sequence[float],
    usual: Mapping[str, float],
    about: Sequence[str] = (),
) -> list[list[float]]:
    """One row of NAMES per statement; `usual`: the usual cosine per languages, such as `zhen`."""
    asked, kind, readings = read(question, statements, about)
    weight = weights_of(asked)
    rows = []
    for number, reading in enumerate(readings):
        similarity = similarities[number]
        rivals = (
            similarities[n]
            for n, other in enumerate(readings)
            if n != number and _rival(reading, other)
        )
        across = asked.language != reading.pieces.language
        rows.append(
            [
                SCALE * (similarity - usual.get(asked.language + reading.pieces.language, USUAL)),
                SCALE * (similarity - max(rivals, default=min(similarities))),
                float(across),
                _ACROSS if across else part_held(reading.held, weight),
                *_form(kind, reading),
                float(replaced(asked, reading.pieces)),
                float(reading.denies),
            ]
        )
    return rows


def _rival(reading: Reading, other: Reading) -> bool:
    """Whether the other may be the answer instead: a statement with the same value may not."""
    return not (reading.values and other.plain and reading.values == other.values)


def _form(kind: Kind | None, reading: Reading) -> list[float]:
    """Strict held, strict missing, loose held, loose missing: at most one is 1."""
    held = [0.0, 0.0, 0.0, 0.0]
    if reading.values is not None:
        held[(0 if kind and kind.strict else 2) + (0 if reading.values else 1)] = 1.0
    return held
