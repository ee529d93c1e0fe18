"""The fitted numbers of the judge, read once from weights.json when they are first needed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Logistic:
    """A logistic regression: weights in the order of the features' names."""

    bias: float
    weights: tuple[float, ...]

    def probabilities(self, rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
        """One probability 0..1 per row; a row has one number per weight."""
        if not rows:
            return ()
        scores = np.asarray(rows, dtype=np.float64) @ np.asarray(self.weights) + self.bias
        return tuple(float(p) for p in 1 / (1 + np.exp(-np.clip(scores, -30, 30))))


@dataclass(frozen=True)
class Thresholds:
    """From which probability on a statement, or a pair, is taken for an answer."""

    single: float
    pair: float


@dataclass(frozen=True)
class Weights:
    """What a fit leaves behind; `usual` is the mean cosine per question and statement language."""

    usual: Mapping[str, float]
    single: Logistic
    pair: Logistic
    thresholds: Thresholds


@cache
def weights() -> Weights:
    """The shipped weights; the file is read at the first call only."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return weights_from(json.loads(text))


def weights_from(raw: Mapping[str, Any]) -> Weights:
    """Weights from the parsed file. ValueError when its features are not this version's."""
    from haozhi.judge import features, pairs

    return Weights(
        raw["usual"],
        _logistic(raw["single"], features.NAMES),
        _logistic(raw["pair"], pairs.NAMES),
        Thresholds(**raw["thresholds"]),
    )


def _logistic(raw: Mapping[str, Any], names: Sequence[str]) -> Logistic:
    if set(raw["weights"]) != set(names):
        raise ValueError("weights.json was fitted on other features: run haozhi.judge.fit again")
    return Logistic(raw["bias"], tuple(raw["weights"][name] for name in names))


def choose(
    verdicts: Sequence[tuple[tuple[int, ...], float]], thresholds: Thresholds
) -> tuple[int, ...]:
    """The verdict (places, probability) that passes its threshold by the best odds, or ().

    Singles and pairs come from two fits: how far each is above its own threshold compares them.
    """
    excess = [
        (_log_odds(probability) - _log_odds(_threshold(places, thresholds)), places)
        for places, probability in verdicts
    ]
    best = max(excess, key=lambda row: (row[0], -len(row[1])), default=(-1.0, ()))
    return best[1] if best[0] >= 0 else ()


def _threshold(places: tuple[int, ...], thresholds: Thresholds) -> float:
    return thresholds.single if len(places) == 1 else thresholds.pair


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return log(bounded / (1 - bounded))
