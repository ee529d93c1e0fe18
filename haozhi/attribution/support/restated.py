"""The same claim with another number or date: how statements disagree without a *not*."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import Clause, known
from haozhi.attribution.support.holding import holding
from haozhi.attribution.support.lexicon import english
from haozhi.attribution.support.news import News
from haozhi.attribution.support.wanted import has_unit, units_after

_YEARS = (1000, 2100)


def says_otherwise(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    """Whether a statement answers the same with another number, year or month than the news.

    Other units are another matter: 1,200 m and 1.2 km are the same.
    """
    return any(
        held is not None and not held.denied and _same_units(clauses, instead, news)
        for instead in _instead(clauses, ask, news)
        for held in [holding(clauses, ask, replace(news, pieces=instead))]
    )


def opposes(said: Sequence[Clause], other: Sequence[Clause], segment: Sequence[Clause]) -> str:
    """How a text says the same as one of a single clause, but denies it or gives other numbers.

    `polarity`, `number` or "". Other numbers matter only where the segment has them.
    """
    if len(said) != 1:
        return ""
    (claim,) = said
    for clause in other:
        lost, instead = clause.held.missing(claim.pieces), claim.held.missing(clause.pieces)
        numbers = all(piece.startswith("#") for piece in (*lost, *instead))
        if clause.negated != claim.negated and not lost and not instead:
            return "polarity"
        same = clause.negated == claim.negated and numbers and lost and instead
        if same and known(segment).holds(lost):
            return "number"
    return ""


def _same_units(clauses: Sequence[Clause], pieces: Sequence[str], news: News) -> bool:
    names = english().families
    theirs = {names.get(u, u) for clause in clauses for u in units_after(clause.tokens, pieces)}
    return (
        not theirs or not news.units or not theirs.isdisjoint(names.get(u, u) for u in news.units)
    )


def _instead(clauses: Sequence[Clause], ask: Ask, news: News) -> Iterator[tuple[str, ...]]:
    """The news with one value, then with all of them, as the statement has them.

    A value gives way to one of its kind only: that a school is from 1950 denies no 300 pupils.
    """
    counts = bool(news.numbers) and has_unit(ask.wanted, clauses, _numbers(clauses))
    mine = _values(news.pieces, news, counts)
    theirs = _values([p for c in clauses for p in c.pieces], news, counts)
    for kind, values in mine.items():
        others = [v for v in theirs.get(kind, ()) if v not in values and v not in ask.known.words]
        for value in values:
            yield from (_replaced(news.pieces, {value: other}) for other in others)
    if all(len(theirs.get(kind, ())) == len(values) for kind, values in mine.items()):
        pairs = (pair for kind, own in mine.items() for pair in zip(own, theirs[kind], strict=True))
        changed = {value: other for value, other in pairs if value != other}
        if len(changed) > 1 and not ask.known.words.intersection(changed.values()):
            yield _replaced(news.pieces, changed)


def _replaced(pieces: Sequence[str], others: dict[str, str]) -> tuple[str, ...]:
    return tuple(others.get(piece, piece) for piece in pieces)


def _numbers(clauses: Sequence[Clause]) -> tuple[str, ...]:
    return tuple(p for clause in clauses for p in clause.pieces if p.startswith("#"))


def _values(pieces: Sequence[str], news: News, counts: bool) -> dict[str, list[str]]:
    """Numbers, years (where they do not count something) and, in a date, months; in order."""
    found: dict[str, list[str]] = {}
    for piece in dict.fromkeys(pieces):
        if piece.startswith("#"):
            kind = "year" if not counts and _is_year(piece) else "number"
        elif news.numbers and piece in english().month_stems:
            kind = "month"
        else:
            continue
        found.setdefault(kind, []).append(piece)
    return found


def _is_year(number: str) -> bool:
    digits = number[1:]
    return digits.isdigit() and _YEARS[0] <= int(digits) <= _YEARS[1]
