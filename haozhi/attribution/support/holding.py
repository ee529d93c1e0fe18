"""Whether one statement, by itself, answers a question with given news."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import Clause, Known, known, known_pieces, total_weight
from haozhi.attribution.support.lexicon import stem
from haozhi.attribution.support.news import News
from haozhi.attribution.support.polarity import denies, names_held, speaks_of_another
from haozhi.attribution.support.tokens import is_han
from haozhi.attribution.support.wanted import (
    Wanted,
    has_unit,
    is_time,
    is_wanted,
    measures_fit,
    stands_in,
)

CLEAN = 0.95
_LEAST_NEWS = 0.67
_LEAST_REQUIRED = 0.67
_MUCH = 4.0  # a question that requires this much may be met in other words here and there
_WISH = 0.3  # what a statement loses that meets nothing of what is only wished for


@dataclass(frozen=True)
class Holding:
    """A statement says the news about what was asked (or denies it); `strength` is 0..1."""

    strength: float
    denied: bool


def holding(clauses: Sequence[Clause], ask: Ask, news: News) -> Holding | None:
    """How the statement with these clauses answers, None when it does not.

    All names and enough of what the question requires must occur in it, and enough of the news; and
    in the very clause that holds the news, nothing else may be said in the place of what is missing
    there: `worked in Paris` does not answer where somebody was born.
    """
    if not is_wanted(ask.wanted, news.pieces) or not names_held(ask.names, clauses):
        return None
    everything = known(clauses)
    heard = _share(news.pieces, everything)
    if heard < _LEAST_NEWS or not everything.holds(_must_hold(news)):
        return None
    if news.repeated and not _is_place_again(clauses, ask, news):
        return None
    demanded = total_weight(ask.wished) + total_weight(ask.required)
    unmet = total_weight(everything.missing(ask.wished)) / (demanded or 1)
    for home in _homes(clauses, news.pieces, ask.known):
        fit = _fit(home, clauses, ask, news)
        if fit >= _LEAST_REQUIRED:
            strength = CLEAN * heard * fit * (1 - _WISH * unmet)
            return Holding(round(strength, 4), denies(home) != news.negated)
    return None


def met(clauses: Sequence[Clause], ask: Ask) -> frozenset[str]:
    """Which of the question's demands the statement meets."""
    everything = known(clauses)
    return frozenset(p for p in (*ask.required, *ask.wished) if not everything.lacks(p))


def rest_of(clauses: Sequence[Clause], known_to_all: Known) -> tuple[str, ...]:
    """What the clauses say beyond what is known, the time aside."""
    pieces = (piece for clause in clauses for piece in clause.pieces)
    return known_to_all.missing(p for p in pieces if is_han(p) or not is_time(p))


def _share(pieces: Sequence[str], held: Known) -> float:
    total = total_weight(pieces)
    return 1 - total_weight(held.missing(pieces)) / total if total else 1.0


def _must_hold(news: News) -> tuple[str, ...]:
    """Numbers and short news leave no room."""
    return news.pieces if len(news.pieces) < 3 else news.numbers


def _is_place_again(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    """Oxford in `The University of Oxford is in Oxford`, which the question names once."""
    if not ask.wanted.place or not any(stands_in(c.tokens, news.pieces) for c in clauses):
        return False
    pieces = [piece for clause in clauses for piece in clause.pieces]
    han = known(clauses).han
    return all(
        han.count(piece) > ask.known.han.count(piece)
        if is_han(piece)
        else pieces.count(piece) > ask.pieces.count(piece)
        for piece in news.pieces
    )


def _homes(
    clauses: Sequence[Clause], pieces: Sequence[str], asked: Known
) -> Iterator[tuple[Clause, ...]]:
    """The clauses in which the news stands: each that holds all of it, else all that hold some.

    News that opens the statement is the subject of what goes on with words of the question, too:
    Tom plays the piano and sings in the choir.
    """
    whole: list[tuple[Clause, ...]] = [(clause,) for clause in clauses if clause.held.holds(pieces)]
    parts = tuple(c for c in clauses if len(c.held.missing(pieces)) < len(pieces))
    yield from whole or filter(None, [parts])
    if pieces and whole and known_pieces(clauses[0].pieces[: len(pieces)]).holds(pieces):
        yield from ((clauses[0], c) for c in clauses[1:] if asked.holds(c.pieces[:1]))


def _fit(home: Sequence[Clause], clauses: Sequence[Clause], ask: Ask, news: News) -> float:
    """How far what is said at home is about what was asked, 0..1."""
    about = ask.known | known_pieces(_with_names(home, news.pieces))
    if speaks_of_another(home, about) or not measures_fit(ask.wanted, home, news.pieces, ask.known):
        return 0.0
    everything, here = known(clauses), known(home)
    # What is wished for and said, but elsewhere, is missing here too.
    demanded = (*ask.required, *(p for p in ask.wished if not everything.lacks(p)))
    missing = here.missing(demanded)
    said = _share(ask.required, everything)
    rest = rest_of(home, about)
    if rest and not _names_dimension(ask.wanted, home, news):
        return 0.0
    if not missing or (not rest and news.pieces):
        return said
    if (
        news.pieces
        and total_weight(ask.required) >= _MUCH
        and _share(ask.required, here) >= _LEAST_REQUIRED
    ):
        return 0.0 if any(p[0] == "#" or (is_han(p) and is_time(p)) for p in missing) else said
    opening = known_pieces(clauses[0].pieces[: len(missing)])
    goes_on = opening.holds(missing) and about.holds(home[0].pieces[:1])
    # Only a subject is left out by going on, never what is said of it.
    speaks = missing != demanded or len(missing) == 1
    return said if said == 1 and goes_on and speaks else 0.0


def _names_dimension(wanted: Wanted, home: Sequence[Clause], news: News) -> bool:
    words = known(home).words
    return not wanted.dimension or wanted.dimension in words or has_unit(wanted, home, news.pieces)


def _with_names(home: Sequence[Clause], pieces: Sequence[str]) -> tuple[str, ...]:
    """The pieces, and those of the names that they are part of (Emperor Gegeen Khan)."""
    runs = [tuple(map(stem, name)) for clause in home for name in clause.names]
    return (*pieces, *(word for run in runs if set(run) & set(pieces) for word in run))
