"""What a question demands of the statements that answer it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from haozhi.attribution.support.clauses import Clause, Known, Name, known, names_in
from haozhi.attribution.support.lexicon import chinese, english, stem
from haozhi.attribution.support.tokens import ME, Token, is_han, tokens_of


_TIME = re.compile(r"what time|什么 ?时候|什么 ?时间|何时|哪一?天|哪个?月")
_THING = re.compile(r"谁|哪里|哪儿|何处|何地|什么 ?地方")
Wanted = Literal["number", "time", "thing"]
"""A number (how many, 几), a time (when), or anything but these two (who, where)."""


@dataclass(frozen=True)
class Ask:
    """A question taken apart.

    `required` are the pieces that the statements must hold together, `names` the names among them;
    `known` and `pieces` are all its words, which are no news in an answer; `options` are the two
    sides of an `or`.
    """

    required: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    pieces: tuple[str, ...] = ()
    known: Known = Known(frozenset(), "")
    wants: Wanted | None = None
    yes_no: bool = False
    negated: bool = False
    options: tuple[frozenset[str], ...] = ()


@lru_cache(maxsize=256)
def ask_of(question: str) -> Ask:
    """Takes a question apart; an empty one demands nothing."""
    for words in (english(), chinese()):
        question = words.frame.sub(" ", question)
    tokens = tokens_of(question)
    whole = Clause(tokens)
    options = tuple(_options(tokens))
    either = frozenset[str]().union(*options)
    names = tuple(name for name in _names(tokens) if not frozenset(map(stem, name)) & either)
    # Of a name its last word must stand with the rest; how much of it may be left out is decided
    # where names are compared.
    given = frozenset(stem(word) for name in names for word in name[:-1])
    return Ask(
        required=_required(tokens, either | given),
        names=names,
        pieces=whole.pieces,
        known=known([whole]),
        wants=_wanted(tokens),
        yes_no=_is_yes_no(tokens) and not options,
        negated=whole.negated,
        options=options,
    )


def _required(tokens: Sequence[Token], besides: frozenset[str]) -> tuple[str, ...]:
    """All pieces but what kind of thing is asked for (which country, 哪个国家)."""
    soft = set(_english_types(tokens))
    pieces: list[str] = []
    after_what = False
    for position, token in enumerate(tokens):
        piece = token.piece
        if piece and position not in soft and piece not in besides:
            if after_what and is_han(piece) and (kind := chinese().types.match(piece)):
                piece = piece[kind.end() :]
            pieces.append(piece)
        after_what = bool(chinese().interrogative.match(token.raw))
    needed = tuple(dict.fromkeys(filter(None, pieces)))
    specific = tuple(p for p in needed if not (is_han(p) and chinese().types.fullmatch(p)))
    return specific or needed


def _english_types(tokens: Sequence[Token]) -> Iterator[int]:
    """Positions of the nouns in `which country was`, `what year did`, `the city where`."""
    lower = [token.raw.lower() for token in tokens] + ["", ""]
    for position, word in enumerate(lower[:-2]):
        if word in ("which", "what"):
            start = position + 1
            while lower[start] in ("kind", "type", "sort", "of"):
                start += 1
            end = start
            while end < len(tokens) and tokens[end].piece:
                end += 1
            if lower[end] in english().auxiliary:
                yield from range(start, end)
            elif word == "which" and end > start:
                yield start
        elif word in ("where", "when") or (word, lower[position + 1]) == ("in", "which"):
            if position and tokens[position - 1].piece:
                yield position - 1


def _names(tokens: Sequence[Token]) -> tuple[Name, ...]:
    """The names, unless the capitals mean nothing (`Where Was Marie Curie Born?`)."""
    if any(token.capital for token in tokens[1:] if token.role in ("stop", "mark")):
        return ()
    names = tuple(names_in(tokens))
    opens = bool(tokens) and tokens[0].capital and bool(tokens[0].piece)
    # The first word is capitalised anyway.
    return names[1:] if opens and len(names[0]) == 1 and tokens[0].piece != ME else names


def _wanted(tokens: Sequence[Token]) -> Wanted | None:
    raws = [token.raw.lower() for token in tokens]
    text = " ".join(raws)
    if any(map(_counts, tokens, [*tokens[1:], None])):
        return "number"
    if "when" in raws[:2] or _TIME.search(text):
        return "time"
    return "thing" if {"who", "whose", "where"} & set(raws[:2]) or _THING.search(text) else None


def _counts(token: Token, following: Token | None) -> bool:
    """How many, how tall, what year; 几, 多少, 多高, 哪一年."""
    word, after = token.raw.lower(), following.raw.lower() if following else ""
    if word == "how":
        return after in ("many", "much") or bool(following and following.piece)
    if word in ("what", "which", "哪", "哪一"):
        return after.startswith(("year", "年"))
    return word.startswith(("几", "多少")) or ("多" in word[:2] and token.piece.startswith("§"))


def _is_yes_no(tokens: Sequence[Token]) -> bool:
    raws = [token.raw.lower() for token in tokens]
    asks = bool(raws) and raws[0].partition("'")[0].removesuffix("n") in english().auxiliary
    return asks or bool({"吗", "是不是", "有没有", "会不会", "能不能", "是否"} & set(raws))


def _options(tokens: Sequence[Token]) -> Iterator[frozenset[str]]:
    """The pieces on either side of `or`: one word, or a whole name."""
    for position, token in enumerate(tokens):
        if token.raw.lower() in ("or", "还是"):
            yield frozenset(_neighbours(tokens[:position][::-1]))
            yield frozenset(_neighbours(tokens[position + 1 :]))


def _neighbours(tokens: Sequence[Token]) -> Iterator[str]:
    taken = 0
    for token in tokens:
        if token.piece and (not taken or token.capital):
            taken += 1
            yield token.piece
            if not token.capital:
                return
        elif taken:
            return
