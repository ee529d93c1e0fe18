"""What every estimator asks for and gives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.shapley import Coalition

#: A batch of coalitions of players -> v(S) of each, [n] float64 nats.
Value = Callable[[Sequence[Coalition]], NDArray[np.float64]]


@dataclass(frozen=True)
class Estimate:
    """Influence in nats per player, signed, and what it cost.

    `passes` counts the coalitions asked for, each once (passes of the tail through the model).
    `residual` is the part of v(all) - v(none) that the estimate's own terms miss, in nats; None
    where the method does not say.
    """

    influence: tuple[float, ...]
    passes: int
    residual: float | None


def worth(value: Value, coalitions: Sequence[Coalition]) -> dict[Coalition, float]:
    """v of each distinct coalition, asked for as one batch."""
    distinct = list(dict.fromkeys(coalitions))
    return dict(zip(distinct, map(float, value(distinct)), strict=True))
