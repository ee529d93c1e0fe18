"""The benchmark's bounds: next to nothing goes astray, little is withheld, silence stays unpaid."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from haozhi.evaluation.made import MadeCase, make_cases
from haozhi.evaluation.made.posing import Parts, load_parts
from haozhi.evaluation.made.scoring import Figures, Score, figures
from haozhi.settings import load_settings
from tests.benchmark.runners import RUNNERS, Runner

OURS = RUNNERS["ours"]


@pytest.fixture(scope="module")
def parts(model_dir: Path) -> Parts:
    """The builtin models."""
    return load_parts(load_settings(model_dir=model_dir))


def _figures(runner: Runner, parts: Parts, cases: Sequence[MadeCase]) -> Figures:
    return figures([Score(made, runner(parts, made), 0.5) for made in cases])


def _assert_bounds(found: Figures) -> None:
    assert found.misdirected <= 0.02
    assert found.withheld is not None
    assert found.withheld <= 0.10
    assert found.needed is not None
    assert found.needed >= 0.90
    assert found.silent is not None
    assert found.silent >= 0.95


def test_a_few_cases_keep_the_bounds(parts: Parts) -> None:
    """One statement, two together, a contradiction and a request to be cited."""
    cases = [
        *make_cases("development", each=1, kinds=("single", "contradiction"), languages=("zh",)),
        *make_cases("development", each=1, kinds=("pair", "injection"), languages=("en",)),
    ]
    _assert_bounds(_figures(OURS, parts, cases))


@pytest.mark.slow
def test_every_case_keeps_the_bounds(parts: Parts) -> None:
    """Over all kinds and both languages; the held-out half is run for figures, not as a test."""
    _assert_bounds(_figures(OURS, parts, make_cases("development")))


@pytest.mark.slow
def test_less_goes_astray_than_by_retrieval(parts: Parts) -> None:
    """Similarity pays whoever speaks of the same things."""
    cases = make_cases("development", each=1)
    by_retrieval = _figures(RUNNERS["retrieval"], parts, cases)
    assert by_retrieval.misdirected > 0.10


def test_a_runner_is_one_function(parts: Parts) -> None:
    """Every runner in the list takes the models and a case, and pays no more than the fee."""
    (made,) = make_cases("development", each=1, kinds=("single",), languages=("en",))
    paid = partial(RUNNERS["retrieval"], parts)(made)
    assert 0 < sum(paid.authors.values()) <= 1 + 1e-9
