"""Shapley values: exact ones against the plain definition, and the paired estimate."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.shapley import Coalition, paired, paired_coalitions, shapley, subsets
from tests.naive import naive_shapley

Game = dict[Coalition, Fraction]

WORTH = st.floats(-10, 10, allow_nan=False).map(Fraction)


@st.composite
def games(draw: st.DrawFn, most: int = 5) -> tuple[list[int], Game]:
    """Members with any names, and a worth for each of their coalitions."""
    members = draw(st.lists(st.integers(0, 40), max_size=most, unique=True))
    return members, {coalition: draw(WORTH) for coalition in subsets(members)}


@given(games())
def test_shapley_is_the_average_over_all_orders(game: tuple[list[int], Game]) -> None:
    """The weighted sum over coalitions equals the average contribution over permutations."""
    members, worth = game
    assert shapley(members, worth) == naive_shapley(members, worth.__getitem__)


@given(games())
def test_shapley_shares_out_the_whole(game: tuple[list[int], Game]) -> None:
    """Efficiency: the values sum to what everybody together adds to nobody."""
    members, worth = game
    gained = worth[frozenset(members)] - worth[frozenset()]
    assert sum(shapley(members, worth).values()) == gained


@given(games(), st.data())
def test_equals_get_equal_and_nothing_gets_nothing(
    game: tuple[list[int], Game], data: st.DataObject
) -> None:
    """A twin gets the same (symmetry), and who never adds anything gets 0 (null player)."""
    members, worth = game
    twin, null = 100, 101
    of = data.draw(st.sampled_from(members)) if members else 0
    larger = [*dict.fromkeys([*members, of]), twin, null]

    def reduced(coalition: Coalition) -> Coalition:
        """Both twins in: the member itself counts once; the null player does not count."""
        own = coalition - {twin, null}
        return own | {of} if twin in coalition else own

    known = worth if members else {frozenset(): Fraction(0), frozenset({of}): Fraction(1)}
    found = shapley(larger, {c: known[reduced(c)] for c in subsets(larger)})
    assert found[twin] == found[of]
    assert found[null] == 0


@given(st.data())
def test_paired_is_exact_where_only_pairs_interact(data: st.DataObject) -> None:
    """For a game of pairs the estimate from 2m + 2 values is the Shapley value, residual 0."""
    members = data.draw(st.lists(st.integers(0, 20), min_size=1, max_size=5, unique=True))
    # What one member is worth by itself, and what two of them add together.
    parts = {c: data.draw(WORTH) for c in subsets(members) if 0 < len(c) <= 2}
    worth = {s: sum((parts[c] for c in parts if c <= s), Fraction(0)) for s in subsets(members)}
    found, residual = paired(members, lambda coalition: float(worth[coalition]))
    assert found == pytest.approx(shapley(members, worth), abs=1e-9)
    assert residual == pytest.approx(0, abs=1e-9)


@given(games(most=4))
def test_paired_shares_out_the_whole_and_reads_few_coalitions(
    game: tuple[list[int], Game],
) -> None:
    """Whatever the game, the estimate sums to v(all) - v(none), from the listed coalitions only."""
    members, worth = game
    if not members:
        return
    few = {coalition: float(worth[coalition]) for coalition in paired_coalitions(members)}
    assert len(few) <= 2 * len(members) + 2
    found, _ = paired(members, few.__getitem__)
    gained = few[frozenset(members)] - few[frozenset()]
    assert sum(found.values()) == pytest.approx(gained, abs=1e-9)
