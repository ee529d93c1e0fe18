"""What a segment's words rest on: one statement, or the shortest chains of two or three."""

from collections.abc import Sequence

from haozhi.attribution.support.ask import Ask
from haozhi.attribution.support.chains import Statements, chains
from haozhi.attribution.support.clauses import Clause, Known, Name, known_pieces
from haozhi.attribution.support.found import (
    MOST_STATEMENTS,
    FoundSet,
    SegmentSupport,
    minimal,
)
from haozhi.attribution.support.holding import holding, met, rest_of
from haozhi.attribution.support.lexicon import stem
from haozhi.attribution.support.news import News
from haozhi.attribution.support.polarity import denies
from haozhi.attribution.support.restated import says_otherwise
from haozhi.attribution.support.tagging import words_of
from haozhi.attribution.support.tokens import is_han
from haozhi.attribution.support.wanted import units_after

_CHAIN_STRENGTH = {2: 0.9, 3: 0.85}


def term_support(ask: Ask, news: News, statements: Statements) -> SegmentSupport:
    """The statements that answer with the news, and those that deny it.

    What one statement says outright needs no derivation: chains are looked for when there is none,
    longer ones when there is no shorter.
    """
    found, denials = [], []
    for i, clauses in statements.items():
        held = holding(clauses, ask, news)
        if held and not held.denied and not _is_outdone(clauses, ask, statements):
            found.append(FoundSet((i,), held.strength, "terms"))
        elif held is None or held.denied:
            method = "polarity" if held else "number"
            denied = held or says_otherwise(clauses, ask, news)
            if denied and _speaks_of_it(clauses, ask, news):
                denials.append(FoundSet((i,), 1.0, method))
    for length in range(2, MOST_STATEMENTS + 1):
        if not found:
            strength = _CHAIN_STRENGTH[length]
            ids = {tuple(sorted(chain)) for chain in chains(ask, news, statements, length)}
            found = [FoundSet(chain, strength, "chain") for chain in ids]
    return SegmentSupport(minimal(found), tuple(denials))


def _speaks_of_it(clauses: Sequence[Clause], ask: Ask, news: News) -> bool:
    """To deny, a statement must speak of just what was asked: another museum denies nothing.

    What it lacks of the question may be said in other words, but no other thing stand there.
    """
    here = met(clauses, ask)
    if here.issuperset((*ask.required, *ask.wished)):
        return True
    instead = rest_of(clauses, ask.known | known_pieces(news.pieces))
    return here.issuperset(ask.wished) and not any(map(_names_a_thing, instead))


def _names_a_thing(piece: str) -> bool:
    if is_han(piece):
        return any(names for _, names in words_of(piece))
    return not piece.startswith("#")


def _is_outdone(clauses: Sequence[Clause], ask: Ask, statements: Statements) -> bool:
    """Whether another statement meets all that this one meets of the question, and more.

    What is met in other words (hidden, kept) may as well be something else; a statement in the
    question's own words shows that it is.
    """
    here = met(clauses, ask)
    if len(here) == len(ask.required) + len(ask.wished):
        return False
    return any(here < met(others, ask) for others in statements.values() if not denies(others))


def claim_of(clause: Clause, ask: Ask, earlier: Known) -> tuple[Ask, News]:
    """A clause that follows an answer, as a question of its own with its last words as the news.

    `She worked in Paris` and `and worked in Paris` are about whom the question is about.
    """
    last = clause.names[-1] if clause.names else ()
    pieces = tuple(dict.fromkeys(clause.pieces))
    tail = tuple(map(stem, last))
    if pieces[-len(tail) :] != tail or not tail:
        tail, last = pieces[-1:], ()
    return _claim(clause, ask, earlier, tail, last)


def denied_numbers(
    clause: Clause, ask: Ask, earlier: Known, statements: Statements
) -> tuple[FoundSet, ...]:
    """The statements that say what the clause says with other numbers."""
    numbers = tuple(dict.fromkeys(piece for piece in clause.pieces if piece.startswith("#")))
    if not numbers or clause.negated:
        return ()
    own, news = _claim(clause, ask, earlier, numbers, ())
    return tuple(
        FoundSet((i,), 1.0, "number")
        for i, clauses in statements.items()
        if holding(clauses, own, news) is None and says_otherwise(clauses, own, news)
    )


def _claim(
    clause: Clause, ask: Ask, earlier: Known, tail: tuple[str, ...], last: Name
) -> tuple[Ask, News]:
    pieces = tuple(dict.fromkeys(clause.pieces))
    names = tuple(name for name in clause.names if name != last)
    required = tuple(piece for piece in pieces if piece not in tail)
    if not earlier.holds(pieces[:1]):
        names, required = (*names, *ask.names), (*required, *ask.required[: not ask.names])
    own = Ask(required, (), names, pieces, known_pieces((*required, *tail)))
    return own, News(tail, clause.negated, units=tuple(units_after(clause.tokens, tail)))
