"""How much each statement moved the answer, in nats: shown beside the shares, never paid by.

The game is shorter than the ledger's. The question has read all statements, and only the answer's
own rows lose the columns of those left out, so a pass runs no more tokens than the answer has.
Against removing the text it ranks coalitions as well (docs/attribution.md).
"""

from dataclasses import dataclass, replace

from haozhi.attribution.estimators import Estimate, antithetic, exact, paired, soft_mask
from haozhi.attribution.values import Scored, ValueFunction

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
    """Nats per statement with the method that found them; `residual` is the paired estimate's."""

    method: str
    nats: tuple[float, ...]
    residual: float | None
    passes: int


def answer_rows(scored: Scored) -> Scored:
    """The same answer with the tail cut down to the prompt's last token, which starts it."""
    return replace(scored, tail_start=len(scored.prompt_ids) - 1)


def measure_influence(values: ValueFunction, most: int) -> Influence | None:
    """The paired estimate; what interacts more is enumerated or walked through in random orders.

    At most `most` passes are run: those of the soft mask, where they do not suffice for pairs, and
    None, where not even for that.
    """
    statements = len(values.scored.spans)
    if 2 * statements + 2 > most:
        soft = SOFT_PASSES * SOFT_STEPS + 2
        if soft > most:
            return None
        alone = [frozenset({i}) for i in range(statements)]
        found = soft_mask(values, alone, steps=SOFT_STEPS)
        return Influence("soft-mask", found.influence, None, soft)
    estimate, method = paired(statements, values.totals), "paired"
    residual = estimate.residual or 0.0
    if abs(residual) > max(1.0, LARGE_RESIDUAL * abs(sum(estimate.influence))):
        estimate, method = _escalated(values, most - values.passes) or (estimate, method)
    return Influence(method, estimate.influence, residual, values.passes)


def _escalated(values: ValueFunction, left: int) -> tuple[Estimate, str] | None:
    """A costlier estimate, of all coalitions or of as many orders as the passes suffice for."""
    statements = len(values.scored.spans)
    if statements <= MOST_EXACT and 2**statements - values.passes <= left:
        return exact(statements, values.totals), "exact"
    orders = left // max(statements - 1, 1) // 2 * 2
    if orders < FEWEST_ORDERS:
        return None
    return antithetic(statements, values.totals, permutations=orders, seed=0), "antithetic"
