"""Parts per billion from weights of any scale; the division itself is `store.split`."""

import math
from collections.abc import Mapping
from fractions import Fraction

from store.split import split
from store.validation import WHOLE_PPB

__all__ = ["WHOLE_PPB", "split", "to_ppb"]


def to_ppb(
    weights: Mapping[str, float | Fraction], total_ppb: int = WHOLE_PPB, salt: str = ""
) -> dict[str, int]:
    """Turn weights >= 0 of any scale into integer parts per billion that sum to `total_ppb`.

    A float is taken as the exact binary fraction it is, so the result depends on no summation
    order. To keep a part for nobody (unattributed), give it a key of its own.

    ValueError: as `split`, or a weight that is not a finite number.
    """
    for key, weight in weights.items():
        if not math.isfinite(weight):
            raise ValueError(f"the weight of {key!r} is {weight}, not a finite number")
    exact = {key: Fraction(weight) for key, weight in weights.items()}
    scale = math.lcm(*(weight.denominator for weight in exact.values()))
    return split(total_ppb, [(key, int(weight * scale)) for key, weight in exact.items()], salt)
