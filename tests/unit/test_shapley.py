"""Shapley values in fractions against the plain definition."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.shapley import Coalition, shapley, subsets
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
