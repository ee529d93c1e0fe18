"""Rules of the largest-remainder split, over random totals and weights."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haozhi.accounting.split import WHOLE_PPB, split, to_ppb

keys = st.text(min_size=1, max_size=8)
integer_weights = st.dictionaries(keys, st.integers(0, 10**15), min_size=1, max_size=12).filter(
    lambda weights: any(weights.values())
)
float_weights = st.dictionaries(
    keys, st.floats(0, 1e300, allow_nan=False), min_size=1, max_size=12
).filter(lambda weights: any(weights.values()))


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 2**53), integer_weights, st.text(max_size=5))
def test_parts_sum_to_the_total_and_stay_within_one_unit(
    total: int, weights: dict[str, int], salt: str
) -> None:
    """Parts sum to the total, each within one unit of its exact value, zero weights get zero."""
    parts = split(total, list(weights.items()), salt)
    whole = sum(weights.values())
    assert sum(parts.values()) == total
    assert parts.keys() == weights.keys()
    for key, part in parts.items():
        assert abs(part - Fraction(total * weights[key], whole)) < 1
        assert weights[key] > 0 or part == 0


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), integer_weights, st.randoms(use_true_random=False))
def test_parts_do_not_depend_on_input_order(
    total: int, weights: dict[str, int], random: Random
) -> None:
    """The same weights in another order give the same parts."""
    shuffled = list(weights.items())
    random.shuffle(shuffled)
    assert split(total, shuffled, "a") == split(total, sorted(shuffled), "a")


@settings(max_examples=300, deadline=None)
@given(float_weights, st.randoms(use_true_random=False))
def test_float_weights_become_ppb_exactly_in_any_order(
    weights: dict[str, float], random: Random
) -> None:
    """Floats of any magnitude give parts per billion that sum to 10^9 whatever their order."""
    shuffled = list(weights.items())
    random.shuffle(shuffled)
    parts = to_ppb(weights, salt="a")
    assert sum(parts.values()) == WHOLE_PPB
    assert to_ppb(dict(shuffled), salt="a") == parts


def test_sixty_thousand_random_splits_are_exact_fair_and_blind_to_order() -> None:
    """Sixty thousand seeded splits sum exactly, each line within one unit, in any input order."""
    random = Random(4)
    for number in range(60_000):
        size = random.randrange(1, 10)
        weights = [
            (str(i), random.choice((0, 1, 1, 7, random.randrange(10**9)))) for i in range(size)
        ]
        weights.append(("unattributed", 1))
        total, whole = random.randrange(10**7), sum(weight for _, weight in weights)
        parts = split(total, weights, str(number))
        assert sum(parts.values()) == total
        assert all(abs(parts[key] * whole - total * weight) < whole for key, weight in weights)
        random.shuffle(weights)
        assert split(total, weights, str(number)) == parts


def test_ties_are_decided_by_the_salt_and_favour_no_key() -> None:
    """Over many answers each of three equal payees gets the odd unit about equally often."""
    wins = dict.fromkeys("abc", 0)
    for number in range(3000):
        for key, part in split(1, [("a", 1), ("b", 1), ("c", 1)], str(number)).items():
            wins[key] += part
    assert all(900 < count < 1100 for count in wins.values())


def test_known_split_never_changes() -> None:
    """A recorded split stays the same for ever: stored postings are re-derived from it."""
    weights = [("1|a|holder:x", 333_333_333), ("2|b|holder:y", 333_333_333), ("u", 333_333_334)]
    assert split(10_000, weights, "answer-1") == {
        "1|a|holder:x": 3333,
        "2|b|holder:y": 3333,
        "u": 3334,
    }
    assert split(2, [("a", 1), ("b", 1), ("c", 1)], "answer-1") == {"a": 1, "b": 0, "c": 1}


def test_nothing_to_split_gives_zeros() -> None:
    """A total of zero is split over anything, over nobody too."""
    assert split(0, [], "") == {}
    assert split(0, [("a", 0)], "") == {"a": 0}
    assert to_ppb({}, 0) == {}


@pytest.mark.parametrize(
    ("total", "weights", "message"),
    [
        (5, [], "nobody to receive 5"),
        (5, [("a", 0)], "nobody to receive 5"),
        (-1, [("a", 1)], "negative total"),
        (1, [("a", 2), ("b", -1)], "negative weight"),
        (1, [("a", 2), ("a", 1)], "appears twice"),
    ],
)
def test_impossible_splits_say_why(
    total: int, weights: list[tuple[str, int]], message: str
) -> None:
    """A split that cannot be made raises ValueError with the reason."""
    with pytest.raises(ValueError, match=message):
        split(total, weights, "")


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -1.0])
def test_weights_that_are_no_amounts_are_rejected(weight: float) -> None:
    """NaN, infinity and negative numbers never become shares."""
    with pytest.raises(ValueError, match=r"finite|negative"):
        to_ppb({"a": weight, "b": 1.0})
