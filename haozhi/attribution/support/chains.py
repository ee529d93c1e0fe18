"""Chains of two or three statements from what a question names to what a segment asserts.

Each statement takes one step: *identify* names what the question describes (Anna's cat is called
Momo), *answer* answers what is then asked (Momo drinks milk), *lift* says what an answer is or
belongs to (Warsaw is the capital of Poland). A step hands on a bridge: words that are no part of
the question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import Clause, Known, Name, known, known_pieces
from haozhi.attribution.support.holding import CLEAN, holding, rest_of
from haozhi.attribution.support.lexicon import chinese, english, stem
from haozhi.attribution.support.news import News
from haozhi.attribution.support.polarity import names_held, same_name
from haozhi.attribution.support.tokens import Token, is_han
from haozhi.attribution.support.wanted import Wanted, is_wanted

Statements = Mapping[int, tuple[Clause, ...]]


@dataclass(frozen=True)
class Bridge:
    """What two neighbours share: a word, a Han run, or a name by its last word."""

    piece: str
    name: Name = ()


def chains(ask: Ask, news: News, statements: Statements, length: int) -> Iterator[tuple[int, ...]]:
    """Chains of exactly `length` statements, ids in the order of their steps."""
    if is_wanted(ask.wanted, news.pieces) and news.pieces and not news.negated and not news.repeated:
        # Only the last may hold the news: it brings it in.
        silent = {i: c for i, c in statements.items() if not known(c).holds(news.pieces)}
        free = replace(ask, wanted=Wanted())
        yield from _Search(news, silent, statements).walk(free, length, ())


@dataclass(frozen=True)
class _Search:
    news: News
    silent: Statements
    statements: Statements

    def walk(self, ask: Ask, length: int, used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Identify and answer; an answer that is only a bridge goes on by lifting."""
        if length == 1:
            for i, clauses in self.statements.items():
                if i not in used and (not used or _opens_known(clauses, ask, self.news)):
                    if _answers(clauses, ask, self.news):
                        yield (*used, i)
            return
        for i, clauses in self.silent.items():
            for bridge in _bridges(clauses, ask.known) if i not in used else ():
                if _answers(clauses, ask, News((bridge.piece,))):
                    yield from self.lift(bridge, ask.known, length - 1, (*used, i))
                elif (then := _identify(clauses, ask, bridge)) is not None:
                    yield from self.walk(then, length - 1, (*used, i))

    def lift(
        self, bridge: Bridge, behind: Known, length: int, used: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """From the bridge to the news, or to another bridge on the way."""
        if length == 1:
            for i, clauses in self.statements.items():
                if i not in used and _links(clauses, bridge, self.news.pieces):
                    yield (*used, i)
            return
        behind = behind | known_pieces([bridge.piece, *map(stem, bridge.name)])
        for i, clauses in self.silent.items():
            for onward in _bridges(clauses, behind) if i not in used else ():
                if _links(clauses, bridge, (onward.piece,)):
                    yield from self.lift(onward, behind, length - 1, (*used, i))


def _answers(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    found = holding(clauses, ask, news)
    return found is not None and not found.denied and found.strength == CLEAN


def _opens_known(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    """Whether a clause with the news is about the bridge, the question or the news itself.

    `Edith Piaf was born in Paris` says nothing of Anna who lives there.
    """
    about = ask.known | known_pieces(news.pieces)
    return any(
        about.holds(clause.pieces[:1]) for clause in clauses if known([clause]).holds(news.pieces)
    )


def _bridges(clauses: Sequence[Clause], behind: Known) -> Iterator[Bridge]:
    """What the statement brings in: names, words, and Han runs between known or function words."""
    for clause in clauses:
        if clause.negated:
            continue
        named: set[str] = set()
        for name in clause.names:
            pieces = tuple(map(stem, name))
            named.update(pieces)
            if not any(piece in behind.words for piece in pieces):
                yield Bridge(pieces[-1], name)
        for piece in dict.fromkeys(clause.pieces):
            if is_han(piece):
                yield from (Bridge(part) for part in behind.lacks(piece) if len(part) > 1)
            elif piece[0] not in "#§" and piece not in named | behind.words:
                yield Bridge(piece)


def _identify(clauses: Sequence[Clause], ask: Ask, bridge: Bridge) -> Ask | None:
    """What is still asked once the bridge stands for the part that a clause says of it, and only it."""
    about = ask.known | known_pieces([bridge.piece, *map(stem, bridge.name)])
    for clause in clauses:
        held = known([clause])
        left = tuple(piece for piece in ask.required if held.lacks(piece))
        if clause.negated or held.lacks(bridge.piece) or rest_of([clause], about):
            continue
        if left and len(left) < len(ask.required):
            names = tuple(name for name in ask.names if not names_held([name], [clause]))
            bridged = (*names, bridge.name) if bridge.name else names
            return replace(ask, required=(*left, bridge.piece), names=bridged, known=about)
    return None


def _links(clauses: Sequence[Clause], bridge: Bridge, target: Sequence[str]) -> bool:
    """Whether a clause says that the bridge, at one of its ends, is or is in the target."""
    return any(
        known([clause]).holds([bridge.piece, *target])
        and not clause.negated
        and _is_at_an_end(bridge, clause)
        and _says_is(clause.tokens, frozenset([bridge.piece, *target]))
        for clause in clauses
    )


def _is_at_an_end(bridge: Bridge, clause: Clause) -> bool:
    if not bridge.name:
        return bridge.piece in (clause.pieces[0], clause.pieces[-1])
    ends = [
        name
        for name in clause.names
        if tuple(map(stem, name)) in (clause.pieces[: len(name)], clause.pieces[-len(name) :])
    ]
    return any(same_name(bridge.name, name) for name in ends)


def _says_is(tokens: Sequence[Token], either: frozenset[str]) -> bool:
    """A linking word that links to a noun (is the …, 是…) and not to a verb (was destroyed)."""
    for position, token in enumerate(tokens[:-1]):
        after = tokens[position + 1]
        is_link = token.raw.lower() in english().linking or chinese().linking.fullmatch(token.raw)
        if is_link and (not after.piece or after.piece in either or is_han(after.piece)):
            return True
    return len([token for token in tokens if token.piece]) == len(either)
