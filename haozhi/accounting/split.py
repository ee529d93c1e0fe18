"""Largest remainder: an integer total divided over weights so that the parts sum to it exactly."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256

#: The whole of an answer in parts per billion.
WHOLE_PPB = 1_000_000_000


def split(total: int, weights: Sequence[tuple[str, int]], salt: str) -> dict[str, int]:
    """Divide `total` >= 0 over integer weights >= 0; every key gets its part, in input order.

    Each part is within one unit of total * weight / sum(weights), zero weights get 0, and the
    parts sum to `total`. Units left after rounding down go to the largest remainders; equal
    remainders are ordered by SHA-256(salt, NUL, key), so neither input order nor the name of a
    payee is an advantage.

    ValueError: a negative total or weight, a repeated key, or a total with nobody to receive it.
    """
    whole = sum(weight for _, weight in weights)
    _require_divisible(total, weights, whole)
    if total == 0:
        return {key: 0 for key, _ in weights}
    parts = {key: total * weight // whole for key, weight in weights}
    # Fewer units are left than there are remainders above zero, so a zero weight never gets one.
    left = total - sum(parts.values())
    by_remainder = sorted(weights, key=lambda kw: (-(total * kw[1] % whole), _tie(salt, kw[0])))
    for key, _ in by_remainder[:left]:
        parts[key] += 1
    return parts


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


def _require_divisible(total: int, weights: Sequence[tuple[str, int]], whole: int) -> None:
    if total < 0:
        raise ValueError(f"cannot split a negative total ({total})")
    if any(weight < 0 for _, weight in weights):
        raise ValueError(f"negative weight among {weights!r}")
    if len({key for key, _ in weights}) != len(weights):
        raise ValueError("a key appears twice among the weights")
    if total and not whole:
        raise ValueError(f"nobody to receive {total}: there is no positive weight")


def _tie(salt: str, key: str) -> bytes:
    return sha256(f"{salt}\x00{key}".encode()).digest()
