"""The money rule: parts that sum to 1, nobody gains by another's withdrawal."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.rule import (
    MOST_PLAYERS,
    Backing,
    SegmentShares,
    grounding,
    players_of,
    segment_shares,
)
from haozhi.attribution.shapley import Coalition, subsets

HALF = 0.5


def backing(strength: float, *players: int) -> Backing:
    """A support set of these players."""
    return Backing(frozenset(players), strength)


def nothing_used(_: Coalition) -> float:
    """The model knew it all."""
    return 0.0


def all_used(_: Coalition) -> float:
    """The statements supplied it all."""
    return 1.0


def total(shares: SegmentShares) -> Fraction:
    """All parts of the segment together."""
    rest = shares.unsupported + shares.already_known + shares.disagree
    return rest + sum(shares.players.values(), Fraction(0))


backings = st.lists(
    st.builds(
        Backing,
        st.frozensets(st.integers(0, 5), min_size=1, max_size=3),
        st.floats(0.01, 1, allow_nan=False),
    ),
    max_size=5,
)
used_tables = st.fixed_dictionaries(
    {coalition: st.floats(-2, 2, allow_nan=False) for coalition in subsets(range(6))}
)


@given(backings, used_tables, st.floats(0, 1), st.booleans())
def test_the_parts_of_a_segment_are_one(
    sets: list[Backing], used: Mapping[Coalition, float], r: float, denied: bool
) -> None:
    """Players' parts and causes are at least 0 and sum to exactly 1, as fractions."""
    found = segment_shares(sets, denied, used.__getitem__, r)
    assert total(found) == 1
    parts = [*found.players.values(), found.unsupported, found.already_known, found.disagree]
    assert min(parts) >= 0


@given(backings, used_tables, st.floats(0, 1), st.data())
def test_withdrawing_a_player_takes_from_who_needed_it(
    sets: list[Backing], used: Mapping[Coalition, float], r: float, data: st.DataObject
) -> None:
    """Without B, B gets nothing, and who backs a segment only together with B gains nothing."""
    players = sorted({p for each in sets for p in each.players})
    if not players or len(players) > MOST_PLAYERS:
        return
    gone = data.draw(st.sampled_from(players))
    before = segment_shares(sets, False, used.__getitem__, r)
    left = [each for each in sets if gone not in each.players]
    after = segment_shares(left, False, used.__getitem__, r)
    assert gone not in after.players
    for player in set(players) - {p for each in left for p in each.players}:
        assert player not in after.players
    paid_before = sum(before.players.values(), Fraction(0))
    assert sum(after.players.values(), Fraction(0)) <= paid_before


def test_withdrawing_one_of_a_needed_pair_leaves_the_step_unsupported() -> None:
    """A step that needs both A and B pays both the same, and none of them once one is gone."""
    both = segment_shares([backing(1.0, 0, 1)], False, all_used, HALF)
    assert both.players == {0: HALF, 1: HALF}
    alone = segment_shares([], False, all_used, HALF)
    assert not alone.players
    assert alone.unsupported == 1


@pytest.mark.parametrize(
    ("used", "known"), [(nothing_used, Fraction(1, 2)), (all_used, Fraction(0))]
)
def test_what_the_model_knew_is_not_paid(used: object, known: Fraction) -> None:
    """A supported segment pays r for support and the rest as far as the support was used."""
    assert callable(used)
    found = segment_shares([backing(1.0, 3)], False, used, HALF)
    assert found.players == {3: 1 - known}
    assert found.unsupported == 0
    assert found.already_known == known


def test_weak_support_leaves_the_rest_unsupported() -> None:
    """A set of strength 0.75 pays at most three quarters."""
    found = segment_shares([backing(0.75, 3)], False, all_used, HALF)
    assert (found.players[3], found.unsupported) == (Fraction(3, 4), Fraction(1, 4))


def test_a_denied_segment_pays_nobody() -> None:
    """Where the sources disagree the whole segment is booked as that."""
    found = segment_shares([backing(1.0, 0)], True, all_used, HALF)
    assert not found.players
    assert found.disagree == 1


def test_alternatives_share_and_a_needed_player_gets_more() -> None:
    """0 with 1 or 0 with 2: 0 is needed by both and gets 2/3, each stand-in 1/6."""
    sets = [backing(1.0, 0, 1), backing(1.0, 0, 2)]
    found = segment_shares(sets, False, all_used, HALF)
    assert {i: float(part) for i, part in found.players.items()} == pytest.approx(
        {0: 2 / 3, 1: 1 / 6, 2: 1 / 6}
    )


def test_the_best_sets_choose_the_players() -> None:
    """At most MOST_PLAYERS play; sets that would bring in more are left out, weakest first."""
    many: Sequence[Backing] = [backing(1 - n / 10, n) for n in range(MOST_PLAYERS + 2)]
    assert players_of(many) == tuple(range(MOST_PLAYERS))
    assert players_of(list(reversed(many))) == tuple(range(MOST_PLAYERS))
    wide = [backing(1.0, 0, 1, 2), backing(0.9, 3, 4, 5), backing(0.8, 3, 4)]
    assert players_of(wide) == (0, 1, 2, 3, 4)
    found = segment_shares(many, False, all_used, HALF)
    assert set(found.players) == set(range(MOST_PLAYERS))
    assert total(found) == 1


def test_grounding_is_not_blown_up_by_what_the_model_was_sure_of() -> None:
    """The divisor is at least 1 nat, and a context that misleads gives a negative value."""
    assert grounding(-1.0, -4.0) == 0.75
    assert grounding(0.0, -0.25) == 0.25
    assert grounding(-3.0, -2.0) == -0.5
