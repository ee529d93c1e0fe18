"""Shapley values in nats, exact and estimated from fewer coalitions, and leave-one-out.

The money rule does not come here: it enumerates exact fractions (`haozhi.attribution.shapley`).
"""

import random
from fractions import Fraction

from haozhi.attribution.estimators.estimate import Estimate, Value, worth
from haozhi.attribution.shapley import shapley, subsets


def exact(players: int, value: Value) -> Estimate:
    """The Shapley value from all 2^n coalitions."""
    members = range(players)
    table = worth(value, subsets(members))
    found = shapley(members, {coalition: Fraction(v) for coalition, v in table.items()})
    return Estimate(tuple(float(found[i]) for i in members), len(table), 0.0)


def paired(players: int, value: Value) -> Estimate:
    """(Leave-one-out + add-one-in) / 2 + residual / n, from 2n + 2 coalitions.

    This is KernelSHAP (Lundberg & Lee 2017) on coalitions of sizes 1 and n-1, exact when
    interactions are pairwise; a large residual says that they are not. The values sum to
    v(all) - v(none).
    """
    nobody, everyone = frozenset[int](), frozenset(range(players))
    alone = [frozenset({i}) for i in range(players)]
    v = worth(value, [nobody, everyone, *alone, *(everyone - one for one in alone)])
    half = [(v[everyone] - v[everyone - one] + v[one] - v[nobody]) / 2 for one in alone]
    residual = v[everyone] - v[nobody] - sum(half)
    return Estimate(tuple(part + residual / players for part in half), len(v), residual)


def leave_one_out(players: int, value: Value) -> Estimate:
    """v(all) - v(all without i), from n + 2 coalitions (v(none) is asked for the residual)."""
    nobody, everyone = frozenset[int](), frozenset(range(players))
    without = [everyone - {i} for i in range(players)]
    v = worth(value, [nobody, everyone, *without])
    found = tuple(v[everyone] - v[rest] for rest in without)
    return Estimate(found, len(v), v[everyone] - v[nobody] - sum(found))


def antithetic(players: int, value: Value, *, permutations: int, seed: int) -> Estimate:
    """The mean contribution over random orders, each followed by its reverse.

    `permutations` orders are walked, rounded up to an even number: Castro et al. (2009) with the
    antithetic pairs of Mitchell et al. (2022). The values sum to v(all) - v(none).
    """
    drawn = random.Random(seed)
    orders: list[list[int]] = []
    while len(orders) < permutations:
        order = drawn.sample(range(players), players)
        orders += [order, order[::-1]]
    walks = [[frozenset(order[:k]) for k in range(players + 1)] for order in orders]
    v = worth(value, [coalition for walk in walks for coalition in walk])
    found = [0.0] * players
    for order, walk in zip(orders, walks, strict=True):
        for player, before, after in zip(order, walk, walk[1:], strict=False):
            found[player] += (v[after] - v[before]) / len(orders)
    return Estimate(tuple(found), len(v), None)
