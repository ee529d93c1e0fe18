"""The judge's shipped weights are what its recipe gives, and the recipe does what it should."""

from pathlib import Path

import pytest

from haozhi.evaluation.devset import load_devset
from haozhi.judge.fit import Verdicts, as_json, best_thresholds, fit, left_out, rates
from haozhi.judge.model import choose, weights
from haozhi.judge.training import Example, examples, without_answer
from haozhi.models.embedders import load_embedder
from haozhi.settings import load_settings

_DEVSET = Path(__file__).parents[1] / "devset"


@pytest.fixture(scope="module")
def lists(model_dir: Path) -> tuple[Example, ...]:
    """What is retrieved for each question of the dev half."""
    embedder = load_embedder(load_settings(model_dir=model_dir, embedder="builtin:e5-small"))
    return examples(load_devset(_DEVSET, "dev"), embedder.passages, embedder.queries)


@pytest.fixture(scope="module")
def withdrawn(lists: tuple[Example, ...]) -> tuple[Example, ...]:
    """The same lists after the answer was withdrawn."""
    return tuple(without_answer(example) for example in lists if example.right)


@pytest.fixture(scope="module")
def found(lists: tuple[Example, ...], withdrawn: tuple[Example, ...]) -> list[Verdicts]:
    """Verdicts on corpora that the fit did not see."""
    return left_out(lists, withdrawn)


def test_the_recipe_gives_the_shipped_weights(
    lists: tuple[Example, ...], withdrawn: tuple[Example, ...], found: list[Verdicts]
) -> None:
    """Fitting again on the dev half gives the weights and thresholds in the package."""
    again, shipped = as_json(fit((*lists, *withdrawn), best_thresholds(lists, found))), weights()
    told = as_json(shipped)
    for part in ("single", "pair"):
        assert again[part]["weights"] == pytest.approx(told[part]["weights"], rel=0.02, abs=0.02)
    assert again["thresholds"] == pytest.approx(told["thresholds"], abs=0.05)


def test_unseen_corpora_are_judged_well(lists: tuple[Example, ...], found: list[Verdicts]) -> None:
    """Left-out corpora: .85 of the unanswerable refused, .10 of the answerable, .85 found right."""
    for rate in rates(lists, found, weights().thresholds):
        assert rate.unanswerable_refused >= 0.85, rate
        assert rate.answerable_refused <= 0.10, rate
        assert rate.answerable_right >= 0.85, rate


def test_without_the_answer_most_lists_are_refused(
    lists: tuple[Example, ...], withdrawn: tuple[Example, ...]
) -> None:
    """After the answer is withdrawn at least .80 of the questions have no verdict."""
    refused: dict[str, list[bool]] = {"zh": [], "en": []}
    for example, verdicts in zip(withdrawn, left_out(withdrawn, lists), strict=True):
        refused[example.language].append(not choose(verdicts, weights().thresholds))
    for language, which in refused.items():
        assert sum(which) / len(which) >= 0.80, language
