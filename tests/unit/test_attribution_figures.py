"""What the figures of attribution say of games that were worked out by hand."""

import numpy as np
import pytest

from haozhi.evaluation.attribution.figures import (
    figure,
    lds,
    named_by,
    precision_recall_f1,
    shares_of,
    top_drop,
    total_variation,
)

#: v of none, {0}, {1}, both: statement 0 adds 3 nats, statement 1 adds 1.
ADDITIVE = (-5.0, -2.0, -4.0, -1.0)


def test_influence_that_orders_all_coalitions_predicts_perfectly() -> None:
    """LDS is 1 for the influence of an additive game, .8 for its statements confused, -1 negated.

    By hand: ranks of v are 1, 3, 2, 4, of the confused sums 1, 2, 3, 4: 1 - 6 x 2 / (4 x 15).
    """
    assert lds((3.0, 1.0), ADDITIVE) == pytest.approx(1.0)
    assert lds((1.0, 3.0), ADDITIVE) == pytest.approx(0.8)
    assert lds((-3.0, -1.0), ADDITIVE) == pytest.approx(-1.0)


def test_influence_that_tells_nothing_apart_predicts_nothing() -> None:
    """Where all sums or all values are equal, LDS is 0, not undefined."""
    assert lds((0.0, 0.0), ADDITIVE) == 0.0
    assert lds((3.0, 1.0), (-1.0, -1.0, -1.0, -1.0)) == 0.0


def test_sums_that_are_equal_tie_however_they_are_rounded() -> None:
    """.1 + .2 and .3 are one rank: both coalitions are predicted to be worth the same."""
    values = (0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0)
    assert lds((0.1, 0.2, 0.3), values) == lds((1.0, 2.0, 3.0), values)


def test_a_drop_takes_the_highest_statements_away() -> None:
    """Without statement 0 the answer loses 3 nats, without both 4; more than there are is all."""
    assert top_drop((3.0, 1.0), ADDITIVE, 1) == 3.0
    assert top_drop((1.0, 3.0), ADDITIVE, 1) == 1.0
    assert top_drop((3.0, 1.0), ADDITIVE, 2) == top_drop((3.0, 1.0), ADDITIVE, 3) == 4.0


def test_shares_are_the_positive_part() -> None:
    """What lowered the answer's probability is paid nothing; where nothing raised it, nobody is."""
    assert shares_of((3.0, -2.0, 1.0)).tolist() == [0.75, 0.0, 0.25]
    assert shares_of((-1.0, 0.0)).tolist() == [0.0, 0.0]


def test_total_variation_is_the_part_that_goes_elsewhere() -> None:
    """A quarter moved is .25; everything to others is 1; unshared against shared is 1 as well."""
    some, others = np.array([0.75, 0.25, 0.0]), np.array([0.5, 0.5, 0.0])
    assert total_variation(some, others) == pytest.approx(0.25)
    assert total_variation(some, np.array([0.0, 0.0, 1.0])) == pytest.approx(1.0)
    assert total_variation(some, np.zeros(3)) == pytest.approx(1.0)
    assert total_variation(some, some) == 0.0


def test_a_tenth_of_an_answer_names_an_author() -> None:
    """10 % is named, less is not; two of three named and one of two found gives P, R and F1."""
    assert named_by(np.array([0.1, 0.81, 0.09])) == {0, 1}
    found = precision_recall_f1(frozenset({0, 1, 2}), frozenset({1, 3}))
    assert found == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert precision_recall_f1(frozenset(), frozenset({1})) == (0.0, 0.0, 0.0)


def test_an_interval_holds_its_figure_and_every_run_agrees() -> None:
    """Median and mean lie in their intervals, one item has a point, two runs are equal."""
    found = figure([0.0, 0.0, 1.0, 1.0, 1.0])
    assert (found.n, found.median, found.mean) == (5, 1.0, 0.6)
    assert found.mean_interval[0] < 0.6 < found.mean_interval[1]
    assert figure([0.3]).median_interval == (0.3, 0.3)
    assert figure([0.0, 0.0, 1.0, 1.0, 1.0]) == found
