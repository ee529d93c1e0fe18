"""Reciprocal rank fusion: several rankings become one, whatever their scores mean."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RANK_CONSTANT = 60
"""How little the first places of one ranking count by themselves."""


@dataclass(frozen=True)
class Arm:
    """A ranking of statements, best first, by name, and how much it counts."""

    name: str
    ids: Sequence[int]
    weight: float = 1.0


@dataclass(frozen=True)
class Fused:
    """A statement with its score and its place, from 1, in every arm that found it."""

    statement_id: int
    score: float
    ranks: dict[str, int]


def fuse(arms: Iterable[Arm], constant: int = RANK_CONSTANT) -> tuple[Fused, ...]:
    """Everything that an arm found, best first, equals by id.

    A score is the sum of weight / (constant + rank) over the arms.
    """
    scores: dict[int, float] = defaultdict(float)
    ranks: dict[int, dict[str, int]] = defaultdict(dict)
    for arm in arms:
        for rank, statement_id in enumerate(arm.ids, start=1):
            scores[statement_id] += arm.weight / (constant + rank)
            ranks[statement_id][arm.name] = rank
    order = sorted(scores, key=lambda i: (-scores[i], i))
    return tuple(Fused(i, scores[i], ranks[i]) for i in order)
