"""Which words of a question its answer must meet, and which it may meet in other words.

What names something (`the spare key`, 钥匙) and relations that mean one thing (born, 出生) must be
met; other verbs and descriptions (hidden, 藏) are wished for.
"""

from collections.abc import Iterator, Sequence

from haozhi.attribution.support.lexicon import chinese, english
from haozhi.attribution.support.tagging import words_of
from haozhi.attribution.support.tokens import ME, Token, is_han

_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_ACTING = frozenset({"do", "does", "did", "can", "could", "will", "would", "should"})
Demand = tuple[str, bool]
"""A piece and whether it must be met."""


def demands_of(tokens: Sequence[Token]) -> Iterator[Demand]:
    """The demands in order, without the kind of thing asked for (which country, 哪个国家)."""
    kinds = set(_kinds(tokens))
    verbs = set() if any(is_han(token.raw) for token in tokens) else set(_verbs(tokens))
    after_what = False
    for position, token in enumerate(tokens):
        if is_han(token.piece):
            yield from _han_demands(token.piece, after_what)
        elif token.piece and position not in kinds and not _is_kind(token, after_what):
            names = words_of(token.raw)[0][1] if is_han(token.raw) else position not in verbs
            yield token.piece, names or token.piece.startswith(("§!", "#", ME))
        after_what = token.raw.startswith(("哪", "什么", "何"))


def _han_demands(run: str, after_what: bool) -> Iterator[Demand]:
    types = chinese().types
    if after_what and (kind := types.match(run)):
        run, after_what = run[kind.end() :], False
    words = words_of(run) if run and not types.fullmatch(run) else ()
    for position, (word, names) in enumerate(words):
        # 哪些宠物: what follows 哪 is the kind asked for, which the answer need not repeat.
        yield word, names and not (after_what and position == 0)


def _is_kind(token: Token, after_what: bool) -> bool:
    return after_what and chinese().types.fullmatch(token.raw) is not None


def _kinds(tokens: Sequence[Token]) -> Iterator[int]:
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
        is_relative = word in ("where", "when") or lower[position : position + 2] == ["in", "which"]
        if is_relative and position and tokens[position - 1].piece:
            yield position - 1


def _verbs(tokens: Sequence[Token]) -> Iterator[int]:
    """Positions of verbs, as far as word order and endings tell."""
    lower = [token.raw.lower() for token in tokens]
    helper = next((at for at, word in enumerate(lower) if word in english().auxiliary), None)
    if helper is None:  # who started …, which team paid …, how many people work …
        plain = [at for at, token in enumerate(tokens) if token.piece and not token.capital]
        yield from plain[: 2 if {"which", "many"} & set(lower) else 1]
        return
    if lower[helper + 1 : helper + 2] and lower[helper + 1] in _PRONOUNS:
        yield helper + 2
        return
    acts = lower[helper] in _ACTING
    for at in range(helper + 2, len(tokens)):
        inflected = lower[at].endswith(("ed", "ing", "en")) or tokens[at].piece.startswith("§")
        is_verb = inflected or (acts and tokens[at - 1].piece)
        ends_phrase = at + 1 == len(tokens) or not tokens[at + 1].piece
        if is_verb and ends_phrase and tokens[at].piece and not tokens[at].capital:
            yield at
            acts = False
