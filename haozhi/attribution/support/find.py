"""Support sets: which statements, together, yield each segment of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from haozhi.attribution.support.ask import Ask, ask_of
from haozhi.attribution.support.chains import Statements
from haozhi.attribution.support.clauses import Clause, Known, clauses_of, known
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
    found = [equation_support(segment, sums) for segment in segments]
    if sums.asked is None:
        sayings = [clauses_of(segment) for segment in segments]
        bodies = {s.id: clauses_of(s.text) for s in sorted(statements, key=lambda s: s.id)}
        by_terms = _by_terms(ask_of(question), sayings, bodies)
        found = [
            sums if sums and sums.sets else terms
            for sums, terms in zip(found, by_terms, strict=True)
        ]
        found = _inherited(ask_of(question), sayings, found)
    texts = {s.id: s.text for s in statements}
    return tuple(
        _marked(segment, support or SegmentSupport(), texts)
        for segment, support in zip(segments, found, strict=True)
    )


def _by_terms(ask: Ask, sayings: Sequence[Saying], bodies: Statements) -> list[SegmentSupport]:
    """Segments that answer the question and, once one does, those that go on from there.

    A segment about something that an earlier one brought in (`Warsaw is the capital of Poland.`) is
    a step of its own: it rests on who says so, not on the whole way from the question.
    """
    whole = [_answering(ask, saying, bodies) for saying in sayings]
    parts = [[_answering(ask, [clause], bodies) for clause in saying] for saying in sayings]
    if ask.pieces and not any(support.sets for support in chain(whole, *parts)):
        return whole
    found = []
    earlier = ask.known
    for saying, answering, owns in zip(sayings, whole, parts, strict=True):
        is_step = _goes_on(saying, ask, earlier)
        sets, against = [], set(answering.contradicts)
        for clause, own in zip(saying, owns, strict=True):
            if earlier.holds(clause.pieces):
                continue
            claim = term_support(*claim_of(clause, ask, earlier), bodies)
            first, second = (claim, own) if is_step else (own, claim)
            sets.append(first.sets or second.sets)
            if not own.sets and len(clause.pieces) > 1:
                against.update(claim.contradicts)
            earlier |= known([clause])
        following = combined(sets, "chain") if sets else ()
        first, second = (following, answering.sets) if is_step else (answering.sets, following)
        found.append(SegmentSupport(first or second, tuple(sorted(against))))
    return found


def _goes_on(saying: Saying, ask: Ask, earlier: Known) -> bool:
    opening = saying[0].pieces[:1] if saying else ()
    return earlier.holds(opening) and not ask.known.holds(opening) and len(saying[0].pieces) > 1


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
        before = [
            r
            for r, s in zip(result[:position], sayings, strict=False)
            if known(s).words or known(s).han
        ]
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
