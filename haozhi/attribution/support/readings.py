"""What models make of a segment beside a statement, and what that counts for as support.

Models read once, when an answer is made, and what they said is stored with it: support stays a
function of what is stored. A vector does not tell a cat from a dog (of hand-made pairs the changed
ones were as near as the reworded), so nearness counts only between texts that agree in numbers,
names, polarity and most words, and differ in none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from haozhi.attribution.support.clauses import (
    Clause,
    clauses_of,
    known,
    known_pieces,
    total_weight,
)
from haozhi.attribution.support.found import FoundSet, SupportStatement
from haozhi.attribution.support.polarity import denies, names_held, speaks_of_another
from haozhi.attribution.support.tokens import tokens_of

NEAR = 0.95
PARAPHRASED = 0.8
"""What a paraphrase is worth; that the judge took the statement for an answer is worth more."""
SURE = 0.9
_SENTENCE = 3.0  # the content of a segment that can be read by itself: `Dr Amsel` cannot
_LEAST_NEWS = 2 / 3


@dataclass(frozen=True)
class Reading:
    """`similarity` is a cosine, `entails` and `denies` are probabilities; None was not asked."""

    similarity: float | None = None
    entails: float | None = None
    denies: float | None = None


#: Of each segment beside each statement.
Readings = Sequence[Sequence[Reading]]


def to_json(readings: Readings | None) -> list[list[list[float | None]]] | None:
    """As it is stored with an answer."""
    if readings is None:
        return None
    return [[[r.similarity, r.entails, r.denies] for r in row] for row in readings]


def from_json(stored: list[list[list[float | None]]] | None) -> Readings | None:
    """What `to_json` made; None where nothing was read."""
    if stored is None:
        return None
    return [[Reading(*each) for each in row] for row in stored]


def is_sentence(segment: str) -> bool:
    """Whether the segment says something by itself."""
    return total_weight(p for c in clauses_of(segment) for p in c.pieces) >= _SENTENCE


def supported_by(
    statement: SupportStatement, segment: str, question: str, reading: Reading
) -> FoundSet | None:
    """The set of this statement when it entails the segment, or says it in other words."""
    said, stated = clauses_of(segment), clauses_of(statement.text)
    if not _agree(said, stated):
        return None
    if reading.entails is not None and reading.entails >= SURE:
        return FoundSet((statement.id,), round(reading.entails, 4), "entailment")
    near = reading.similarity is not None and reading.similarity >= NEAR
    if near and is_sentence(segment) and _rewords(said, stated, question):
        return FoundSet((statement.id,), PARAPHRASED, "paraphrase")
    return None


def _rewords(said: Sequence[Clause], stated: Sequence[Clause], question: str) -> bool:
    """Whether two thirds of what is new are the statement's, and the rest stands in for nothing.

    The `blue` of the statement where the segment has `red` is no other word for it.
    """
    asked = known_pieces([token.piece for token in tokens_of(question) if token.piece])
    news = asked.missing(piece for clause in said for piece in clause.pieces)
    unheard = total_weight(known(stated).missing(news))
    left = (asked | known(said)).missing(piece for clause in stated for piece in clause.pieces)
    few = unheard <= (1 - _LEAST_NEWS) * total_weight(news)
    return bool(news) and few and not (unheard and left)


def denied_by(statement: SupportStatement, segment: str, reading: Reading) -> FoundSet | None:
    """The denial of a statement that speaks of the same names and is read as the opposite."""
    if reading.denies is None or reading.denies < SURE or not is_sentence(segment):
        return None
    said, stated = clauses_of(segment), clauses_of(statement.text)
    names = [name for clause in said for name in clause.names]
    pieces = [piece for clause in said for piece in clause.pieces]
    unshared = total_weight(known(stated).missing(pieces))
    if unshared > total_weight(pieces) / 2 or not names_held(names, stated):
        return None
    return FoundSet((statement.id,), 1.0, "entailment")


def _agree(said: Sequence[Clause], stated: Sequence[Clause]) -> bool:
    """Whether numbers, names, ranks and polarity of the segment are the statement's."""
    if not said or not stated or denies(said) != denies(stated):
        return False
    numbers = [p for clause in said for p in clause.pieces if p.startswith("#")]
    names = [name for clause in said for name in clause.names[_opens_with_word(clause) :]]
    everything = known(stated)
    return (
        everything.holds(numbers)
        and names_held(names, stated)
        and not speaks_of_another(stated, known(said))
    )


def _opens_with_word(clause: Clause) -> bool:
    """Whether its first capital only opens the sentence: one word, which may be any."""
    return bool(clause.names) and len(clause.names[0]) == 1 and clause.tokens[0].capital
