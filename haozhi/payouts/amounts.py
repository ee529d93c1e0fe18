"""What a payout moves: credits become money, and tax is withheld, without a unit lost."""

from haozhi.accounting.policy import PPM
from store.payouts.records import Amounts

MICRO = 1_000_000


def amounts_of(payable_micro: int, minor_per_credit: int, withholding_ppm: int) -> Amounts | None:
    """The largest payout that `payable_micro` >= 0 allows; None when not one minor unit is left.

    With m minor units for a credit and a tax of w ppm:

        net_minor = floor(floor(payable * (10^6 - w) / 10^6) * m / 10^6)
        net       = ceil(net_minor * 10^6 / m)       the fewest micro-credits worth net_minor
        gross     = ceil(net * 10^6 / (10^6 - w))    the fewest that leave net after the tax
        withheld  = gross - net                      which is ceil(gross * w / 10^6)

    What is payable beyond gross, less than another minor unit costs, stays with the holder.

    ValueError: a negative amount, a rate not in 1..10^6, or a tax that is not in 0..10^6 ppm.
    """
    if payable_micro < 0 or not 1 <= minor_per_credit <= MICRO or not 0 <= withholding_ppm <= PPM:
        raise ValueError(f"no payout of {payable_micro} at {minor_per_credit}, {withholding_ppm}")
    kept_ppm = PPM - withholding_ppm
    net_minor = payable_micro * kept_ppm // PPM * minor_per_credit // MICRO
    if net_minor == 0:
        return None
    net_micro = -(-net_minor * MICRO // minor_per_credit)
    gross_micro = -(-net_micro * PPM // kept_ppm)
    return Amounts(gross_micro, gross_micro - net_micro, net_micro, net_minor)


def money_text(amount_minor: int) -> str:
    """An amount >= 0 in cents or fen as its currency writes it: 1234 is "12.34".

    Every currency that is paid here has two decimals.
    """
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"
