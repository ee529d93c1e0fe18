"""Figures of retrieval with bootstrap intervals: recall, nDCG, MRR, and whose statements came."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

SAMPLES = 2000
AUTHORS_AT = 4
"""Places whose authors are compared with those of the right passages."""


@dataclass(frozen=True)
class Ranked:
    """What was found for one question, best first, and what should have been.

    A place can be several passages of the same text, and have several authors.
    """

    sids: Sequence[frozenset[str]]
    authors: Sequence[frozenset[str]]
    gold: frozenset[str]
    gold_authors: frozenset[str]


@dataclass(frozen=True)
class Figure:
    """A mean, over questions 0..1, with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


def figures(ranked: Sequence[Ranked]) -> dict[str, Figure]:
    """recall@1, @5 and @10, nDCG@10, MRR; where the authors are known, author_f1@4 as well.

    Every run gives the same intervals.
    """
    found = {
        name: mean_figure([measure(each) for each in ranked]) for name, measure in MEASURES.items()
    }
    known = [each for each in ranked if each.gold_authors]
    if known:
        found[f"author_f1@{AUTHORS_AT}"] = mean_figure([_author_f1(each) for each in known])
    return found


def mean_figure(values: Sequence[float]) -> Figure:
    """The mean of values (at least one) with its 95 % bootstrap interval, the same in every run."""
    data = np.asarray(values)
    rows = np.random.default_rng(0).integers(len(data), size=(SAMPLES, len(data)))
    low, high = np.quantile(data[rows].mean(axis=1), (0.025, 0.975))
    return Figure(float(data.mean()), float(low), float(high))


def _recall(k: int) -> Callable[[Ranked], float]:
    """The part of the right passages that is among the first k."""

    def measure(ranked: Ranked) -> float:
        found = frozenset[str]().union(*ranked.sids[:k])
        return len(found & ranked.gold) / len(ranked.gold)

    return measure


def _ndcg(ranked: Ranked, k: int = 10) -> float:
    """Gains of the first k, discounted by place, as a part of what could be had."""
    left = set(ranked.gold)
    gain = 0.0
    for place, sids in enumerate(ranked.sids[:k], start=1):
        gain += len(sids & left) / math.log2(place + 1)
        left -= sids
    best = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(ranked.gold)) + 1))
    return min(1.0, gain / best)


def _reciprocal_rank(ranked: Ranked) -> float:
    places = (place for place, sids in enumerate(ranked.sids, start=1) if sids & ranked.gold)
    first = next(places, None)
    return 0.0 if first is None else 1 / first


def _author_f1(ranked: Ranked) -> float:
    found = frozenset[str]().union(*ranked.authors[:AUTHORS_AT])
    right = len(found & ranked.gold_authors)
    return 2 * right / (len(found) + len(ranked.gold_authors)) if right else 0.0


MEASURES: Mapping[str, Callable[[Ranked], float]] = {
    "recall@1": _recall(1),
    "recall@5": _recall(5),
    "recall@10": _recall(10),
    "ndcg@10": _ndcg,
    "mrr": _reciprocal_rank,
}
