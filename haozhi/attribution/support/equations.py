"""Sums: which statements license a segment's equation, by rewriting.

A statement `1 + 1 = 2` allows a 1 + 1 inside a sum to become 2, in its place and order: from
1 + 1 + 1 to 2 + 1 or to 1 + 2. Whether it is true is not asked, and 1 + 2 is not 2 + 1 unless
somebody says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from haozhi.attribution.support.clauses import clauses_of
from haozhi.attribution.support.found import (
    MOST_STATEMENTS,
    FoundSet,
    SegmentSupport,
    SupportStatement,
    combined,
    distinct,
)
from haozhi.attribution.support.polarity import denies
from haozhi.attribution.support.tokens import tokens_of
from haozhi.sums import Equation, Expression, asked_sum, equations_in

_LONGEST = 25  # tokens of a sum that is rewritten: thirteen numbers
_MOST_STATES = 2000
_PARTS = re.compile(r"[;；，。!?！？\n]|,(?!\d{3})|\.(?!\d)|\b(?:and|but)\b|而|但")
Rule = tuple[Expression, Expression, int]
Ids = frozenset[int]


@dataclass(frozen=True)
class Sums:
    """What a segment's sum is held against: the sum asked for, the equations by statement id.

    `reached` are the expressions on the way from `asked`; a step outside is beside the point.
    """

    asked: Expression | None
    stated: tuple[tuple[int, Equation], ...]
    reached: frozenset[Expression]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What the statements license."""
        return tuple((e.left, e.right, i) for i, e in self.stated if not e.denied)


def read_sums(
    question: str, segments: Sequence[str], statements: Sequence[SupportStatement]
) -> Sums:
    """The sums of a question, its answer and its context."""
    stated = tuple((s.id, e) for s in statements for e in asserted_equations(s.text))
    sums = Sums(asked_sum(question), stated, frozenset())
    if sums.asked is None:
        return sums
    steps = tuple((e.left, e.right, -1) for s in segments for e in asserted_equations(s))
    return replace(sums, reached=frozenset(_rewritings(sums.asked, (*sums.rules, *steps))))


def equation_support(segment: str, sums: Sums) -> SegmentSupport | None:
    """What the statements say to a segment that is a step or the result of a sum, else None.

    A result without its sum (`The answer is 3.`) is the result of the sum that was asked for.
    """
    claims = asserted_equations(segment) or _result(segment, sums.asked)
    if not claims:
        return None
    sets = combined([tuple(_licences(claim, sums)) for claim in claims], "equation")
    return SegmentSupport(sets, distinct(_denials(claims, sums)))


def asserted_equations(text: str) -> tuple[Equation, ...]:
    """The equations that a text asserts or denies, the longer side left; none when it only asks."""
    if not clauses_of(text):
        return ()
    found: list[Equation] = []
    for part in filter(None, _PARTS.split(text)):
        denied = any(token.role == "negation" for token in tokens_of(part))
        here = [_oriented(equation, denied) for equation in equations_in(part)]
        if denied and not clauses_of(part):  # `which is wrong` speaks of what stands before it
            found = [replace(equation, denied=True) for equation in found]
        found += here
    return tuple(found)


def _oriented(equation: Equation, denied: bool) -> Equation:
    left, right = sorted((equation.left, equation.right), key=len, reverse=True)
    return Equation(left, right, denied or equation.denied)


def _result(segment: str, asked: Expression | None) -> tuple[Equation, ...]:
    pieces = {piece for clause in clauses_of(segment) for piece in clause.pieces}
    if asked is None or len(pieces) != 1:
        return ()
    number = pieces.pop()
    denied = denies(clauses_of(segment))
    return (Equation(asked, (number[1:],), denied),) if number.startswith("#") else ()


def _licences(claim: Equation, sums: Sums) -> Iterator[FoundSet]:
    if sums.asked and not any(_replaced(e, claim.left, ("?",)) for e in sums.reached):
        return
    if claim.denied:
        yield from (FoundSet((i,), 1.0, "equation") for i, stated in sums.stated if stated == claim)
        return
    for ids in _rewritings(claim.left, sums.rules).get(claim.right, ()):
        yield FoundSet(tuple(sorted(ids)), 1.0, "equation")


def _denials(claims: Sequence[Equation], sums: Sums) -> Iterator[FoundSet]:
    for claim in claims:
        for i, stated in sums.stated:
            method = _contradicts(stated, claim)
            if method:
                yield FoundSet((i,), 1.0, method)


def _contradicts(stated: Equation, claim: Equation) -> str | None:
    """How: one denies what the other says, or both say different results of one sum."""
    if stated.left != claim.left:
        return None
    if stated.denied != claim.denied:
        return "polarity" if stated.right == claim.right else None
    differ = stated.right != claim.right and len(stated.right) == len(claim.right) == 1
    return "number" if differ and not stated.denied else None


def _rewritings(start: Expression, rules: Sequence[Rule]) -> dict[Expression, set[Ids]]:
    """Every expression that rules make of `start`, with the minimal sets of rules that do it."""
    reached: dict[Expression, set[Ids]] = {start: {frozenset()}}
    queue = [start] if len(start) <= _LONGEST else []
    while queue and len(reached) < _MOST_STATES:
        # Rules only shorten, so the longest waiting expression is complete.
        queue.sort(key=lambda expression: (-len(expression), expression))
        current = queue.pop(0)
        for left, right, rule in rules:
            for made in _replaced(current, left, right):
                if made not in reached:
                    reached[made] = set()
                    queue.append(made)
                wider = {ids | {rule} for ids in reached[current]}
                reached[made] = _minimal(reached[made] | wider)
    return reached


def _minimal(sets: set[Ids]) -> set[Ids]:
    small = {ids for ids in sets if len(ids) <= MOST_STATEMENTS}
    return {ids for ids in small if not any(other < ids for other in small)}


def _replaced(sum_: Expression, left: Expression, right: Expression) -> tuple[Expression, ...]:
    """`sum_` with `left` made `right`, once for each place where it is a part by itself."""
    ends = [(at, at + len(left)) for at in range(0, len(sum_) - len(left) + 1, 2)]
    return tuple(
        sum_[:at] + right + sum_[end:]
        for at, end in ends
        if sum_[at:end] == left and _stands_alone(left, sum_[:at][-1:], sum_[end:][:1])
    )


def _stands_alone(part: Expression, before: Expression, after: Expression) -> bool:
    """Whether neighbours leave the part its meaning: 1 + 1 is no part of 5 - 1 + 1 or 2 × 1 + 1."""
    additive = {"+", "-"} & set(part)
    if additive:
        return before in ((), ("+",)) and after in ((), ("+",), ("-",))
    return before != ("÷",)
