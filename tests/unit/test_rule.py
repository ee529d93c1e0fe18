"""The money rule: parts that sum to 1, nobody gains by another's withdrawal."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.rules import (
    MOST_PLAYERS,
    RULES,
    Backing,
    SegmentShares,
    Terms,
    grounding,
    rule_named,
    segment_shares,
)
from haozhi.attribution.rules.used_and_supported_2 import supplied
from haozhi.attribution.shapley import Coalition, subsets
from store.errors import UsageError

HALF = 0.5


def backing(strength: float, *players: int) -> Backing:
    """A support set of these players."""
    return Backing(frozenset(players), strength)


def played(
    backings: Sequence[Backing],
    used: Callable[[Coalition], float],
    r: float = HALF,
    *,
    denied: bool = False,
) -> SegmentShares:
    """The shares of a segment with these support sets under the ledger's rule."""
    return segment_shares(Terms(tuple(backings), r, denied), used)


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
    found = played(sets, used.__getitem__, r, denied=denied)
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
    before = played(sets, used.__getitem__, r)
    left = [each for each in sets if gone not in each.players]
    after = played(left, used.__getitem__, r)
    assert gone not in after.players
    for player in set(players) - {p for each in left for p in each.players}:
        assert player not in after.players
    paid_before = sum(before.players.values(), Fraction(0))
    assert sum(after.players.values(), Fraction(0)) <= paid_before


def test_withdrawing_one_of_a_needed_pair_leaves_the_step_unsupported() -> None:
    """A step that needs both A and B pays both the same, and none of them once one is gone."""
    both = played([backing(1.0, 0, 1)], all_used)
    assert both.players == {0: HALF, 1: HALF}
    alone = played([], all_used)
    assert not alone.players
    assert alone.unsupported == 1


@pytest.mark.parametrize(
    ("used", "known"), [(nothing_used, Fraction(1, 2)), (all_used, Fraction(0))]
)
def test_what_the_model_knew_is_not_paid(
    used: Callable[[Coalition], float], known: Fraction
) -> None:
    """A supported segment pays r for support and the rest as far as the support was used."""
    found = played([backing(1.0, 3)], used)
    assert found.players == {3: 1 - known}
    assert found.unsupported == 0
    assert found.already_known == known


def test_weak_support_leaves_the_rest_unsupported() -> None:
    """A set of strength 0.75 pays at most three quarters."""
    found = played([backing(0.75, 3)], all_used)
    assert (found.players[3], found.unsupported) == (Fraction(3, 4), Fraction(1, 4))


def test_a_denied_segment_pays_nobody() -> None:
    """Where the sources disagree the whole segment is booked as that."""
    found = played([backing(1.0, 0)], all_used, denied=True)
    assert not found.players
    assert found.disagree == 1


def test_alternatives_share_and_a_needed_player_gets_more() -> None:
    """0 with 1 or 0 with 2: 0 is needed by both and gets 2/3, each stand-in 1/6."""
    sets = [backing(1.0, 0, 1), backing(1.0, 0, 2)]
    found = played(sets, all_used)
    assert {i: float(part) for i, part in found.players.items()} == pytest.approx(
        {0: 2 / 3, 1: 1 / 6, 2: 1 / 6}
    )


def test_the_best_sets_choose_the_players() -> None:
    """At most MOST_PLAYERS play; sets that would bring in more are left out, weakest first."""
    many: Sequence[Backing] = [backing(1 - n / 10, n) for n in range(MOST_PLAYERS + 2)]
    assert Terms(tuple(many), HALF).players == tuple(range(MOST_PLAYERS))
    assert Terms(tuple(reversed(many)), HALF).players == tuple(range(MOST_PLAYERS))
    wide = [backing(1.0, 0, 1, 2), backing(0.9, 3, 4, 5), backing(0.8, 3, 4)]
    assert Terms(tuple(wide), HALF).players == (0, 1, 2, 3, 4)
    found = played(many, all_used)
    assert set(found.players) == set(range(MOST_PLAYERS))
    assert total(found) == 1


def test_grounding_is_not_blown_up_by_what_the_model_was_sure_of() -> None:
    """The divisor is at least 1 nat, and a context that misleads gives a negative value."""
    assert grounding(-1.0, -4.0) == 0.75
    assert grounding(0.0, -0.25) == 0.25
    assert grounding(-3.0, -2.0) == -0.5


def test_supplied_is_a_part_of_the_probability_whatever_the_wording_cost() -> None:
    """Half of the odds came from the statements at ln 2, and what misled supplied nothing."""
    assert supplied(-10.0, -10.0 - log(2)) == pytest.approx(0.5)
    assert supplied(-12.0, -30.0) > 0.999
    assert supplied(-900.0, -1.0) == 0.0


def by_rule(name: str, denied: bool = False) -> SegmentShares:
    """What a rule makes of three players: 0 backs all, 1 supplied half of it, 2 did nothing."""

    def used(coalition: Coalition) -> float:
        return 0.5 if 1 in coalition else 0.0

    found = Terms((backing(1.0, 0),), HALF, denied)
    return segment_shares(rule_named(name).terms(found, (2, 1, 0)), used)


def test_each_rule_pays_what_its_name_says() -> None:
    """Used only pays the user's choice, supported only who backs, the ledger's rule who does both.

    What is left was known under each of them, for something backs the segment.
    """
    parts = {name: by_rule(name) for name in RULES}
    assert {name: {p: float(x) for p, x in s.players.items()} for name, s in parts.items()} == {
        "used-and-supported/1": {0: 0.5},
        "used-and-supported/2": {0: 0.5},
        "used-only/1": {0: 0.0, 1: 0.5, 2: 0.0},
        "supported-only/1": {0: 1.0},
    }
    assert all(total(found) == 1 and not found.unsupported for found in parts.values())


def test_only_rules_that_ask_for_support_see_a_denial() -> None:
    """Use alone knows no sides; the two others book a denied segment as disagreement."""
    assert [by_rule(name, denied=True).disagree for name in RULES] == [1, 1, 0, 1]


def test_an_unknown_rule_is_one_clear_line() -> None:
    """The error names the rules that there are."""
    with pytest.raises(UsageError, match="there are used-and-supported/1, used-and"):
        rule_named("used/2")
