"""Clauses: what a text asserts, denies or only asks, one part at a time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from haozhi.attribution.support.lexicon import chinese, english
from haozhi.attribution.support.tokens import ME, Token, is_han, tokens_of

Name = tuple[str, ...]
"""A run of capitalised words, lower-cased: ("marie", "curie")."""


@dataclass(frozen=True)
class Clause:
    """A stretch of tokens between two marks."""

    tokens: tuple[Token, ...]

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The content in order."""
        return tuple(token.piece for token in self.tokens if token.piece)

    @cached_property
    def held(self) -> "Known":
        """What it holds; of Han text the function words too."""
        han = "".join(token.raw if is_han(token.raw) else "|" for token in self.tokens)
        return Known(frozenset(piece for piece in self.pieces if not is_han(piece)), han)

    @cached_property
    def negated(self) -> bool:
        """Whether the clause denies what it says."""
        return any(token.role == "negation" for token in self.tokens)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Runs of capitalised words, van and de inside them included."""
        return tuple(names_in(self.tokens))


@dataclass(frozen=True)
class Known:
    """Everything that some clauses hold, to look pieces up in."""

    words: frozenset[str]
    han: str

    def lacks(self, piece: str) -> tuple[str, ...]:
        """The parts of the piece that are not held, none when all of it is.

        A Han run is held when it can be cut into parts of two or more characters that occur
        (居里夫人 and 出生 of 居里夫人出生); a single character left over may occur anywhere.
        """
        if not is_han(piece):
            return () if piece in self.words else (piece,)
        return _uncovered(piece, self.han)

    def holds(self, pieces: Iterable[str]) -> bool:
        """Whether nothing of the pieces is lacking."""
        return not self.missing(pieces)

    def missing(self, pieces: Iterable[str]) -> tuple[str, ...]:
        """What is lacking of several pieces."""
        return tuple(part for piece in pieces for part in self.lacks(piece))

    def __or__(self, other: "Known") -> "Known":
        return Known(self.words | other.words, f"{self.han}|{other.han}")


def known_pieces(pieces: Sequence[str]) -> Known:
    """The pieces themselves, to look others up in."""
    return Known(frozenset(pieces), "|".join(filter(is_han, pieces)))


def known(clauses: Sequence[Clause]) -> Known:
    """What the clauses hold together."""
    if len(clauses) == 1:
        return clauses[0].held
    words = frozenset(chain.from_iterable(clause.held.words for clause in clauses))
    return Known(words, "|".join(clause.held.han for clause in clauses))


@lru_cache(maxsize=4096)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text; those of a sentence that only asks are left out."""
    return tuple(chain.from_iterable(map(_split, _asserted(tokens_of(text)))))


def weight(piece: str) -> float:
    """How much a piece counts: a word 1, a Han character 1/2."""
    return len(piece) / 2 if is_han(piece) else 1.0


def total_weight(pieces: Iterable[str]) -> float:
    """The sum over pieces."""
    return sum(map(weight, pieces))


@lru_cache(maxsize=1 << 16)
def _uncovered(run: str, han: str) -> tuple[str, ...]:
    if run in han:
        return ()
    groups, at = [""], 0
    while at < len(run):
        end = next((e for e in range(len(run), at + 1, -1) if run[at:e] in han), at)
        if end == at:
            groups[-1] += run[at]
            at += 1
        else:
            groups.append("")
            at = end
    return tuple(group for group in groups if len(group) > 1 or group not in han)


def _asserted(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for token in tokens:
        sentence.append(token)
        if token.role == "end":
            if not _asks(sentence):
                yield sentence
            sentence = []
    if not _asks(sentence):
        yield sentence


def _asks(sentence: Sequence[Token]) -> bool:
    """A question, or a report of one: many people ask in which country…, 很多人问…哪个国家."""
    if any("?" in token.raw for token in sentence if token.role == "end"):
        return True
    lower = {token.raw.lower() for token in sentence}
    han = "".join(token.raw for token in sentence if is_han(token.raw))
    return (
        "whether" in lower
        or bool(lower & english().asking and lower & english().interrogative)
        or bool(chinese().asking.search(han) and chinese().interrogative.search(han))
    )


def _split(sentence: Sequence[Token]) -> Iterator[Clause]:
    part: list[Token] = []
    for token in sentence:
        if token.role not in ("mark", "end"):
            part.append(token)
        elif not (part and part[-1].role == "negation" and any(t.piece for t in part)):
            # A denial left open reaches over the comma: was not, however, born in Germany.
            yield from _clause(part)
            part = []
    yield from _clause(part)


def _clause(part: Sequence[Token]) -> Iterator[Clause]:
    if any(token.piece for token in part):
        yield Clause(tuple(part))


def names_in(tokens: Sequence[Token]) -> Iterator[Name]:
    """Runs of capitalised words in order."""
    run: list[str] = []
    for token in tokens:
        lower = token.raw.lower().partition("'")[0]
        named = token.capital and token.role == "piece" and token.piece != ME
        if named or (run and lower in english().name_particles):
            run.append(lower)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
