"""What is said of a method: how well its influence predicts, and how close its shares are.

Coalition number b of 2^n holds statement i where bit i of b is set; values are in nats.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NAMED = 0.1
"""An author with this part of an answer counts as named."""
SAMPLES = 2000

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """Median and mean over `n` items, each with its 95 % bootstrap interval."""

    n: int
    median: float
    median_interval: tuple[float, float]
    mean: float
    mean_interval: tuple[float, float]


def figure(values: Sequence[float]) -> Figure:
    """The figure of at least one item; every run gives the same intervals."""
    data = np.asarray(values, dtype=float)
    drawn = data[np.random.default_rng(0).integers(len(data), size=(SAMPLES, len(data)))]
    return Figure(
        len(data),
        float(np.median(data)),
        _middle(np.median(drawn, axis=1)),
        float(data.mean()),
        _middle(drawn.mean(axis=1)),
    )


def _middle(values: Vector) -> tuple[float, float]:
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def lds(influence: Sequence[float], values: Sequence[float]) -> float:
    """Spearman's rank correlation of v(S) and the sum of the influence in S, over all coalitions.

    Linear datamodeling score (Park et al. 2023). 0 where either is the same for all coalitions.
    """
    from scipy.stats import spearmanr

    # Equal sums must tie, however they are rounded.
    predicted = np.round(_members(len(influence)) @ np.asarray(influence, dtype=float), 9)
    if np.ptp(predicted) == 0 or np.ptp(values) == 0:
        return 0.0
    return float(spearmanr(predicted, values).statistic)


def _members(statements: int) -> NDArray[np.int64]:
    """[2^n, n]: whether coalition b holds statement i."""
    return np.arange(2**statements)[:, None] >> np.arange(statements) & 1


def top_drop(influence: Sequence[float], values: Sequence[float], k: int) -> float:
    """v(all) - v(all without the k statements of greatest influence), in nats; ties by number."""
    highest = sorted(range(len(influence)), key=lambda i: (-influence[i], i))[:k]
    everyone = len(values) - 1
    return values[everyone] - values[everyone - sum(1 << i for i in highest)]


def shares_of(influence: Sequence[float]) -> Vector:
    """[n] parts of one: what is positive, normalised; zeros where nothing is."""
    positive = np.clip(np.asarray(influence, dtype=float), 0, None)
    return np.asarray(positive / (positive.sum() or 1.0))


def total_variation(some: Vector, others: Vector) -> float:
    """0..1: the part of an answer that two ways of sharing it give to different statements.

    What either leaves unshared is a part of its own.
    """
    left = abs(float(some.sum() - others.sum()))
    return (float(np.abs(some - others).sum()) + left) / 2


def named_by(shares: Vector) -> frozenset[int]:
    """The numbers of the statements whose share is large enough to name their authors."""
    return frozenset(int(i) for i in np.flatnonzero(shares >= NAMED))


def precision_recall_f1(
    named: frozenset[int], relevant: frozenset[int]
) -> tuple[float, float, float]:
    """How many of those named are relevant, how many relevant ones are named, and both as one.

    `relevant` is not empty. Who names nobody has precision 0.
    """
    right = len(named & relevant)
    precision, recall = right / max(len(named), 1), right / len(relevant)
    return precision, recall, 2 * right / (len(named) + len(relevant))
