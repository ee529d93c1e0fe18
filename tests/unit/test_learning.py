"""What is learned of signals: the weights that made the values are found, and noise is told."""

import numpy as np
import pytest

from haozhi.attribution.learning import Measured, fit, held_out, lds, measure, noise_floor
from tests.tiny import scored, tiny

_HEADS = 12


def _prompts(count: int) -> list[Measured]:
    """Prompts whose values follow from two heads and the gradient; the rest says nothing."""
    drawn = np.random.default_rng(7)
    weights = np.zeros(_HEADS + 2)
    weights[[2, 5, -1]] = 0.8, -0.5, 0.6
    found = []
    for number in range(count):
        features = drawn.random((6, _HEADS + 2))
        coalitions = np.vstack([np.zeros(6), np.ones(6), drawn.random((16, 6)) < 0.5])
        values = -8 + 8 * coalitions @ features @ weights
        influence = 8 * features @ weights
        kind = "abc"[number % 3]
        found.append(Measured(kind, features, coalitions, values, influence, frozenset({0, 1})))
    return found


def test_the_weights_that_made_the_values_are_found() -> None:
    """From many prompts the fit predicts unseen ones, of their kind and of kinds left out."""
    prompts = _prompts(60)
    folds = [number % 5 for number in range(60)]
    assert min(held_out(prompts, folds).values()) > 0.8
    assert min(held_out(prompts, [p.kind for p in prompts]).values()) > 0.8
    assert fit(prompts)[:-2].argmax() == 2
    assert fit(prompts)[:-2].argmin() == 5


def test_a_signal_that_is_dropped_has_no_weight_and_is_missed() -> None:
    """What a signal is worth is seen by fitting without it."""
    prompts = _prompts(60)
    folds = [number % 5 for number in range(60)]
    assert fit(prompts, "gradient")[-1] == 0 != fit(prompts)[-1]
    assert not fit(prompts, "attention")[:-2].any()
    whole = held_out(prompts, folds)
    assert sum(held_out(prompts, folds, "attention").values()) < sum(whole.values())


def test_a_column_that_is_always_zero_gets_no_weight() -> None:
    """A head that never looks at a statement does no harm."""
    blind = [
        Measured(p.kind, p.features * (np.arange(_HEADS + 2) != 3), *rest)
        for p in _prompts(20)
        for rest in [(p.coalitions, p.values, p.influence, p.null)]
    ]
    assert fit(blind)[3] == 0
    assert np.isfinite(fit(blind)).all()


def test_what_moves_nothing_correlates_with_nothing() -> None:
    """A constant prediction, or constant values, have an LDS of 0."""
    prompt = _prompts(1)[0]
    assert lds(prompt, np.zeros(6)) == 0
    assert lds(prompt, prompt.influence) == pytest.approx(1)


def test_the_noise_floor_is_what_null_statements_stay_below() -> None:
    """It is the 95th percentile of the size of their influence, in nats and as a part."""
    prompts = _prompts(40)
    nats, part = noise_floor(prompts)
    sizes = np.abs([p.influence[i] for p in prompts for i in (0, 1)])
    assert np.mean(sizes < nats) == pytest.approx(0.95, abs=0.02)
    assert part == pytest.approx(nats / 8)
    unknown = [Measured(p.kind, p.features, p.coalitions, p.values, p.influence, frozenset())
               for p in prompts]  # fmt: skip
    assert noise_floor(unknown) == (0, 0)


def test_a_prompt_is_measured_the_same_each_time() -> None:
    """The seed draws the coalitions; none and all come first."""
    generator = tiny("gemma")
    given = scored(generator)
    one, again, other = (
        measure(generator, given, [0.9, 0.8, 0.7, 0.6], kind="a", null=frozenset({2}), masks=8,
                seed=seed)
        for seed in (3, 3, 4)
    )  # fmt: skip
    assert np.array_equal(one.features, again.features)
    assert np.array_equal(one.values, again.values)
    assert one.coalitions.tolist() != other.coalitions.tolist()
    assert one.coalitions[:2].tolist() == [[0] * 4, [1] * 4]
    assert one.features.shape == (4, 2 * 4 + 2)
    assert one.relative[0] == 0
    assert sum(one.influence) == pytest.approx(one.values[1] - one.values[0])
