"""Largest remainder: an integer total divided over weights so that the parts sum to it exactly."""

from collections.abc import Sequence
from hashlib import sha256


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
    if left:  # a check divides a million times, mostly without a remainder
        by_remainder = sorted(weights, key=lambda kw: (-(total * kw[1] % whole), _tie(salt, kw[0])))
        for key, _ in by_remainder[:left]:
            parts[key] += 1
    return parts


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
