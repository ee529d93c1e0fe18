"""Chains of two or three statements from what a question names to what a segment asserts.

Each statement takes one step: *identify* names what the question describes (Anna's cat is called
Momo), *answer* answers what is then asked (Momo drinks milk), *lift* says what an answer is or
belongs to (Warsaw is the capital of Poland). A step hands on a bridge: words that are no part of
the question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.clauses import Clause, Known, Name, known, known_pieces
from haozhi.attribution.support.holding import CLEAN, holding, met
from haozhi.attribution.support.lexicon import chinese, english, stem
from haozhi.attribution.support.news import News
from haozhi.attribution.support.polarity import names_held, same_name
from haozhi.attribution.support.tokens import Token, is_han
from haozhi.attribution.support.wanted import Wanted, is_wanted, stands_in

_SHORT = 2  # characters: 医院 is the end of too many names
Statements = Mapping[int, tuple[Clause, ...]]


@dataclass(frozen=True)
class Bridge:
    """What two neighbours share: a word, a Han run, or a name by its last word."""

    piece: str
    name: Name = ()


def chains(ask: Ask, news: News, statements: Statements, length: int) -> Iterator[tuple[int, ...]]:
    """Chains of exactly `length` statements, ids in the order of their steps."""
    if not news.pieces or news.negated or news.repeated or not is_wanted(ask.wanted, news.pieces):
        return
    # Only the last may hold the news: it brings it in.
    silent = {i: c for i, c in statements.items() if not known(c).holds(news.pieces)}
    search = _Search(news, silent, statements, ask.wanted.place)
    yield from search.walk(replace(ask, wanted=Wanted()), length, ())


@dataclass(frozen=True)
class _Search:
    news: News
    silent: Statements
    statements: Statements
    place: bool

    def walk(self, ask: Ask, length: int, used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Identify and answer; an answer that is only a bridge goes on by lifting."""
        if length == 1:
            for i, clauses in self.statements.items():
                opens = not used or _opens_known(clauses, ask, self.news)
                if i not in used and opens and _answers(clauses, ask, self.news):
                    yield (*used, i)
            return
        for i, clauses in self.silent.items():
            if i in used:
                continue
            if met(clauses, ask) == {*ask.required, *ask.wished}:
                for bridge in _answered(clauses, ask):
                    yield from self.lift(bridge, ask.known, length - 1, (*used, i))
            else:
                for then in _identified(clauses, ask):
                    yield from self.walk(then, length - 1, (*used, i))

    def lift(
        self, bridge: Bridge, behind: Known, length: int, used: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """From the bridge to the news, or to another bridge on the way."""
        if length == 1:
            for i, clauses in self.statements.items():
                if i not in used and _links(clauses, bridge, self.news.pieces, self.place):
                    yield (*used, i)
            return
        behind = behind | known_pieces([bridge.piece, *map(stem, bridge.name)])
        for i, clauses in self.silent.items():
            for onward in _bridges(clauses, behind) if i not in used else ():
                if _links(clauses, bridge, (onward.piece,), self.place):
                    yield from self.lift(onward, behind, length - 1, (*used, i))


def _answers(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    found = holding(clauses, ask, news)
    return found is not None and not found.denied and found.strength == CLEAN


def _answered(clauses: Sequence[Clause], ask: Ask) -> Iterator[Bridge]:
    for bridge in _bridges(clauses, ask.known):
        if _answers(clauses, ask, News((bridge.piece,))):
            yield bridge


def _opens_known(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    """Whether a clause with the news is about the bridge, the question or the news itself.

    `Edith Piaf was born in Paris` says nothing of Anna who lives there.
    """
    about = ask.known | known_pieces(news.pieces)
    return any(
        about.holds(clause.pieces[:1]) for clause in clauses if clause.held.holds(news.pieces)
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


def _identified(clauses: Sequence[Clause], ask: Ask) -> Iterator[Ask]:
    """What is still asked once a bridge stands for the part that a clause says of it.

    The clause says nothing else: that Tom is a friend of Anna does not make Tom Anna. Only with a
    relation of the question (written by a small team called …) it may describe the bridge.
    """
    for clause in clauses:
        left = tuple(piece for piece in ask.required if clause.held.lacks(piece))
        if clause.negated or len(left) == len(ask.required):
            continue
        wished = tuple(piece for piece in ask.wished if clause.held.lacks(piece))
        related = any(piece.startswith("§!") and piece not in left for piece in ask.required)
        names = tuple(name for name in ask.names if not names_held([name], [clause]))
        for bridge in _bridges([clause], ask.known):
            about = ask.known | known_pieces([bridge.piece, *map(stem, bridge.name)])
            if (bridge.name and related) or not _besides(clause, about, ask.required):
                bridged = (*names, bridge.name) if bridge.name else names
                required = (*left, bridge.piece)
                yield replace(ask, required=required, wished=wished, names=bridged, known=about)


def _besides(clause: Clause, about: Known, required: Sequence[str]) -> bool:
    """Whether the clause says anything else; 镇 in 镇卫生院 only describes the 卫生院."""
    described = {run for run in clause.pieces if is_han(run) and any(r in run for r in required)}
    return any(about.lacks(piece) for piece in clause.pieces if piece not in described)


def _links(clauses: Sequence[Clause], bridge: Bridge, target: Sequence[str], place: bool) -> bool:
    """Whether a clause says that the bridge, at one of its ends, is the target, or is in it."""
    for clause in clauses:
        end = _end_of(clause, bridge)
        if end and clause.held.holds(target) and not clause.negated:
            if _says_is(clause.tokens, frozenset([end, *target])):
                return True
            if place and stands_in(clause.tokens, target):
                return True
    return False


def _end_of(clause: Clause, bridge: Bridge) -> str:
    """The piece by which the bridge opens or closes the clause, "" when it does neither."""
    for end in (clause.pieces[0], clause.pieces[-1]):
        # 魏尔代施塔特 of 小城魏尔代施塔特: what describes a noun stands before it.
        is_tail = is_han(end) and len(end) > _SHORT and bridge.piece.endswith(end)
        if is_tail or (end == bridge.piece and not bridge.name):
            return end
    for name in clause.names if bridge.name else ():
        pieces = tuple(map(stem, name))
        at_an_end = pieces in (clause.pieces[: len(name)], clause.pieces[-len(name) :])
        if at_an_end and same_name(bridge.name, name):
            return pieces[-1]
    return ""


def _says_is(tokens: Sequence[Token], either: frozenset[str]) -> bool:
    """A linking word that links to a noun (is the …, 是…) and not to a verb (was destroyed)."""
    for token, after in pairwise(tokens):
        is_link = token.raw.lower() in english().linking or chinese().linking.fullmatch(token.raw)
        if is_link and (not after.piece or after.piece in either or is_han(after.piece)):
            return True
    return len([token for token in tokens if token.piece]) == len(either)
