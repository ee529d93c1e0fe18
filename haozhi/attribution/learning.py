"""Learns, from prompts whose coalitions were evaluated, what their signals say of influence.

The idea of AT2 (Cohen-Wang et al., 2025): the attention of an answer on a statement, head by head,
predicts linearly what leaving the statement out does. Here one ridge regression has the heads,
retrieval and the soft mask's gradient as columns. Its target is additive and relative: for a
coalition S, (v(S) - v(none)) / max(-v(none), 1 nat) is the sum over the statements in S.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.estimators import paired
from haozhi.attribution.rules import grounding
from haozhi.attribution.signals import read_signals
from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.generator import Generator

Array = NDArray[np.float64]

#: Ridge penalty on a head's weight, and on the two other signals', for columns of unit size.
HEAD_PENALTY, SIGNAL_PENALTY = 100.0, 0.1
#: The columns of a signal in `Measured.features`; the heads come first.
SIGNALS = {"attention": slice(None, -2), "retrieval": slice(-2, -1), "gradient": slice(-1, None)}


@dataclass(frozen=True)
class Measured:
    """One prompt: what its signals are and what coalitions of its statements are worth.

    features: [statements, heads + 2]; coalitions: [n, statements] of 0 and 1, the first without
    any, the second with all; values: [n] nats; influence: [statements] nats, the paired estimate.
    `null` are the statements known to answer nothing.
    """

    kind: str
    features: Array
    coalitions: Array
    values: Array
    influence: Array
    null: frozenset[int]

    @property
    def relative(self) -> Array:
        """[n]: the part of the answer that each coalition supplies."""
        return np.array([grounding(float(v), float(self.values[0])) for v in self.values])


def measure(
    generator: Generator,
    scored: Scored,
    retrieval: Sequence[float],
    *,
    kind: str,
    null: frozenset[int],
    masks: int,
    seed: int,
) -> Measured:
    """Evaluate none, all and `masks` random coalitions of one prompt, a statement in by half."""
    count = len(scored.spans)
    drawn = np.random.default_rng(seed).random((masks, count)) < 0.5
    coalitions = np.vstack([np.zeros(count), np.ones(count), drawn])
    features = read_signals(generator, scored, retrieval).features(0, len(scored.answer_ids))
    values = ValueFunction(generator, scored)
    worth = values.totals([frozenset(map(int, np.flatnonzero(row))) for row in coalitions])
    influence = np.array(paired(count, values.totals).influence)
    return Measured(kind, features, coalitions, worth, influence, null)


def fit(prompts: Sequence[Measured], without: str | None = None) -> Array:
    """[heads + 2]: the weight of every column; those of the signal `without` are 0."""
    columns = np.concatenate([prompt.features for prompt in prompts])
    size = np.sqrt((columns**2).mean(0))
    used = size > 0
    if without:
        used[SIGNALS[without]] = False
    rows, targets = zip(*(_rows(prompt) for prompt in prompts), strict=True)
    x, y = np.concatenate(rows)[:, used] / size[used], np.concatenate(targets)
    penalty = np.full(len(size), HEAD_PENALTY)
    penalty[-2:] = SIGNAL_PENALTY
    weights = np.zeros(len(size))
    weights[used] = np.linalg.solve(x.T @ x + np.diag(penalty[used]), x.T @ y) / size[used]
    return weights


def _rows(prompt: Measured) -> tuple[Array, Array]:
    """Its coalitions as rows over the columns, about their means; each prompt weighs the same."""
    part = prompt.coalitions - prompt.coalitions.mean(0)
    relative = prompt.relative
    scale = np.sqrt(len(relative))
    return part @ prompt.features / scale, (relative - relative.mean()) / scale


def lds(prompt: Measured, predicted: Array) -> float:
    """Spearman's correlation of v with the additive prediction, over all but none and all."""
    from scipy.stats import spearmanr

    told, values = prompt.coalitions[2:] @ predicted, prompt.values[2:]
    if min(np.ptp(told), np.ptp(values)) == 0:
        return 0.0
    return float(spearmanr(told, values).statistic)


def held_out(
    prompts: Sequence[Measured], groups: Sequence[Hashable], without: str | None = None
) -> dict[str, float]:
    """LDS per kind where each prompt is predicted by a fit that saw none of its group."""
    found: dict[str, list[float]] = {}
    for left in dict.fromkeys(groups):
        rest = [p for p, g in zip(prompts, groups, strict=True) if g != left]
        weights = fit(rest, without)
        for prompt, g in zip(prompts, groups, strict=True):
            if g == left:
                value = lds(prompt, prompt.features @ weights)
                found.setdefault(prompt.kind, []).append(value)
    return {kind: fmean(found[kind]) for kind in sorted(found)}


def noise_floor(prompts: Sequence[Measured]) -> tuple[float, float]:
    """What 95 % of the null statements stay below in influence: nats, and part of the answer.

    It is the influence that an answer shows of its statements (`paired`). 0 where no null is known.
    """
    nats = [abs(float(p.influence[i])) for p in prompts for i in sorted(p.null)]
    parts = [
        abs(float(p.influence[i])) / max(-float(p.values[0]), 1.0)
        for p in prompts
        for i in sorted(p.null)
    ]
    return (float(np.quantile(nats, 0.95)), float(np.quantile(parts, 0.95))) if nats else (0.0, 0.0)
