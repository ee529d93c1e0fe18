"""How much each statement moved the answer, in nats: shown beside the shares, never paid by.

The paired estimate (2n + 2 passes) is exact where statements interact by twos. Its residual says
when they do not: then all coalitions are run, or random orders are walked through.
"""

from dataclasses import dataclass

from haozhi.attribution.estimators import Estimate, antithetic, exact, paired, soft_mask
from haozhi.attribution.shapley import Coalition
from haozhi.attribution.values import ValueFunction

#: A residual is large above this part of v(all) - v(none), and above one nat.
LARGE_RESIDUAL = 0.2
#: Statements at most whose 2^n coalitions are all run.
MOST_EXACT = 6
#: Fewer orders than this say less than the paired estimate with its residual.
FEWEST_ORDERS = 8
#: A pass of the soft mask goes forward and, at twice the cost, backward.
SOFT_PASSES = 3
SOFT_STEPS = 4


@dataclass(frozen=True)
class Influence:
    """Nats per statement with the method that found them; the residual is the paired estimate's."""

    method: str
    nats: tuple[float, ...]
    residual: float | None
    passes: int


def paired_coalitions(statements: int) -> list[Coalition]:
    """The coalitions that the paired estimate asks for, beside v(none) and v(all)."""
    everyone, alone = frozenset(range(statements)), [frozenset({i}) for i in range(statements)]
    return [*alone, *(everyone - one for one in alone)]


def measure_influence(values: ValueFunction, most: int) -> Influence | None:
    """The paired estimate, or a costlier one where its residual is large, by `most` more passes.

    Where they do not suffice for pairs: the soft mask, and None, where not even for that.
    """
    statements, start = len(values.scored.spans), values.passes
    if values.unknown(paired_coalitions(statements)) > most:
        soft = SOFT_PASSES * SOFT_STEPS + values.unknown([])
        if soft > most:
            return None
        alone = [frozenset({i}) for i in range(statements)]
        found = soft_mask(values, alone, steps=SOFT_STEPS)
        return Influence("soft-mask", found.influence, None, soft)
    method, estimate = "paired", paired(statements, values.totals)
    residual = estimate.residual or 0.0
    if abs(residual) > max(1.0, LARGE_RESIDUAL * abs(sum(estimate.influence))):
        left = most - values.passes + start
        method, estimate = _escalated(values, left) or (method, estimate)
    return Influence(method, estimate.influence, residual, values.passes - start)


def _escalated(values: ValueFunction, left: int) -> tuple[str, Estimate] | None:
    """A costlier estimate, of all coalitions or of as many orders as the passes suffice for."""
    statements = len(values.scored.spans)
    if statements <= MOST_EXACT and 2**statements - 2 * statements - 2 <= left:
        return "exact", exact(statements, values.totals)
    orders = left // max(statements - 1, 1) // 2 * 2
    if orders < FEWEST_ORDERS:
        return None
    return "antithetic", antithetic(statements, values.totals, permutations=orders, seed=0)
