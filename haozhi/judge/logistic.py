"""Logistic regression by Newton's method, with ridge penalty and a fixed sign per weight."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haozhi.judge.model import Logistic

Array = NDArray[np.float64]
_RIDGE = 1.0
_STEPS = 60
_DIGITS = 4  # of the numbers kept


def fit_logistic(x: Array, y: Array, signs: Sequence[int]) -> Logistic:
    """Fit y (0 or 1, [n]) from x [n, features]; signs: +1, -1, or 0 for either, per feature.

    A weight that comes out against its sign is set to 0, the worst one first, and the rest is
    fitted again.
    """
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    z = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    wanted = np.array([*signs, 0])
    active = np.ones(len(wanted), dtype=bool)
    while True:
        weights = np.zeros(len(wanted))
        weights[active] = _newton(z[:, active], y)
        against = weights * wanted
        if against.min() >= 0:
            break
        active[int(against.argmin())] = False
    scaled = weights[:-1] / spread
    bias = weights[-1] - float(scaled @ mean)
    return Logistic(round(float(bias), _DIGITS), tuple(round(float(w), _DIGITS) for w in scaled))


def _newton(z: Array, y: Array) -> Array:
    """Weights of a ridge-penalised fit; the last column is the constant and is not penalised."""
    penalty = np.eye(z.shape[1]) * _RIDGE
    penalty[-1, -1] = 1e-3
    weights = np.zeros(z.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(z @ weights, -30, 30)))
        slope = z.T @ (p - y) + penalty @ weights
        bend = (z * (p * (1 - p))[:, None]).T @ z + penalty
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights
