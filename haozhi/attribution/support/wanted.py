"""What kind of answer a question wants: a number of what, a time, somebody or something."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from haozhi.attribution.support.clauses import Clause, Known, known_pieces
from haozhi.attribution.support.lexicon import chinese, english, stem, units
from haozhi.attribution.support.tokens import Token, is_han

_TIME = re.compile(r"\bwhen\b|what time|什么 ?时[候间]|何时|哪一? ?天|哪个? ?月|星期 ?几|周 ?几")
_THING = re.compile(r"\bwho(?:se|m)?\b|\bwhere\b|谁|哪里|哪儿|何处|何地|什么 ?地方|哪 ?国")
_PLACE = re.compile(
    r"\bwhere\b|(?:what|which) (?:\w+ )?"
    r"(?:city|country|town|village|state|continent|place|street|region)"
    r"|哪里|哪儿|何处|何地|什么 ?地方|(?:哪|什么)[一个座]* ?(?:国|城|省|市|县|镇|村|洲|地)"
)
_NUMBER = re.compile(r"how many|how much|(?:what|which) year|哪一? ?年|几|多少")
_MEASURES = (
    ("money", r"多少 ?钱|几 ?块|how much (?:is|are|was|were)\b|\bcosts?\b|\bprice"),
    ("age", r"how old|几 ?岁|多大|年纪|年龄"),
    ("clock", r"几 ?点|what time"),
    ("duration", r"how long|多久|多长 ?时间|(?:多少|几) ?(?:年|天|小时|分钟|个 ?月|周)"),
    (
        "length",
        r"how (?:tall|high|wide|deep|far|long)|多[高宽深远]|多长(?! ?时间)|多少 ?(?:米|公里)",
    ),
    ("weight", r"how heavy|how much .*\bweigh|多重|多少 ?(?:克|公斤|吨|斤)"),
    ("heat", r"how (?:hot|cold|warm)|(?:多少|几) ?度"),
)


@dataclass(frozen=True)
class Wanted:
    """`kind` None: anything will do. `measures`: what a unit behind the number must measure.

    `dimension` is the family of tall in `How tall …?`, for a length may be a width. With `place` it
    is enough to say where a thing stands.
    """

    kind: Literal["number", "time", "thing"] | None = None
    measures: frozenset[str] = frozenset()
    dimension: str = ""
    place: bool = False


def wanted_by(tokens: Sequence[Token]) -> Wanted:
    """What a question wants, by its words."""
    text = " ".join(token.raw.lower() for token in tokens)
    measures = frozenset(kind for kind, pattern in _MEASURES if re.search(pattern, text))
    if _TIME.search(text) and not _NUMBER.search(text.replace("星期 几", "")):
        return Wanted("time", frozenset({"clock", "duration"}))
    if measures or _NUMBER.search(text):
        asked = next((t.piece for t in tokens if t.piece in _dimensions()), "")
        return Wanted("number", measures, asked)
    place = _PLACE.search(text) is not None
    return Wanted("thing" if place or _THING.search(text) else None, place=place)


def is_wanted(wanted: Wanted, news: Sequence[str]) -> bool:
    """Whether the news is of the kind that is wanted."""
    has_number = any(piece.startswith("#") for piece in news)
    if wanted.kind == "number":
        return has_number
    if wanted.kind == "time":
        return has_number or any(chinese().time.search(piece) or is_time(piece) for piece in news)
    return wanted.kind is None or not all(p.startswith("#") or is_time(p) for p in news)


def is_time(piece: str) -> bool:
    """Whether the piece names a time and nothing else: july, 冬天."""
    return not chinese().time.sub("", piece) if is_han(piece) else piece in english().time_stems


def measures_fit(wanted: Wanted, home: Sequence[Clause], news: Sequence[str], asked: Known) -> bool:
    """Whether the numbers of the news stand, where they are said, with a unit that is wanted.

    A price is no number of days, and `500 metres long` does not say how wide. Without a unit there
    is nothing to hold against it, unless a dimension is asked for and not named.
    """
    if wanted.kind not in ("number", "time"):
        return True
    found = [unit for clause in home for unit in units_after(clause.tokens, news)]
    kinds = [units()[unit] for unit in found if unit not in asked.words and unit not in asked.han]
    if any(not kind & wanted.measures for kind in kinds):
        return False
    dimensions = {word for clause in home for word in clause.held.words} & _dimensions()
    return not wanted.dimension or wanted.dimension in dimensions or not dimensions


def stands_in(tokens: Sequence[Token], place: Sequence[str]) -> bool:
    """Whether a preposition of place stands right before the place: … in Bristol, 在厦门."""
    return any(
        known_pieces([after.piece]).holds(place[:1])
        for token, after in pairwise(tokens)
        if token.raw.lower() in english().place or chinese().place.fullmatch(token.raw)
    )


def has_unit(wanted: Wanted, home: Sequence[Clause], news: Sequence[str]) -> bool:
    """Whether a number of the news stands with a unit of what is wanted."""
    found = [unit for clause in home for unit in units_after(clause.tokens, news)]
    return any(units()[unit] & wanted.measures for unit in found)


def units_after(tokens: Sequence[Token], numbers: Sequence[str]) -> list[str]:
    """The units that stand right after these numbers, as `units()` has them."""
    found = []
    for token, after in pairwise(tokens):
        if token.piece in numbers and token.piece.startswith("#"):
            unit = after.raw if is_han(after.raw) else stem(after.raw.lower())
            starts = (unit[:size] for size in range(len(unit), 0, -1)) if is_han(unit) else (unit,)
            found.extend([start for start in starts if start in units()][:1])
    return found


@cache
def _dimensions() -> frozenset[str]:
    return frozenset(english().families[stem(word)] for word in english().dimensions)
