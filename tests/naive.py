"""Plain ways of doing what haozhi does cleverly, to hold it against."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import torch

from haozhi.attribution.shapley import Coalition
from haozhi.attribution.values import Scored
from haozhi.models.generator import Generator


def naive_token_values(
    generator: Generator, scored: Scored, coalition: frozenset[int]
) -> list[float]:
    """Log p of each answer token in nats by one full forward, full vocabulary, no cache.

    Only rows from the first tail token on lose the columns of the statements left out.
    """
    whole = [*scored.prompt_ids, *scored.answer_ids]
    rows = torch.arange(len(whole) - 1)
    distance = rows[:, None] - rows[None]
    left_out = torch.zeros(len(rows), dtype=torch.bool)
    for number, (start, end) in enumerate(scored.spans):
        left_out[start:end] = number not in coalition
    hidden = (distance < 0) | ((rows[:, None] >= scored.tail_start) & left_out[None])

    def mask(window: int | None) -> torch.Tensor:
        without = hidden if window is None else hidden | (distance >= window)
        floor = torch.finfo(torch.float32).min
        return torch.zeros(without.shape).masked_fill(without, floor)[None, None]

    config = generator.model.config.get_text_config()
    masks: Any = mask(None)
    if "sliding_attention" in (getattr(config, "layer_types", None) or ()):
        masks = {
            "full_attention": mask(None),
            "sliding_attention": mask(config.sliding_window),
        }
    with torch.no_grad():
        inputs = torch.tensor([whole[:-1]])
        logits = generator.model(inputs, attention_mask=masks, use_cache=False).logits[0]
    found = logits.double().log_softmax(-1)[-len(scored.answer_ids) :]
    return [float(row[token]) for row, token in zip(found, scored.answer_ids, strict=True)]


def naive_shapley(
    members: Sequence[int], value: Callable[[Coalition], Fraction]
) -> dict[int, Fraction]:
    """What each member adds to those before it, averaged over all orders."""
    orders = list(permutations(members))
    found = dict.fromkeys(members, Fraction(0))
    for order in orders:
        for place, member in enumerate(order):
            before = frozenset(order[:place])
            found[member] += value(before | {member}) - value(before)
    return {member: part / len(orders) for member, part in found.items()}
