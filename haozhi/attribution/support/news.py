"""What a segment asserts that its question did not already say."""

from collections.abc import Sequence
from dataclasses import dataclass

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import Clause, Known, known_pieces
from haozhi.attribution.support.tokens import is_han
from haozhi.attribution.support.wanted import units_after


@dataclass(frozen=True)
class News:
    """The pieces that a statement must hold for the segment to rest on it.

    `repeated`: they stand in the question as part of something else (Oxford in `In which city is
    the University of Oxford?`), so a statement must hold them once more than the question does.
    `units`: those that stand after its numbers.
    """

    pieces: tuple[str, ...] = ()
    negated: bool = False
    repeated: bool = False
    units: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers among the pieces."""
        return tuple(piece for piece in self.pieces if piece.startswith("#"))


def news_of(clauses: Sequence[Clause], ask: Ask) -> News | None:
    """None when the clauses assert nothing: they only ask, or only echo the question."""
    pieces = [piece for clause in clauses for piece in clause.pieces]
    new = tuple(dict.fromkeys(fresh for piece in pieces for fresh in _fresh(piece, ask.known)))
    speaks_fully = bool(ask.required) and known_pieces(pieces).holds(ask.required)
    negated = any(clause.negated for clause in clauses)
    if not speaks_fully and not ask.yes_no:
        negated |= ask.negated
    if new:
        units = (unit for clause in clauses for unit in units_after(clause.tokens, new))
        return News(new, negated, units=tuple(units))
    either = frozenset[str]().union(*ask.options)
    if chosen := tuple(piece for piece in pieces if piece in either):
        return News(chosen, negated)
    if ask.yes_no:
        return News((), negated)
    if pieces and not speaks_fully:
        return News(tuple(dict.fromkeys(pieces)), negated, repeated=True)
    return None


def _fresh(piece: str, known: Known) -> tuple[str, ...]:
    """The parts not known; a single Han character keeps its neighbour (南京 of 南京, not 南)."""
    parts = known.lacks(piece)
    if not is_han(piece) or len(piece) == 1:
        return parts
    return tuple(part if len(part) > 1 else _with_neighbour(part, piece) for part in parts)


def _with_neighbour(character: str, run: str) -> str:
    at = run.index(character)
    return run[at : at + 2] if at + 1 < len(run) else run[at - 1 :]
