"""Which answers are audited, and how a difference between two attributions is measured."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.moved import largest_difference_ppb
from haozhi.proofs.draw import draw
from tests.books import an_attribution

HASH = "ab" * 32


def test_the_draw_takes_the_smallest_lots() -> None:
    """SHA-256 over the previous checkpoint's hash and the id, as anybody can repeat by hand."""
    ids = [f"answer-{number}" for number in range(50)]
    by_hand = sorted(ids, key=lambda i: sha256((HASH + i).encode()).hexdigest())
    assert draw(HASH, ids, 5) == tuple(by_hand[:5])
    assert draw("cd" * 32, ids, 5) != draw(HASH, ids, 5)


@given(st.permutations([f"answer-{number}" for number in range(12)]), st.integers(0, 20))
def test_the_draw_knows_no_order(ids: list[str], n: int) -> None:
    """Any order of the same ids gives the same draw, and never more than there are."""
    assert draw(HASH, ids, n) == draw(HASH, sorted(ids), n)
    assert len(draw(HASH, ids, n)) == min(n, 12)


@pytest.mark.parametrize(
    ("again", "largest_ppb"),
    [
        ({(1, "a"): 400_000_000, (2, "b"): 350_000_000}, 0),
        ({(1, "a"): 400_000_001, (2, "b"): 350_000_000}, 1),
        ({(1, "a"): 400_000_003, (2, "b"): 349_999_997}, 3),
        ({(1, "b"): 400_000_000, (2, "b"): 350_000_000}, 400_000_000),
        ({(1, "a"): 400_000_000, (2, None): 350_000_000}, 350_000_000),
        ({(1, "a"): 400_000_000}, 350_000_000),
        ({}, 750_000_000),
    ],
)
def test_the_largest_difference_is_that_of_a_share(
    again: dict[tuple[int, str | None], int], largest_ppb: int
) -> None:
    """Of a pair of statement and author, or of the unattributed part; missing pairs count as 0."""
    stored = an_attribution({(1, "a"): 400_000_000, (2, "b"): 350_000_000})
    assert largest_difference_ppb(stored, an_attribution(again)) == largest_ppb
    assert largest_difference_ppb(an_attribution(again), stored) == largest_ppb
