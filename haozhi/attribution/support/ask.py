"""What a question demands of the statements that answer it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from haozhi.attribution.support.clauses import Clause, Known, Name, known, known_pieces, names_in
from haozhi.attribution.support.demands import demands_of
from haozhi.attribution.support.lexicon import chinese, english, stem
from haozhi.attribution.support.tokens import ME, Token, tokens_of
from haozhi.attribution.support.wanted import Wanted, wanted_by


@dataclass(frozen=True)
class Ask:
    """A question taken apart.

    The statements must hold the `required` pieces together, with the `names` as names of their own,
    and should hold the `wished` ones. `known` and `pieces` are all its words, which are no news in
    an answer; `options` are the two sides of an `or`.
    """

    required: tuple[str, ...] = ()
    wished: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    pieces: tuple[str, ...] = ()
    known: Known = field(default_factory=lambda: known_pieces(()))
    wanted: Wanted = field(default_factory=Wanted)
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
    wanted = wanted_by(tokens)
    options = tuple(_options(tokens))
    either = frozenset[str]().union(*options)
    names = tuple(name for name in _names(tokens) if not frozenset(map(stem, name)) & either)
    # Of a name its last word must stand with the rest; how much of it may be left out is decided
    # where names are compared.
    given = frozenset(stem(word) for name in names for word in name[:-1])
    besides = either | given | {wanted.dimension}
    demands = dict(demand for demand in demands_of(tokens) if demand[0] not in besides)
    required = tuple(piece for piece, must in demands.items() if must)
    return Ask(
        required=required or tuple(demands),
        wished=tuple(piece for piece, must in demands.items() if not must) if required else (),
        names=names,
        pieces=whole.pieces,
        known=known([whole]),
        wanted=wanted,
        yes_no=_is_yes_no(tokens) and not options,
        negated=whole.negated,
        options=options,
    )


def _names(tokens: Sequence[Token]) -> tuple[Name, ...]:
    """The names, unless the capitals mean nothing (`Where Was Marie Curie Born?`)."""
    if any(token.capital for token in tokens[1:] if token.role in ("stop", "mark")):
        return ()
    names = tuple(names_in(tokens))
    opens = bool(tokens) and tokens[0].capital and bool(tokens[0].piece)
    # The first word is capitalised anyway.
    return names[1:] if opens and len(names[0]) == 1 and tokens[0].piece != ME else names


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
