"""Support sets: which statements, together, yield each segment of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from haozhi.attribution.support.ask import Ask, ask_of
from haozhi.attribution.support.chains import Statements
from haozhi.attribution.support.clauses import Clause, Known, clauses_of, known
from haozhi.attribution.support.equations import equation_support, read_sums
from haozhi.attribution.support.found import (
    FoundSet,
    SegmentSupport,
    SupportStatement,
    combined,
    distinct,
    minimal,
)
from haozhi.attribution.support.news import news_of
from haozhi.attribution.support.polarity import denies
from haozhi.attribution.support.terms import claim_of, denied_numbers, term_support
from haozhi.attribution.support.tokens import tokens_of
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
    found = [equation_support(segment, sums) or SegmentSupport() for segment in segments]
    if sums.asked is None:
        ask = ask_of(question)
        sayings = [clauses_of(segment) or _bare_denial(segment) for segment in segments]
        bodies = {s.id: clauses_of(s.text) for s in sorted(statements, key=lambda s: s.id)}
        worded = _by_terms(ask, sayings, bodies)
        found = [s if s.sets else terms for s, terms in zip(found, worded, strict=True)]
        found = _inherited(ask, sayings, found)
    texts = {s.id: s.text for s in statements}
    return tuple(_marked(*each, texts) for each in zip(segments, found, strict=True))


def _bare_denial(segment: str) -> Saying:
    """`No.` has no content of its own, but it denies."""
    clause = Clause(tokens_of(segment))
    return (clause,) if clause.negated and not clause.pieces else ()


def _by_terms(ask: Ask, sayings: Sequence[Saying], bodies: Statements) -> list[SegmentSupport]:
    """Segments that answer the question and, once one does, those that go on from there.

    A segment about something that an earlier one brought in (`Warsaw is the capital of Poland.`) is
    a step of its own: it rests on who says so, not on the whole way from the question.
    """
    whole = [_answering(ask, saying, bodies) for saying in sayings]
    parts = [
        [_answering(ask, (clause,), bodies) for clause in saying] if len(saying) != 1 else [support]
        for saying, support in zip(sayings, whole, strict=True)
    ]
    if ask.pieces and not any(support.sets for support in chain(whole, *parts)):
        return whole
    found, earlier = [], ask.known
    for saying, answering, owns in zip(sayings, whole, parts, strict=True):
        is_step = _is_step(saying, ask, earlier)
        answers = [SegmentSupport()] * len(saying) if is_step else owns
        following = _following(saying, answers, ask, earlier, bodies)
        better, other = (following, answering) if is_step else (answering, following)
        denials = [*answering.denials, *(following.denials if not answering.sets else ())]
        found.append(SegmentSupport(better.sets or other.sets, distinct(denials)))
        earlier |= known(saying)
    return found


def _is_step(saying: Saying, ask: Ask, earlier: Known) -> bool:
    opening = saying[0].pieces[:1] if saying else ()
    return earlier.holds(opening) and not ask.known.holds(opening) and len(saying[0].pieces) > 1


def _following(
    saying: Saying,
    answers: Sequence[SegmentSupport],
    ask: Ask,
    earlier: Known,
    bodies: Statements,
) -> SegmentSupport:
    """Support clause by clause: as an answer, else of what the clause itself claims."""
    sets, denials = [], list[FoundSet]()
    for clause, answer in zip(saying, answers, strict=True):
        if not earlier.holds(clause.pieces):
            claim = term_support(*claim_of(clause, ask, earlier), bodies)
            sets.append(answer.sets or claim.sets)
            if len(clause.pieces) > 1:
                denials += claim.denials
                denials += denied_numbers(clause, ask, earlier, bodies) if not sets[-1] else ()
        earlier |= clause.held
    return SegmentSupport(combined(sets, "chain") if sets else (), distinct(denials))


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
    result, before, told = [], list[SegmentSupport](), ask.known
    for saying, support in zip(sayings, found, strict=True):
        fresh = set(ask.known.missing(piece for clause in saying for piece in clause.pieces))
        concludes = len(fresh) == 1 and told.holds(fresh) and not denies(saying)
        inherits = before and concludes and not support.sets
        sets = combined([s.sets for s in before], "inherited") if inherits else support.sets
        result.append(replace(support, sets=sets))
        before += result[-1:] if saying else []
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
