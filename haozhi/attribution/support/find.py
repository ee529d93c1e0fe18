"""Support sets: which statements, together, yield each segment of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from haozhi.attribution.support.ask import Ask, ask_of
from haozhi.attribution.support.chains import Statements
from haozhi.attribution.support.clauses import Clause, clauses_of, known
from haozhi.attribution.support.equations import equation_support, read_sums
from haozhi.attribution.support.found import SegmentSupport, SupportStatement, combined, minimal
from haozhi.attribution.support.news import news_of
from haozhi.attribution.support.polarity import denies
from haozhi.attribution.support.terms import claim_of, term_support
from haozhi.attribution.support.verbatim import is_verbatim

Saying = tuple[Clause, ...]


def find_support(
    question: str, segments: Sequence[str], statements: Sequence[SupportStatement]
) -> tuple[SegmentSupport, ...]:
    """One `SegmentSupport` per segment of the answer, deterministic.

    `segments` are the answer's sentences and steps in order, `statements` the context. An answer
    none of whose segments answers the question is backed by nothing, even where it copies a
    statement. An empty question asks for nothing: each segment must then be held whole.
    """
    sums = read_sums(question, segments, statements)
    sayings = [clauses_of(segment) for segment in segments]
    bodies = {s.id: clauses_of(s.text) for s in sorted(statements, key=lambda s: s.id)}
    found = [equation_support(segment, sums) or SegmentSupport() for segment in segments]
    if sums.asked is None:
        found = _by_terms(ask_of(question), sayings, bodies, found)
        found = _inherited(ask_of(question), sayings, found)
    texts = {s.id: s.text for s in statements}
    return tuple(_marked(s, support, texts) for s, support in zip(segments, found, strict=True))


def _by_terms(
    ask: Ask, sayings: Sequence[Saying], bodies: Statements, found: Sequence[SegmentSupport]
) -> list[SegmentSupport]:
    """Segments that answer the question; then, once one does, those that go on from there."""
    found = [
        support if support.sets else _answering(ask, saying, bodies)
        for support, saying in zip(found, sayings, strict=True)
    ]
    parts = [[_answering(ask, [clause], bodies) for clause in saying] for saying in sayings]
    if ask.pieces and not any(support.sets for support in chain(found, *parts)):
        return found
    earlier = ask.known
    for position, saying in enumerate(sayings):
        sets = []
        for clause, own in zip(saying, parts[position], strict=True):
            sets.append(own.sets or term_support(*claim_of(clause, ask, earlier), bodies).sets)
            earlier |= known([clause])
        if sets and not found[position].sets:
            found[position] = replace(found[position], sets=combined(sets, "chain"))
    return found


def _answering(ask: Ask, saying: Saying, bodies: Statements) -> SegmentSupport:
    news = news_of(saying, ask) if ask.pieces else None
    return term_support(ask, news, bodies) if news else SegmentSupport()


def _inherited(
    ask: Ask, sayings: Sequence[Saying], found: Sequence[SegmentSupport]
) -> list[SegmentSupport]:
    """A conclusion (`So the answer is Poland.`) rests on all that was said before it.

    It is one when it names, beyond the question, one thing that was named before; what it rests on
    must be supported throughout.
    """
    result = list(found)
    told = ask.known
    for position, saying in enumerate(sayings):
        fresh = ask.known.missing(piece for clause in saying for piece in clause.pieces)
        before = [r for r, s in zip(result[:position], sayings, strict=False) if known(s).words or known(s).han]
        if before and not result[position].sets and not denies(saying):
            if len(set(fresh)) == 1 and told.holds(fresh):
                sets = combined([support.sets for support in before], "inherited")
                result[position] = replace(result[position], sets=sets)
        told |= known(saying)
    return result


def _marked(segment: str, support: SegmentSupport, texts: Mapping[int, str]) -> SegmentSupport:
    """Sets of one statement that says the segment word for word are marked so."""
    sets = [
        replace(found, strength=1.0, method="verbatim")
        if found.method == "terms" and is_verbatim(segment, texts[found.statement_ids[0]])
        else found
        for found in support.sets
    ]
    return replace(support, sets=minimal(sets))
