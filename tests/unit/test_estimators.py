"""Estimators of influence against games worked out by hand, in nats."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from haozhi.attribution.estimators import (
    Estimate,
    Value,
    antithetic,
    exact,
    lasso,
    leave_one_out,
    paired,
)
from haozhi.attribution.shapley import Coalition, subsets

Game = dict[Coalition, float]

#: Every estimator of a Shapley value or of an additive part, as (players, value) -> Estimate.
METHODS: dict[str, Callable[[int, Value], Estimate]] = {
    "exact": exact,
    "paired": paired,
    "leave_one_out": leave_one_out,
    "antithetic": lambda n, value: antithetic(n, value, permutations=4, seed=3),
    "lasso": lambda n, value: lasso(n, value, masks=64, seed=3, alpha_nats=1e-6),
}


def of(worth: Callable[[Coalition], float]) -> Value:
    """A value of batches from the worth of one coalition."""

    def value(coalitions: Sequence[Coalition]) -> NDArray[np.float64]:
        assert len(set(coalitions)) == len(coalitions)  # nobody pays twice for one pass
        return np.array([worth(coalition) for coalition in coalitions])

    return value


#: v = -10; player 0 adds 4, player 1 adds 1, player 2 takes 2, whoever else is there.
ADDITIVE = of(lambda s: -10 + 4 * (0 in s) + 1 * (1 in s) - 2 * (2 in s))
#: 6 nats only for 0 and 1 together; 2 adds nothing.
PAIR = of(lambda s: 6.0 * ({0, 1} <= s))
#: 6 nats for either of two copies; 2 adds nothing.
COPIES = of(lambda s: 6.0 * bool({0, 1} & s))
#: 6 nats only for all three together.
THREE = of(lambda s: 6.0 * ({0, 1, 2} <= s))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_what_each_adds_by_itself(method: str) -> None:
    """Where nobody needs another, influence is what a player adds, negative ones included."""
    found = METHODS[method](3, ADDITIVE)
    assert found.influence == pytest.approx((4, 1, -2), abs=1e-3)
    assert found.residual is None or found.residual == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("method", ["exact", "paired", "antithetic"])
@pytest.mark.parametrize("value", [PAIR, COPIES], ids=["pair", "copies"])
def test_a_needed_pair_and_two_copies_share_equally(method: str, value: Value) -> None:
    """3 nats each, and nothing for whoever adds nothing."""
    assert METHODS[method](3, value).influence == pytest.approx((3, 3, 0), abs=1e-9)


def test_leave_one_out_pays_a_pair_twice_and_copies_nothing() -> None:
    """Its residual says by how much the parts miss the whole."""
    pair, copies = leave_one_out(3, PAIR), leave_one_out(3, COPIES)
    assert pair == Estimate((6, 6, 0), 5, -6)
    assert copies == Estimate((0, 0, 0), 5, 6)


def test_paired_says_when_three_are_needed_together() -> None:
    """Exact gives 2 each from 8 passes; paired too here, and its residual is 6 - 3 x 3 = -3."""
    assert exact(3, THREE) == Estimate((2, 2, 2), 8, 0)
    assert paired(3, THREE) == Estimate((2, 2, 2), 8, -3)


@pytest.mark.parametrize("method", METHODS)
def test_nobody_has_no_influence(method: str) -> None:
    """Without players there is nothing to share."""
    assert METHODS[method](0, ADDITIVE).influence == ()


def test_one_player_gets_the_whole() -> None:
    """A player alone is worth v(all) - v(none), whatever the method."""
    value = of(lambda s: -5 + 3 * len(s))
    for method in ("exact", "paired", "leave_one_out", "antithetic"):
        assert METHODS[method](1, value).influence == pytest.approx((3,))


@given(st.data())
def test_shapley_estimates_share_out_the_whole_of_any_game(data: st.DataObject) -> None:
    """Exact, paired and antithetic values sum to v(all) - v(none); passes are what they say."""
    n = data.draw(st.integers(1, 5))
    nats = st.floats(-30, 0, allow_nan=False, width=32)
    worth = {coalition: data.draw(nats) for coalition in subsets(range(n))}
    gained = worth[frozenset(range(n))] - worth[frozenset()]
    asked: list[Coalition] = []

    def value(coalitions: Sequence[Coalition]) -> NDArray[np.float64]:
        asked.extend(coalitions)
        return np.array([worth[c] for c in coalitions])

    for method in ("exact", "paired", "antithetic"):
        asked.clear()
        found = METHODS[method](n, value)
        assert sum(found.influence) == pytest.approx(gained, abs=1e-6)
        assert found.passes == len(set(asked)) == len(asked)
    assert METHODS["paired"](n, value).passes <= 2 * n + 2


@given(st.data())
def test_paired_equals_exact_where_only_pairs_interact(data: st.DataObject) -> None:
    """For a game of pairs the 2n + 2 values give the Shapley value, with residual 0."""
    n = data.draw(st.integers(1, 5))
    nats = st.floats(-10, 10, allow_nan=False)
    parts = {c: data.draw(nats) for c in subsets(range(n)) if 0 < len(c) <= 2}
    value = of(lambda s: sum(part for c, part in parts.items() if c <= s))
    found = paired(n, value)
    assert found.influence == pytest.approx(exact(n, value).influence, abs=1e-9)
    assert found.residual == pytest.approx(0, abs=1e-9)


def test_antithetic_orders_of_one_seed_are_the_same_again() -> None:
    """A replay draws the same orders; another seed draws others."""
    game = of(lambda s: float(len(s) ** 3 * (0 in s) + 2 * (3 in s)))
    once, again, other = (antithetic(6, game, permutations=2, seed=s) for s in (1, 1, 2))
    assert once == again
    assert once.influence != other.influence
    assert once.passes == 2 * 5 + 2


def test_many_antithetic_orders_come_near_the_exact_value() -> None:
    """400 orders of a game of three needed together are within a tenth of a nat."""
    many = antithetic(5, THREE, permutations=400, seed=0)
    assert many.influence == pytest.approx((2, 2, 2, 0, 0), abs=0.1)


def test_a_penalty_drops_whoever_adds_little() -> None:
    """The LASSO leaves out a player below its penalty and keeps the others' order."""
    value = of(lambda s: 8.0 * (0 in s) + 3.0 * (1 in s) + 0.1 * (2 in s))
    found = lasso(3, value, masks=64, seed=0, alpha_nats=0.2)
    assert found.influence[2] == 0
    assert found.influence[0] > found.influence[1] > 0
    assert found.passes <= 8
