"""A payout never takes more than there is, loses nothing, and grows with what is payable."""

from hypothesis import given
from hypothesis import strategies as st

from haozhi.accounting.policy import PPM
from haozhi.payouts.amounts import MICRO, amounts_of, money_text
from store.payouts.records import Amounts

PAYABLE = st.integers(0, 2**53) | st.integers(0, 300_000)
RATE = st.integers(1, MICRO) | st.sampled_from([12, 100, 83, 333_333, 10**6])
TAX = st.integers(0, PPM) | st.sampled_from([0, 1, 200_000, PPM - 1, PPM])


def _amounts(payable_micro: int, rate: int, tax_ppm: int) -> Amounts:
    return amounts_of(payable_micro, rate, tax_ppm) or Amounts(0, 0, 0, 0)


@given(PAYABLE, RATE, TAX)
def test_a_payout_is_covered_and_adds_up(payable_micro: int, rate: int, tax_ppm: int) -> None:
    """Gross is at most what is payable, and is net plus the tax that its rate gives."""
    found = _amounts(payable_micro, rate, tax_ppm)
    assert 0 <= found.gross_micro <= payable_micro
    assert found.gross_micro == found.net_micro + found.withheld_micro
    assert found.withheld_micro == -(-found.gross_micro * tax_ppm // PPM)


@given(PAYABLE, RATE, TAX)
def test_a_payout_costs_the_least_that_buys_its_money(
    payable_micro: int, rate: int, tax_ppm: int
) -> None:
    """The net is worth exactly its cents, and a micro-credit less of net or gross would not be."""
    found = _amounts(payable_micro, rate, tax_ppm)
    assert found.net_micro * rate // MICRO == found.net_minor
    if found.net_minor:
        assert found.net_micro * rate >= found.net_minor * MICRO > (found.net_micro - 1) * rate
        less_micro = found.gross_micro - 1
        assert less_micro * (PPM - tax_ppm) // PPM < found.net_micro


@given(PAYABLE, RATE, st.integers(0, PPM - 1))
def test_what_stays_would_not_have_bought_another_cent(
    payable_micro: int, rate: int, tax_ppm: int
) -> None:
    """Nothing is lost: one cent more would have needed more than the holder has."""
    found = _amounts(payable_micro, rate, tax_ppm)
    needed_micro = -(-(found.net_minor + 1) * MICRO // rate)
    assert payable_micro * (PPM - tax_ppm) // PPM < needed_micro


@given(PAYABLE, st.integers(0, 10**7), RATE, TAX)
def test_more_payable_pays_no_less(
    payable_micro: int, more_micro: int, rate: int, tax_ppm: int
) -> None:
    """Every amount is monotone in what is payable."""
    less, more = (
        _amounts(each, rate, tax_ppm) for each in (payable_micro, payable_micro + more_micro)
    )
    assert all(a <= b for a, b in zip(vars(less).values(), vars(more).values(), strict=True))


@given(PAYABLE, RATE, TAX)
def test_paying_the_payable_rest_again_pays_nothing(
    payable_micro: int, rate: int, tax_ppm: int
) -> None:
    """Without tax, the rest that stays after a payout is worth less than a cent by itself."""
    found = _amounts(payable_micro, rate, 0)
    assert _amounts(payable_micro - found.gross_micro, rate, tax_ppm).net_minor == 0


@given(st.integers(0, 10**15))
def test_money_is_written_with_two_decimals(amount_minor: int) -> None:
    """Cents and their text say the same."""
    whole, cents = money_text(amount_minor).split(".")
    assert (int(whole) * 100 + int(cents), len(cents)) == (amount_minor, 2)
