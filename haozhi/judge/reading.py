"""A statement read beside a question: what it covers, and whether it holds what is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from haozhi.judge.pieces import Pieces, covered, pieces_of
from haozhi.judge.words import Kind, words

_RARE = 3.0  # weight of a name or number
_WORD = 2.0  # of another word; of a Han character half of that
_SORT = 0.3  # what is left of it when it only names the sort of answer: the `year` of `which year`


@dataclass(frozen=True)
class Reading:
    """A statement beside the question; `held` has a grade 0..1 for each piece of the question.

    Only `held` counts what the statement speaks of beyond its own words.
    """

    pieces: Pieces
    held: dict[str, float]
    values: frozenset[str] | None  # new texts of the form asked for; None: no form is known
    plain: bool  # no echo of a question and no bare sum
    denies: bool  # a denial, where the question denies nothing


def read(
    question: str, statements: Sequence[str], about: Sequence[str] = ()
) -> tuple[Pieces, Kind | None, list[Reading]]:
    """The question's pieces, the kind of answer that it asks for, and a reading per statement.

    `about`: what each speaks of beyond its own words (`haozhi.judge.about`), by default nothing.
    """
    asked = pieces_of(question, True)
    kind = asked_kind(asked)
    spoken_of = about or [""] * len(statements)
    both = zip(statements, spoken_of, strict=True)
    return asked, kind, [_reading(asked, kind, *each) for each in both]


def _reading(asked: Pieces, kind: Kind | None, statement: str, about: str) -> Reading:
    pieces, negation = pieces_of(statement, False), words().negation
    denies = bool(negation.search(pieces.text)) and not negation.search(asked.text)
    values = _values(kind, pieces, asked, denies) if kind else _something_new(pieces, asked)
    denies = denies and not values
    held = covered(asked, pieces)
    if about:
        spoken_of = covered(asked, pieces_of(about, False))
        held = {piece: max(grade, spoken_of[piece]) for piece, grade in held.items()}
    return Reading(pieces, held, values, not answers_nothing(statement), denies)


def answers_nothing(statement: str) -> bool:
    """Whether it only tells that somebody asks, or is a bare sum."""
    text = pieces_of(statement, False).text
    return bool(words().echo.search(text) or words().sum.match(text))


def asked_kind(question: Pieces) -> Kind | None:
    """The kind whose asking phrase comes first: `In which city do the people who …` asks where."""
    kinds = words().kinds
    found = [
        (m.start(), n) for n, kind in enumerate(kinds) if (m := kind.asks.search(question.text))
    ]
    return kinds[min(found)[1]] if found else None


def _values(kind: Kind, statement: Pieces, asked: Pieces, denies: bool) -> frozenset[str]:
    """The texts of the form asked for that the question lacks and no clause denies."""
    if _other_place(asked, statement):
        return frozenset()
    denied = _denied_spans(statement.marked) if denies else []
    return frozenset(
        match.group().replace("^", "")
        for match in kind.holds.finditer(statement.marked)
        if match.group().replace("^", "") not in asked.text
        and not any(start <= match.start() < end for start, end in denied)
    )


def _something_new(statement: Pieces, asked: Pieces) -> frozenset[str] | None:
    """None; the empty set when the statement brings nothing but words of relations.

    Across languages everything is new.
    """
    lists = words()
    new = [
        stem
        for stem, word in statement.stems.items()
        if stem not in asked.stems and word not in lists.groups_en
    ]
    relations = {char for group in lists.groups_zh for word in group for char in word}
    han = {char for run in statement.han for char in run} - relations - set(asked.text)
    return None if new or han else frozenset()


def _other_place(asked: Pieces, statement: Pieces) -> bool:
    """Whether one sort of place is asked for (country) and only another is named (village)."""
    wanted = {n for n, (asks, _) in enumerate(words().places) if asks.search(asked.text)}
    named = {n for n, (_, names) in enumerate(words().places) if names.search(statement.marked)}
    return bool(wanted and named) and not wanted & named


def _denied_spans(text: str) -> list[tuple[int, int]]:
    lists = words()
    cuts = [0, *(match.start() for match in lists.clause.finditer(text)), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if lists.negation.search(text, a, b)]


def weights_of(asked: Pieces) -> dict[str, float]:
    """How much each piece of the question weighs; the sort of answer it asks for weighs little."""
    found = words().sort.finditer(asked.text)
    sort = [group for match in found for group in match.groups() if group]
    return {piece: _weight(piece, asked, sort) for piece in covered(asked, asked)}


def _weight(piece: str, asked: Pieces, sort: list[str]) -> float:
    if not piece.isascii():
        return _WORD / 2 * (_SORT if any(piece[-1] in word for word in sort) else 1)
    if piece in asked.names or piece[0].isdigit():
        return _RARE
    return _WORD * (_SORT if asked.stems[piece] in sort else 1)


def part_held(held: dict[str, float], weight: dict[str, float]) -> float:
    """The weighted part of the question's pieces that is held, 0..1."""
    total = sum(weight.values()) or 1.0
    return sum(weight[piece] * grade for piece, grade in held.items()) / total
