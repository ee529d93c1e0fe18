"""Whether one statement, by itself, answers a question with given news."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import (
    Clause,
    Known,
    clauses_of,
    known,
    known_pieces,
    total_weight,
)
from haozhi.attribution.support.lexicon import chinese, english, stem
from haozhi.attribution.support.news import News
from haozhi.attribution.support.polarity import denies, names_held, speaks_of_another
from haozhi.attribution.support.tokens import is_han

CLEAN = 0.95
_LEAST_NEWS = 0.67
_LEAST_REQUIRED = 0.67
_MUCH = 4.0  # a question that requires this much may be met in other words here and there
_MEASURED = 0.9  # `is 330 metres` answers how tall, for nothing else is said of it


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
    if not fits(ask, news) or not names_held(ask.names, clauses):
        return None
    everything = known(clauses)
    heard = _share(news.pieces, everything)
    if heard < _LEAST_NEWS or not everything.holds(_must_hold(news)):
        return None
    if news.repeated and not _once_more(clauses, ask, news):
        return None
    for home in _homes(clauses, news.pieces):
        fit = _fit(home, clauses, ask, news)
        if fit >= _LEAST_REQUIRED:
            return Holding(round(CLEAN * heard * fit, 4), denies(home) != news.negated)
    return None


def fits(ask: Ask, news: News) -> bool:
    """Whether the news is of the kind that was asked for: a number, a time, someone, somewhere."""
    if ask.wants is None:
        return True
    if ask.wants == "number":
        return bool(news.numbers)
    if ask.wants == "time":
        return any(p.startswith("#") or chinese().time.search(p) or _is_time(p) for p in news.pieces)
    return not all(piece.startswith("#") or _is_time(piece) for piece in news.pieces)


def _is_time(piece: str) -> bool:
    if is_han(piece):
        return not chinese().time.sub("", piece)
    return piece in english().time_stems


def rest_of(clauses: Sequence[Clause], known_to_all: Known) -> tuple[str, ...]:
    """What the clauses say beyond what is known, the time aside."""
    pieces = (piece for clause in clauses for piece in clause.pieces)
    return known_to_all.missing(p for p in pieces if is_han(p) or not _is_time(p))


def _share(pieces: Sequence[str], held: Known) -> float:
    total = total_weight(pieces)
    return 1 - total_weight(held.missing(pieces)) / total if total else 1.0


def _must_hold(news: News) -> tuple[str, ...]:
    """Numbers and short news leave no room."""
    return news.pieces if len(news.pieces) < 3 else news.numbers


def _once_more(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    pieces = [piece for clause in clauses for piece in clause.pieces]
    han = known(clauses).han
    return all(
        han.count(piece) > ask.known.han.count(piece)
        if is_han(piece)
        else pieces.count(piece) > ask.pieces.count(piece)
        for piece in news.pieces
    )


def _homes(clauses: Sequence[Clause], pieces: Sequence[str]) -> Iterator[tuple[Clause, ...]]:
    """The clauses in which the news stands: each that holds all of it, else all that hold some."""
    whole = [(clause,) for clause in clauses if known([clause]).holds(pieces)]
    parts = tuple(c for c in clauses if len(known([c]).missing(pieces)) < len(pieces))
    yield from whole or ([parts] if parts else [])


def _fit(home: Sequence[Clause], clauses: Sequence[Clause], ask: Ask, news: News) -> float:
    """How far what is said at home is about what was asked, 0..1."""
    about = ask.known | known_pieces(_with_names(home, news.pieces))
    if speaks_of_another(home, about):
        return 0.0
    missing = known(home).missing(ask.required)
    said = _share(ask.required, known(clauses))
    if not missing or not rest_of(home, about):
        measured = ask.wants == "number" and len(missing) == 1 and missing[0].startswith("§")
        return max(said, _MEASURED) if measured else said
    if total_weight(ask.required) >= _MUCH and _share(ask.required, known(home)) >= _LEAST_REQUIRED:
        return said
    opening = known_pieces(clauses[0].pieces[: len(missing)])
    goes_on = opening.holds(missing) and about.holds(home[0].pieces[:1])
    # Only a subject is left out by going on, never what is said of it.
    speaks = missing != ask.required or len(missing) == 1
    return said if said == 1 and goes_on and speaks else 0.0


def _with_names(home: Sequence[Clause], pieces: Sequence[str]) -> tuple[str, ...]:
    """The pieces, and those of the names that they are part of (Emperor Gegeen Khan)."""
    runs = [tuple(map(stem, name)) for clause in home for name in clause.names]
    return (*pieces, *(word for run in runs if set(run) & set(pieces) for word in run))
