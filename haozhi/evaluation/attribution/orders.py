"""How much shares depend on the order in which a prompt happens to hold the statements."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.figures import Vector, shares_of, total_variation
from haozhi.evaluation.attribution.posing import spending
from haozhi.evaluation.attribution.removal import blocks, opening

#: The influence of every statement in the prompt as it stands, in nats by number.
Influence = Callable[[Scored], Sequence[float]]


def reordered(scored: Scored, order: Sequence[int]) -> Scored:
    """The same prompt with its statements in this order; they keep their numbers."""
    said, spans = blocks(scored), dict[int, tuple[int, int]]()
    ids = list(opening(scored))
    for number in order:
        start, end = scored.spans[number]
        spans[number] = (len(ids), len(ids) + end - start)
        ids += said[number]
    prompt = (*ids, *scored.prompt_ids[scored.tail_start :])
    return replace(scored, prompt_ids=prompt, spans=tuple(spans[i] for i in range(len(order))))


def compare_orders(scored: Scored, influence: Influence, seed: int) -> dict[str, float]:
    """TV of the shares in two random orders: as they stand, and each averaged with its reverse.

    `seconds` and `seconds_averaged` are the processor's for one order, its prompt included.
    """
    drawn = random.Random(seed)
    numbers = range(len(scored.spans))
    orders = [drawn.sample(numbers, len(numbers)) for _ in range(2)]
    with spending() as once:
        given = [shares_of(influence(reordered(scored, order))) for order in orders]
    with spending() as more:
        turned = [shares_of(influence(reordered(scored, order[::-1]))) for order in orders]
    averaged = [_mean(a, b) for a, b in zip(given, turned, strict=True)]
    return {
        "tv": total_variation(*given),
        "tv_averaged": total_variation(*averaged),
        "seconds": once.cpu_s / 2,
        "seconds_averaged": (once.cpu_s + more.cpu_s) / 2,
    }


def _mean(some: Vector, others: Vector) -> Vector:
    return (some + others) / 2
