"""Integer shares: nothing is lost or made, and each unit has a statement, an author or a cause."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.context import Case
from haozhi.attribution.rules import rule_named
from haozhi.attribution.shapley import Coalition
from haozhi.attribution.shares import Shares, Used, build_shares
from store.records.answers import Pair
from tests.cases import a_case, backed, by

PERCENT = 10**7


def all_used(_segment: int, _coalition: Coalition) -> float:
    """Everything that is backed was supplied by the statements."""
    return 1.0


def none_used(_segment: int, _coalition: Coalition) -> float:
    """The model knew it all."""
    return 0.0


def shared(case: Case, *orders: Used, noise_ppb: int = 0) -> Shares:
    """The shares with half of a segment paid for support alone."""
    return build_shares(case, orders or [all_used], support_part=0.5, noise_ppb=noise_ppb, salt="s")


def check_whole(shares: Shares) -> None:
    """Pairs and causes are 10^9; a statement's citations sum to its pairs; no part is below 0."""
    assert sum(pair.share_ppb for pair in shares.pairs) + shares.unattributed.total == 10**9
    cited: Counter[int] = Counter()
    for citation in shares.citations:
        cited[citation.statement_id] += citation.share_ppb
    assert dict(cited) == shares.by_statement
    assert min(vars(shares.unattributed).values()) >= 0
    assert all(0 <= p.low_ppb <= p.share_ppb <= p.high_ppb <= 10**9 for p in shares.pairs)


AUTHORS = st.lists(
    st.lists(st.sampled_from("ABC"), max_size=3, unique=True).map(lambda names: by(*names)),
    min_size=1,
    max_size=5,
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Up to five statements with co-authors and unknown ones, backing up to four segments."""
    authors = draw(AUTHORS)
    ids = st.sampled_from(range(10, 10 + len(authors)))
    found = st.tuples(
        st.floats(0.01, 1, allow_nan=False),
        st.lists(ids, min_size=1, max_size=3, unique=True).map(lambda found: tuple(sorted(found))),
    )
    against = st.lists(ids, max_size=1)
    one = st.tuples(st.lists(found, max_size=4), against).map(
        lambda drawn: backed(*drawn[0], against=drawn[1])
    )
    return a_case(authors, draw(st.lists(one, min_size=1, max_size=4)))


@given(cases(), st.lists(st.floats(-2, 2, allow_nan=False), min_size=2, max_size=2), st.data())
def test_shares_and_causes_are_the_whole(
    case: Case, levels: Sequence[float], data: st.DataObject
) -> None:
    """Whatever backs the segments and however much was used, every integer adds up."""
    noise = data.draw(st.sampled_from([0, 1, PERCENT, 30 * PERCENT]))
    orders = [lambda _k, c, level=level: level * len(c) / 3 for level in levels]
    check_whole(shared(case, *orders, noise_ppb=noise))


@given(cases())
def test_only_statements_that_back_something_are_credited(case: Case) -> None:
    """Who is in no support set gets nothing, and denied segments pay nobody."""
    backing = {
        statement
        for support in case.support
        if not support.contradicts
        for found in support.sets
        for statement in found.statement_ids
    }
    assert set(shared(case).by_statement) <= backing


def test_co_authors_divide_by_their_part() -> None:
    """A statement of three co-authors is one player, whose part is divided by ppm."""
    case = a_case([by("A", "B", "C"), by("A")], [backed((1.0, (10, 11)))])
    found = {(p.statement_id, p.author_id): p.share_ppb for p in shared(case).pairs}
    assert sum(found.values()) == 10**9
    assert found[11, "A"] == 500_000_000
    assert found[10, "B"] == pytest.approx(10**9 / 6, abs=1000)
    # A bears the odd one of 1,000,000 parts per million, or another does: by hash, not by name.
    assert {found[10, a] // 1000 for a in "ABC"} <= {166_666, 166_667}


def test_an_unknown_author_keeps_its_share() -> None:
    """The share of a statement without an author is a pair with no author, not unattributed."""
    case = a_case([(), by("A")], [backed((1.0, (10, 11)))])
    assert shared(case).pairs == (
        Pair(10, None, 500_000_000, 500_000_000, 500_000_000),
        Pair(11, "A", 500_000_000, 500_000_000, 500_000_000),
    )


def test_two_unknown_authors_are_two_players() -> None:
    """Nobody knows that they are one person: each plays for itself."""
    case = a_case([(), ()], [backed((1.0, (10,)), (1.0, (11,)))])
    assert case.players == (0, 1)
    assert shared(case).by_statement == {10: 500_000_000, 11: 500_000_000}


def test_copies_of_one_author_earn_nothing_more() -> None:
    """An author who says it twice is one player; the share is divided over the statements."""
    rival = by("B")
    once = a_case([by("A"), rival], [backed((1.0, (10,)), (1.0, (11,)))])
    twice = a_case([by("A"), rival, by("A")], [backed((1.0, (10,)), (1.0, (11,)), (1.0, (12,)))])
    assert shared(once).by_statement == {10: 500_000_000, 11: 500_000_000}
    assert shared(twice).by_statement == {10: 250_000_000, 11: 500_000_000, 12: 250_000_000}


def test_shares_below_the_noise_floor_are_booked_as_that() -> None:
    """A statement under the floor gives its part to below_noise; who is at the floor keeps it."""
    segments = [backed((1.0, (10,))), backed((0.02, (11,)))]
    case = a_case([by("A"), by("B")], segments)
    kept = shared(case, noise_ppb=1 * PERCENT)
    assert kept.by_statement == {10: 500_000_000, 11: 10_000_000}
    raised = shared(case, noise_ppb=2 * PERCENT)
    assert raised.by_statement == {10: 500_000_000}
    assert raised.unattributed.below_noise == 10_000_000
    assert raised.unattributed.unsupported == kept.unattributed.unsupported
    check_whole(raised)


def test_every_cause_has_its_own_part() -> None:
    """What is not credited says why: unsupported, known to the model, or the sources disagree."""
    segments = [backed((1.0, (10,))), backed(), backed((1.0, (10,)), against=(11,)), backed()]
    found = shared(a_case([by("A"), by("B")], segments), none_used)
    assert found.by_statement == {10: 125_000_000}
    assert vars(found.unattributed) == {
        "unsupported": 500_000_000,
        "already_known": 125_000_000,
        "below_noise": 0,
        "disagree": 250_000_000,
    }


def test_the_interval_spans_the_two_orders_and_the_share_is_their_mean() -> None:
    """Given and reversed order are averaged before the game; both ends are shown."""
    found = shared(a_case([by("A")], [backed((1.0, (10,)))]), all_used, none_used)
    assert found.pairs == (Pair(10, "A", 750_000_000, 500_000_000, 10**9),)


def test_a_rule_without_support_divides_a_player_evenly() -> None:
    """Under used only, an author's part goes to all own statements alike, supporting or not."""
    case = a_case([by("A"), by("A"), by("B")], [backed((1.0, (10,)))])
    shares = build_shares(
        case, [all_used], support_part=0.5, noise_ppb=0, salt="s", rule=rule_named("used-only/1")
    )
    check_whole(shares)
    assert shares.by_statement == {10: 25 * PERCENT, 11: 25 * PERCENT, 12: 50 * PERCENT}
