"""Fit the judge again: `python -m haozhi.judge.fit --data tests/devset [--write]`.

Recipe: retrieve 8 statements by cosine for each dev item that is no sum; add each answerable list
once more without its answer; two logistic regressions (single, pair) with ridge penalty 1 on
standardised features, each weight held to its feature's sign; thresholds from probabilities
predicted for corpora left out of the fit. Deterministic. Data: the dev half only (CC0); it also
guided the word lists, so its cross-validated rates are better than unseen topics give.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from haozhi.evaluation.devset import load_devset
from haozhi.judge import features, pairs
from haozhi.judge.logistic import fit_logistic
from haozhi.judge.model import Logistic, Thresholds, Weights, choose
from haozhi.judge.pieces import pieces_of
from haozhi.judge.reading import answers_nothing
from haozhi.judge.training import Example, examples, without_answer
from haozhi.models.embedders import load_embedder
from haozhi.settings import load_settings

_GRID = tuple(round(0.02 * n, 2) for n in range(2, 26))
Verdicts = list[tuple[tuple[int, ...], float]]  # every place and pair with its probability


@dataclass(frozen=True)
class Rates:
    """Parts of the lists of one language, 0..1."""

    language: str
    unanswerable_refused: float
    answerable_refused: float
    answerable_right: float


def fit(lists: Sequence[Example], thresholds: Thresholds) -> Weights:
    """Weights fitted on the lists; the thresholds are taken over."""
    usual = _usual(lists)
    single = [(rows, right) for e in lists for rows, right in [_singles(e, usual)]]
    pair = [(rows, right) for e in lists for rows, right in [_pairs(e, usual)]]
    return Weights(
        usual,
        _logistic(single, tuple(features.SIGNS.values())),
        _logistic(pair, tuple(pairs.SIGNS.values())),
        thresholds,
    )


def _usual(lists: Sequence[Example]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for example in lists:
        asked = pieces_of(example.question, True).language
        for statement, cosine in zip(example.statements, example.similarities, strict=True):
            found.setdefault(asked + pieces_of(statement, False).language, []).append(cosine)
    return {key: round(fmean(found[key]), 4) for key in sorted(found)}


Rows = tuple[list[list[float]], list[float]]


def _singles(example: Example, usual: dict[str, float]) -> Rows:
    rows = features.single_features(
        example.question, example.statements, example.similarities, usual
    )
    kept = [n for n, text in enumerate(example.statements) if not answers_nothing(text)]
    return [rows[n] for n in kept], [float(example.right == (n,)) for n in kept]


def _pairs(example: Example, usual: dict[str, float]) -> Rows:
    places, rows = pairs.pair_features(
        example.question, example.statements, example.similarities, usual
    )
    return rows, [float(example.right == place) for place in places]


def _logistic(found: Sequence[Rows], signs: tuple[int, ...]) -> Logistic:
    x = np.array([row for rows, _ in found for row in rows])
    y = np.array([right for _, rights in found for right in rights])
    return fit_logistic(x, y, signs)


def left_out(lists: Sequence[Example], extra: Sequence[Example]) -> list[Verdicts]:
    """Verdicts per list from a fit that saw no list of its group; `extra` is only fitted on."""
    from haozhi.judge import judge_pairs, judge_single

    fitted = {
        group: fit([e for e in (*lists, *extra) if e.group != group], Thresholds(0.5, 0.5))
        for group in {example.group for example in lists}
    }
    verdicts: list[Verdicts] = []
    for e in lists:
        weights = fitted[e.group]
        single = judge_single(e.question, e.statements, e.similarities, weights)
        pair = judge_pairs(e.question, e.statements, e.similarities, weights)
        verdicts.append(
            [((n,), p) for n, p in enumerate(single)] + [((i, j), p) for i, j, p in pair]
        )
    return verdicts


def rates(lists: Sequence[Example], found: Sequence[Verdicts], at: Thresholds) -> tuple[Rates, ...]:
    """How the verdicts do at these thresholds, each language apart.

    A list that lacks what the corpus has counts as answerable: retrieval's misses are included.
    """
    result = []
    for language in ("zh", "en"):
        chosen = [
            (e, choose(v, at)) for e, v in zip(lists, found, strict=True) if e.language == language
        ]
        silent = [not places for e, places in chosen if not e.answerable]
        wanted = [(not places, places == e.right) for e, places in chosen if e.answerable]
        result.append(
            Rates(
                language,
                fmean(silent),
                fmean(refused for refused, _ in wanted),
                fmean(right for _, right in wanted),
            )
        )
    return tuple(result)


def best_thresholds(lists: Sequence[Example], found: Sequence[Verdicts]) -> Thresholds:
    """Where refusals of the unanswerable plus right verdicts are most, both languages alike.

    Several thresholds are equally good on few lists; their middle is taken.
    """
    scores = {}
    for single, pair in product(_GRID, _GRID):
        got = rates(lists, found, Thresholds(single, pair))
        scores[single, pair] = round(
            sum(r.unanswerable_refused + r.answerable_right - r.answerable_refused for r in got), 6
        )
    best = [at for at, score in scores.items() if score == max(scores.values())]
    single, pair = sorted(best)[len(best) // 2]
    return Thresholds(single, pair)


def as_json(weights: Weights) -> dict[str, Any]:
    """The contents of weights.json."""
    names = {"single": features.NAMES, "pair": pairs.NAMES}
    return {
        "usual": dict(weights.usual),
        **{
            part: {
                "bias": getattr(weights, part).bias,
                "weights": dict(zip(names[part], getattr(weights, part).weights, strict=True)),
            }
            for part in names
        },
        "thresholds": {"single": weights.thresholds.single, "pair": weights.thresholds.pair},
    }


def main() -> None:
    """Fit, print the cross-validated rates around the thresholds, and write the file if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development set")
    parser.add_argument("--write", action="store_true", help="replace the shipped weights.json")
    options = parser.parse_args()
    embedder = load_embedder(load_settings(embedder="builtin:e5-small"))
    lists = examples(load_devset(options.data, "dev"), embedder.passages, embedder.queries)
    withdrawn = tuple(without_answer(example) for example in lists if example.right)
    found = left_out(lists, withdrawn)
    at = best_thresholds(lists, found)
    for single in (at.single / 2, at.single, at.single * 2):
        for row in rates(lists, found, Thresholds(single, at.pair)):
            sys.stdout.write(f"single {single:.2f} pair {at.pair:.2f} {row}\n")
    weights = fit((*lists, *withdrawn), at)
    if options.write:
        path = Path(__file__).with_name("weights.json")
        path.write_text(json.dumps(as_json(weights), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
