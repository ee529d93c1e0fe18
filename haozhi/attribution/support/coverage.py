"""Plain term coverage, the baseline that support sets have to beat; for evaluation only.

The game: v(S) = sum over the segment's terms of weight x the best coverage of the term in S. It is
a sum of maxima, so its Shapley value has a closed form (the airport game; Littlechild and Owen
1973): with coverages in ascending order c_1 <= ... <= c_n, who stands at j gets the sum over k <= j
of (c_k - c_(k-1)) / (n - k + 1). It knows no question, no order and no *not*.
"""

from collections.abc import Sequence

from haozhi.attribution.support.clauses import Clause, Known, known, total_weight, weight
from haozhi.attribution.support.tokens import tokens_of


def coverage_shares(segment: str, statements: Sequence[str]) -> tuple[float, ...]:
    """The Shapley value of each statement, 0..1; together the part of the terms that is covered."""
    terms = dict.fromkeys(token.piece for token in tokens_of(segment) if token.piece)
    total = total_weight(terms)
    shares = [0.0] * len(statements)
    held = [known([Clause(tokens_of(text))]) for text in statements]
    for term in terms:
        covered = [_coverage(term, each) for each in held]
        for place, part in enumerate(shapley_of_maximum(covered)):
            shares[place] += part * weight(term) / total
    return tuple(shares)


def shapley_of_maximum(values: Sequence[float]) -> tuple[float, ...]:
    """The exact Shapley value of each player of v(S) = max of the values in S, all >= 0."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    found = [0.0] * len(values)
    paid, before = 0.0, 0.0
    for rank, place in enumerate(order):
        paid += (values[place] - before) / (len(values) - rank)
        before = values[place]
        found[place] = paid
    return tuple(found)


def _coverage(term: str, held: Known) -> float:
    return 1 - total_weight(held.lacks(term)) / weight(term)
