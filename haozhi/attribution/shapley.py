"""Shapley values: exact over a table of coalition values, and the cheap paired estimate.

Shapley (1953): phi_i = sum over S without i of |S|! (m-|S|-1)! / m! x (v(S+i) - v(S)).
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import factorial

Coalition = frozenset[int]


def subsets(members: Sequence[int]) -> tuple[Coalition, ...]:
    """All 2^m subsets, smaller ones first."""
    sizes = range(len(members) + 1)
    return tuple(map(frozenset, chain.from_iterable(combinations(members, k) for k in sizes)))


def shapley(members: Sequence[int], value: Mapping[Coalition, Fraction]) -> dict[int, Fraction]:
    """The exact Shapley value of each member; `value` holds all subsets of the members."""
    m = len(members)
    found = dict.fromkeys(members, Fraction(0))
    for coalition in subsets(members):
        size = len(coalition)
        if size < m:
            weight = Fraction(factorial(size) * factorial(m - size - 1), factorial(m))
            for member in members:
                if member not in coalition:
                    found[member] += weight * (value[coalition | {member}] - value[coalition])
    return found


def paired_coalitions(members: Sequence[int]) -> tuple[Coalition, ...]:
    """The 2m+2 coalitions that `paired` reads: none, all, each alone, all but each."""
    everyone = frozenset(members)
    alone = [frozenset({member}) for member in members]
    return tuple(dict.fromkeys([frozenset(), everyone, *alone, *(everyone - a for a in alone)]))


def paired(
    members: Sequence[int], value: Callable[[Coalition], float]
) -> tuple[dict[int, float], float]:
    """(Leave-one-out + add-one-in) / 2 + residual / m per member, and the residual.

    This is KernelSHAP on coalitions of sizes 1 and m-1, exact when interactions are pairwise; a
    large residual says that they are not. The values sum to v(all) - v(none).
    """
    everyone, nobody = frozenset(members), frozenset[int]()
    half = {
        i: (value(everyone) - value(everyone - {i}) + value(frozenset({i})) - value(nobody)) / 2
        for i in members
    }
    residual = value(everyone) - value(nobody) - sum(half.values())
    return {i: part + residual / len(members) for i, part in half.items()}, residual
