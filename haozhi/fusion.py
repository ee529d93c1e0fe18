"""Several rankings become one.

By scores: how far a statement is above the last place of a ranking, in standard deviations of its
scores, so that a ranking counts for more where it tells statements apart. By ranks: the sum of
1 / (60 + rank), whatever the scores are (reciprocal rank fusion). `haozhi eval retrieval` measures
both.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

RANK_CONSTANT = 60
"""How little the first places of one ranking count by themselves, where ranks are fused."""


@dataclass(frozen=True)
class Arm:
    """A ranking by name: statements with their scores, best first, and how much it counts.

    `floor`: the score of what is not in it; None where that is not known, but at most the last.
    """

    name: str
    scores: Sequence[tuple[int, float]]
    weight: float = 1.0
    floor: float | None = None


@dataclass(frozen=True)
class Fused:
    """A statement with its score and its place, from 1, in every arm that found it."""

    statement_id: int
    score: float
    ranks: dict[str, int]


def fuse(arms: Iterable[Arm], *, by_rank: bool = False) -> tuple[Fused, ...]:
    """Everything that an arm found, best first, equals by id."""
    scores: dict[int, float] = defaultdict(float)
    ranks: dict[int, dict[str, int]] = defaultdict(dict)
    for arm in arms:
        for statement_id, score in (_by_rank(arm) if by_rank else _by_score(arm)).items():
            scores[statement_id] += arm.weight * score
        for rank, (statement_id, _) in enumerate(arm.scores, start=1):
            ranks[statement_id][arm.name] = rank
    order = sorted(scores, key=lambda i: (-scores[i], i))
    return tuple(Fused(i, scores[i], ranks[i]) for i in order)


def _by_rank(arm: Arm) -> Mapping[int, float]:
    places = enumerate(arm.scores, start=1)
    return {statement_id: 1 / (RANK_CONSTANT + rank) for rank, (statement_id, _) in places}


def _by_score(arm: Arm) -> Mapping[int, float]:
    """Where all scores are the same, they say nothing."""
    values = [score for _, score in arm.scores]
    if arm.floor is not None:
        values.append(arm.floor)
    lowest = min(values, default=0.0)
    spread = float(np.std(values)) if max(values, default=0.0) > lowest else 0.0
    return {i: (score - lowest) / spread if spread else 0.0 for i, score in arm.scores}
