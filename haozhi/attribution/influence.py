"""How much each statement moved the answer, in nats: shown beside the shares, never paid by.

An estimate's own residual says when a costlier one is needed: leave-one-out (n + 2 passes), where
statements add up; else paired (2n + 2), where they interact by twos; else all coalitions or orders.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from haozhi.attribution.estimators import (
    Estimate,
    Value,
    antithetic,
    exact,
    leave_one_out,
    paired,
    soft_mask,
)
from haozhi.attribution.shapley import Coalition
from haozhi.attribution.values import ValueFunction

#: A residual is large above this part of v(all) - v(none), and above one nat.
LARGE_RESIDUAL = 0.15
#: Statements at most whose 2^n coalitions are all run.
MOST_EXACT = 6
#: Fewer orders than this say less than the paired estimate with its residual.
FEWEST_ORDERS = 8
#: A pass of the soft mask goes forward and, at twice the cost, backward.
SOFT_PASSES = 3
SOFT_STEPS = 4


@dataclass(frozen=True)
class Influence:
    """Nats per statement with the method that found them, and the residual of its estimate."""

    method: str
    nats: tuple[float, ...]
    residual: float | None
    passes: int


def all_but_one(statements: int) -> list[Coalition]:
    """The coalitions that every measurement begins with, beside v(none) and v(all)."""
    everyone = frozenset(range(statements))
    return [everyone - {i} for i in range(statements)]


def measure_influence(values: ValueFunction, most: int) -> Influence | None:
    """The cheapest estimate whose residual is small, at the cost of at most `most` more passes.

    Where they do not suffice for leave-one-out: the soft mask, and None, where not even for that.
    """
    statements, start = len(values.scored.spans), values.passes
    if values.unknown(all_but_one(statements)) > most:
        soft = SOFT_PASSES * SOFT_STEPS + values.unknown([])
        if soft > most:
            return None
        alone = [frozenset({i}) for i in range(statements)]
        found = soft_mask(values, alone, steps=SOFT_STEPS)
        return Influence("soft-mask", found.influence, found.residual, soft)
    method, estimate = "leave-one-out", leave_one_out(statements, values.totals)
    none, full = values.totals([frozenset(), frozenset(range(statements))])
    for costlier, ask in _ladder(statements, lambda: most - values.passes + start):
        if abs(estimate.residual or 0.0) <= max(1.0, LARGE_RESIDUAL * abs(full - none)):
            break
        method, estimate = costlier, ask(statements, values.totals)
    return Influence(method, estimate.influence, estimate.residual, values.passes - start)


def _ladder(
    statements: int, left: Callable[[], int]
) -> Iterator[tuple[str, Callable[[int, Value], Estimate]]]:
    """Costlier estimates, as far as the passes left suffice when each is come to."""
    if statements <= left():
        yield "paired", paired
    if statements <= MOST_EXACT and 2**statements - 2 * statements - 2 <= left():
        yield "exact", exact
        return
    orders = left() // max(statements - 1, 1) // 2 * 2
    if orders >= FEWEST_ORDERS:
        yield "antithetic", lambda n, value: antithetic(n, value, permutations=orders, seed=0)
