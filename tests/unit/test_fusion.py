"""Rankings are fused by what their scores tell, or by ranks alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.fusion import RANK_CONSTANT, Arm, fuse

SCORES = st.dictionaries(st.integers(1, 30), st.floats(0, 50)).map(
    lambda found: sorted(found.items(), key=lambda each: (-each[1], each[0]))
)


def test_what_both_rankings_have_comes_before_what_one_has() -> None:
    """A statement at the second place of both is better than the first of either."""
    one = Arm("one", [(1, 3.0), (2, 2.0), (3, 0.0)])
    other = Arm("other", [(4, 3.0), (2, 2.0), (5, 0.0)])
    assert next(each.statement_id for each in fuse([one, other])) == 2
    assert next(each.statement_id for each in fuse([one, other], by_rank=True)) == 2


def test_a_ranking_that_tells_statements_apart_counts_for_more() -> None:
    """A clear first place beats a close one; by ranks alone they would be equal."""
    clear = Arm("clear", [(7, 30.0), (1, 3.0), (2, 2.0), (3, 2.0), (4, 2.0)])
    close = Arm("close", [(1, 3.0), (7, 2.9), (2, 2.8), (3, 2.0), (4, 1.0)])
    by_rank = fuse([clear, close], by_rank=True)
    assert by_rank[0].score == by_rank[1].score == 1 / (RANK_CONSTANT + 1) + 1 / (RANK_CONSTANT + 2)
    assert fuse([clear, close])[0].statement_id == 7


def test_the_only_hit_of_a_ranking_counts_when_the_rest_is_known_to_be_less() -> None:
    """One statement has the word at all: that says much, unlike one that was compared to none."""
    near = Arm("dense", [(1, 0.9), (2, 0.8), (3, 0.7)])
    assert fuse([near, Arm("lexical", [(2, 4.0)], floor=0.0)])[0].statement_id == 2
    assert fuse([near, Arm("lexical", [(2, 4.0)])])[0].statement_id == 1


def test_every_hit_says_who_found_it_where() -> None:
    """Ranks are places from 1, by the name of the ranking."""
    found = fuse([Arm("a", [(1, 2.0), (2, 1.0)]), Arm("b", [(2, 9.0)])])
    assert {each.statement_id: each.ranks for each in found} == {1: {"a": 1}, 2: {"a": 2, "b": 1}}


@pytest.mark.parametrize("by_rank", [False, True])
@given(st.lists(SCORES, max_size=4), st.booleans())
def test_nothing_is_lost_and_order_is_fixed(
    by_rank: bool, lists: list[list[tuple[int, float]]], floored: bool
) -> None:
    """All that was found comes once, by score and then id, whatever order the arms are in."""
    arms = [Arm(str(n), each, floor=0.0 if floored else None) for n, each in enumerate(lists)]
    found = fuse(arms, by_rank=by_rank)
    assert {each.statement_id for each in found} == {i for each in lists for i, _ in each}
    assert list(found) == sorted(found, key=lambda each: (-each.score, each.statement_id))
    again = fuse(reversed(arms), by_rank=by_rank)
    assert {e.statement_id: pytest.approx(e.score) for e in found} == {
        e.statement_id: e.score for e in again
    }
