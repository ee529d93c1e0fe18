"""The package `context_cite`, unchanged, finds what its recipe makes of our own values."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Lasso
from sklearn.preprocessing import StandardScaler

from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.contextcite import Cited, run_context_cite
from haozhi.evaluation.attribution.removal import RemovalFunction
from haozhi.models.generator import Generator
from store.errors import UsageError
from tests.tiny import scored, tiny


@pytest.fixture(scope="module")
def generator() -> Generator:
    """Two layers, one of them with a window of 8 tokens."""
    return tiny("gemma")


@pytest.fixture(scope="module")
def given(generator: Generator) -> Scored:
    """Four statements, a question and an answer so short that its LASSO leaves something."""
    whole = scored(generator)
    return replace(whole, answer_ids=whole.answer_ids[:2])


@pytest.fixture(scope="module")
def found(generator: Generator, given: Scored) -> dict[int, Cited]:
    """Both counts, in one run."""
    return run_context_cite(generator, given, (256, 32))


@pytest.mark.parametrize("count", [32, 256])
def test_it_fits_a_lasso_to_the_log_odds_of_the_shorter_prompts(
    generator: Generator, given: Scored, found: dict[int, Cited], count: int
) -> None:
    """The weights are those of its paper's recipe on our own values, mask i drawn by seed i."""
    draws = [np.random.RandomState(seed) for seed in range(count)]
    masks = np.array([draw.choice([False, True], size=4, p=[0.5, 0.5]) for draw in draws])
    values = RemovalFunction(generator, given)
    logs = values.totals([frozenset(map(int, np.flatnonzero(mask))) for mask in masks])
    odds = (logs - np.log1p(-np.exp(logs))) / len(given.answer_ids)
    scaler = StandardScaler().fit(masks)
    fit = Lasso(alpha=0.01).fit(scaler.transform(masks), odds)
    expected = fit.coef_ / scaler.scale_ * len(given.answer_ids)
    assert np.allclose(found[count].weights, expected, atol=1e-3)
    assert max(map(abs, expected)) > 0.01


def test_weights_go_by_number_not_by_place(
    generator: Generator, given: Scored, found: dict[int, Cited]
) -> None:
    """Statement i is the one at spans[i], wherever that stands in the prompt."""
    turned = Scored(given.prompt_ids, given.answer_ids, given.spans[::-1], given.tail_start)
    again = run_context_cite(generator, turned, (32,))
    assert np.allclose(again[32].weights[::-1], found[32].weights, atol=1e-6)


def test_a_repeated_mask_is_a_call_that_costs_no_run(found: dict[int, Cited]) -> None:
    """Of four statements there are 16 masks; every call counts at the mean of the real ones."""
    assert found[32].calls == 32
    assert found[256].calls == 256
    assert found[32].distinct <= found[256].distinct <= 16
    assert found[256].cost.wall_s == pytest.approx(256 * found[256].call.wall_s)
    assert found[256].call.cpu_s > 0


def test_it_says_nothing_on_the_screen(
    generator: Generator, given: Scored, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither its progress nor its attempt to download at import reaches the user."""
    run_context_cite(generator, given, (32,))
    assert capsys.readouterr() == ("", "")


def test_a_missing_package_is_one_clear_line(
    generator: Generator, given: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line says what to install."""
    monkeypatch.setitem(sys.modules, "context_cite", None)
    with pytest.raises(UsageError, match=r"pip install haozhi\[eval\]"):
        run_context_cite(generator, given)
