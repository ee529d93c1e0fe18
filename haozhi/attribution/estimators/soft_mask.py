"""Influence from gradients: statements fade in together, and each is paid for its part of the way.

Aumann and Shapley (1974): phi_i = integral over t from 0 to 1 of d v / d t_i, where every player is
kept by the same t. In the attention a statement kept by t has log t added to its columns' logits.
"""

from collections.abc import Sequence

import numpy as np

from haozhi.attribution.estimators.estimate import Estimate
from haozhi.attribution.values import ValueFunction

#: t = u ** POWER spreads Gauss-Legendre's points u, where t is small and v still rises.
POWER = 1


def soft_mask(
    values: ValueFunction, groups: Sequence[frozenset[int]], *, steps: int = 4
) -> Estimate:
    """The integral by `steps` points; `groups[i]` are the statement numbers of player i.

    `passes` are forward and backward passes, all players at once. The residual is what the integral
    misses of v(all) - v(none).
    """
    nodes, weights = np.polynomial.legendre.leggauss(steps)
    points, weights = (nodes + 1) / 2, weights / 2
    # d v / d u = d v / d log t x POWER / u
    slopes = values.gradients([float(u) ** POWER for u in points])
    along = (weights * POWER / points) @ slopes
    found = tuple(float(sum(along[i] for i in sorted(group))) for group in groups)
    none, full = values.totals([frozenset(), frozenset(range(len(values.scored.spans)))])
    return Estimate(found, steps, float(full - none) - sum(found))
