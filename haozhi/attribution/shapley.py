"""Shapley values, exact over a table of coalition values in fractions: what money is shared by.

Shapley (1953): phi_i = sum over S without i of |S|! (m-|S|-1)! / m! x (v(S+i) - v(S)).
"""

from collections.abc import Mapping, Sequence
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
