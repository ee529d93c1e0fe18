"""The final tier: what it measures, what it spends, and what it does when that is not enough."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.context import Case
from haozhi.attribution.final import PASSES, attribute_finally, final_shares
from haozhi.attribution.influence import measure_influence
from haozhi.attribution.orders import reading_passes
from haozhi.attribution.support import SegmentSupport
from haozhi.attribution.usage import used_by
from haozhi.attribution.values import ValueFunction
from haozhi.models.generator import Generator
from haozhi.settings import Settings
from store.records.answers import Attribution
from tests.cases import a_case, backed, by
from tests.tiny import scored, tiny

RULES = ShareRules(support_ppm=500_000, noise_floor_ppb=0)


@pytest.fixture(scope="module", params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """Random weights; the gemma has a window of 8 tokens in one of its layers."""
    return tiny(request.param)


def posed(generator: Generator, *support: SegmentSupport, authors: str = "ABCD") -> Case:
    """Four statements by these authors, and the answer in as many segments as support is given."""
    prompt = scored(generator)
    bounds = np.linspace(0, len(prompt.answer_ids), len(support) + 1).astype(int)
    segments = tuple(zip(map(int, bounds), map(int, bounds[1:]), strict=False))
    case = a_case([by(author) for author in authors], support)
    return replace(case, scored=prompt, segments=segments)


def attributed(generator: Generator, case: Case, budget: int = PASSES) -> Attribution:
    """The final attribution."""
    return attribute_finally(generator, "an1", case, RULES, 0, budget)


def shares(found: Attribution) -> list[tuple[int, int]]:
    """Statement and share of each pair."""
    return [(pair.statement_id, pair.share_ppb) for pair in found.pairs]


def test_one_author_needs_one_order(generator: Generator) -> None:
    """Where only one player backs a segment no order can favour another: none is read again."""
    found = attributed(generator, posed(generator, backed((1.0, (11,)))))
    assert found.detail["orders"] == 1
    assert found.order_spread is None
    assert [statement for statement, _ in shares(found)] == [11]
    # None, all, each alone (one of them moves money) and all but each of four.
    assert found.detail["passes"] == 10 or found.detail["influence"] != "paired"


def test_authors_who_compete_are_seen_in_both_orders(generator: Generator) -> None:
    """Two alternatives: the mean of both orders decides, and their difference is the interval."""
    case = posed(generator, backed((1.0, (10,)), (1.0, (11,))))
    found = attributed(generator, case)
    assert found.detail["orders"] == 2
    assert found.order_spread is not None
    assert all(pair.low_ppb <= pair.share_ppb <= pair.high_ppb for pair in found.pairs)
    money, _ = final_shares(generator, case, RULES, "an1")
    parts = [pair.share_ppb / 1e9 for pair in found.pairs]
    assert [pair.share_ppb / 1e9 for pair in money.pairs] == pytest.approx(parts, abs=1e-5)


def test_the_same_answer_has_the_same_shares_again(generator: Generator) -> None:
    """With the prompt still kept or run anew, a replay agrees in every figure."""
    case = posed(generator, backed((1.0, (10,)), (0.8, (11, 12))), backed((0.9, (13,))))
    first = attributed(generator, case)
    assert attributed(generator, case) == first
    generator.kept.clear()
    assert attributed(generator, case) == first


@pytest.mark.parametrize("budget", [16, 24, 32, 64, 1000])
def test_no_budget_is_exceeded(generator: Generator, budget: int) -> None:
    """What is spent is told and within the budget, and the shares are whole."""
    many = [backed((1.0, (10,)), (1.0, (11,)), (0.9, (12, 13))) for _ in range(3)]
    found = attributed(generator, posed(generator, *many), budget)
    assert found.detail["passes"] <= found.detail["budget"] == budget
    assert sum(share for _, share in shares(found)) + found.unattributed.total == 10**9


def test_money_comes_first_then_the_second_order_then_what_is_shown(generator: Generator) -> None:
    """As the budget shrinks influence goes first, then the second order; the shares stay whole."""
    case = posed(generator, backed((1.0, (10,)), (1.0, (11,))))
    money = 5  # none, one of the two, the other, both, all
    both = money + reading_passes(case.scored) + money
    found = [attributed(generator, case, most) for most in (both - 1, both, 1000)]
    assert [each.detail["orders"] for each in found] == [1, 2, 2]
    assert [each.detail["influence"] is None for each in found[1:]] == [True, False]
    assert [s.influence_nats is None for s in found[1].signals] == [True] * 4
    assert all(shares(each) for each in found)


def test_a_game_beyond_the_budget_is_shared_by_support(generator: Generator) -> None:
    """Its coalitions count as used as all statements together: equals share equally, unmeasured."""
    values = ValueFunction(generator, scored(generator))
    case = posed(generator, backed((1.0, (10,)), (1.0, (11,)), (1.0, (12,))))
    used = used_by(case, values, most=4)
    assert values.passes == 2  # none and all
    everyone = used(0, frozenset({0, 1, 2, 3}))
    assert used(0, frozenset({0})) == used(0, frozenset({1, 2})) == everyone
    assert used(0, frozenset()) == 0


def test_the_coalitions_that_moved_money_are_kept(generator: Generator) -> None:
    """[[statement ids], nats] from none to all, for the page that says why."""
    found = attributed(generator, posed(generator, backed((1.0, (10, 12)))))
    ids = [coalition for coalition, _ in found.detail["coalitions"]]
    assert ids == [[], [10], [12], [10, 12], [10, 11, 12, 13]]
    assert found.detail["coalitions"][0][1] == pytest.approx(found.v_none, abs=1e-4)
    assert found.detail["coalitions"][-1][1] == pytest.approx(found.v_all, abs=1e-4)


def test_an_answer_that_nothing_backs_is_measured_and_pays_nobody(generator: Generator) -> None:
    """All of it is unsupported; v(none), v(all) and influence are there all the same."""
    found = attributed(generator, posed(generator, SegmentSupport()))
    assert shares(found) == []
    assert found.unattributed.unsupported == 10**9
    assert found.v_none is not None
    assert all(signal.influence_nats is not None for signal in found.signals)


def _with_residual(
    generator: Generator, monkeypatch: pytest.MonkeyPatch, nats: Sequence[float]
) -> ValueFunction:
    """Values of the tiny prompt, replaced by nats that depend on the size of a coalition."""
    values, asked_for = ValueFunction(generator, scored(generator)), set[frozenset[int]]()

    def totals(self: ValueFunction, asked: Sequence[frozenset[int]]) -> NDArray[np.float64]:
        asked_for.update(asked)
        self.passes = len(asked_for)
        return np.array([nats[len(coalition)] for coalition in asked])

    monkeypatch.setattr(ValueFunction, "totals", totals)
    return values


def test_a_residual_that_is_large_asks_for_a_costlier_estimate(
    generator: Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of four needed together: all coalitions, or random orders, if the passes suffice."""
    values = _with_residual(generator, monkeypatch, [-40, -40, -40, 0, 0])
    found = {most: measure_influence(values, most) for most in (10, 30)}
    methods = {most: influence and influence.method for most, influence in found.items()}
    assert methods == {10: "paired", 30: "exact"}
    monkeypatch.setattr("haozhi.attribution.influence.MOST_EXACT", 3)
    assert (walked := measure_influence(values, 41))
    assert walked.method == "antithetic"
    assert all(f and sum(f.nats) == pytest.approx(40) for f in (*found.values(), walked))


def test_a_residual_that_is_small_ends_it(
    generator: Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An additive game costs 2n + 2 passes and no more; too few for that measure nothing."""
    values = _with_residual(generator, monkeypatch, [-40, -30, -20, -10, 0])
    found = measure_influence(values, 1000)
    assert found is not None
    assert (found.method, found.nats, found.residual) == ("paired", (10,) * 4, 0)
    assert measure_influence(values, 7) is None


def test_the_settings_and_the_code_agree_on_the_budget() -> None:
    """An answer without a budget of its own gets the default of the settings."""
    assert Settings.model_fields["attribution_passes"].default == PASSES
