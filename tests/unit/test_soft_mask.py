"""The soft mask: gradients along the way from no statement to all of them."""

import pytest

from haozhi.attribution.estimators import soft_mask
from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.generator import Generator
from tests.tiny import scored, tiny

ALONE = [frozenset({i}) for i in range(4)]


@pytest.fixture(scope="module", params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """Random weights; the gemma has a window of 8 tokens in one of its layers."""
    return tiny(request.param)


@pytest.fixture(scope="module")
def given(generator: Generator) -> Scored:
    """Four statements, a question and an answer."""
    return scored(generator)


def test_what_fades_in_adds_up(generator: Generator, given: Scored) -> None:
    """Over many points the parts sum to v(all) - v(none), the fundamental theorem's residual 0."""
    values = ValueFunction(generator, given, likely=None)
    none, full = values.totals([frozenset(), frozenset(range(4))])
    found = soft_mask(values, ALONE, steps=24)
    assert found.passes == 24
    assert sum(found.influence) + (found.residual or 0) == pytest.approx(full - none, abs=1e-6)
    assert found.residual == pytest.approx(0, abs=0.02 * abs(full - none) + 0.01)


def test_a_group_gets_what_its_statements_get(generator: Generator, given: Scored) -> None:
    """Players fade in with all of their statements; nobody has no influence."""
    values = ValueFunction(generator, given)
    alone = soft_mask(values, ALONE).influence
    pairs = soft_mask(values, [frozenset({0, 2}), frozenset({1, 3}), frozenset()]).influence
    assert pairs == pytest.approx((alone[0] + alone[2], alone[1] + alone[3], 0), abs=1e-6)
