"""Rules of the confidence interval for every count."""

from hypothesis import given
from hypothesis import strategies as st

from haozhi.evaluation.metrics import wilson

COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS)
def test_the_interval_holds_the_rate(count: tuple[int, int]) -> None:
    """0 <= low <= k / n <= high <= 1."""
    k, n = count
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1


@given(COUNTS)
def test_hits_and_misses_mirror_each_other(count: tuple[int, int]) -> None:
    """The interval of the misses is the interval of the hits turned round."""
    k, n = count
    low, high = wilson(k, n)
    other_low, other_high = wilson(n - k, n)
    assert abs(low - (1 - other_high)) < 1e-9
    assert abs(high - (1 - other_low)) < 1e-9
