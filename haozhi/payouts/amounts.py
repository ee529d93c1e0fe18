"""What a payout moves: credits become money, and tax is withheld, without a unit lost."""

from haozhi.accounting.policy import PPM
from store.payouts.records import Amounts

MICRO = 1_000_000


def amounts_of(payable_micro: int, minor_per_credit: int, withholding_ppm: int) -> Amounts | None:
    """The largest payout that `payable_micro` >= 0 allows; None when not one minor unit is left.

    With m minor units for a credit and a tax of w ppm:

        withheld(gross) = floor(gross * w / 10^6)
        net_minor       = floor((payable - withheld(payable)) * m / 10^6)
        net             = ceil(net_minor * 10^6 / m)           fewest micro-credits worth net_minor
        gross           = the least with gross - withheld(gross) = net

    gross - withheld(gross) is 0 at 0 and grows by 0 or 1 with each micro-credit, so it takes the
    value net at some gross <= payable. What exceeds gross stays with the holder.

    ValueError: a negative amount, a rate not in 1..10^6, or a tax that is not in 0..10^6 ppm.
    """
    if payable_micro < 0 or not 1 <= minor_per_credit <= MICRO or not 0 <= withholding_ppm <= PPM:
        raise ValueError(f"no payout of {payable_micro} at {minor_per_credit}, {withholding_ppm}")
    kept_ppm = PPM - withholding_ppm
    available_micro = payable_micro - payable_micro * withholding_ppm // PPM
    net_minor = available_micro * minor_per_credit // MICRO if kept_ppm else 0
    if net_minor == 0:
        return None
    net_micro = -(-net_minor * MICRO // minor_per_credit)
    # gross - floor(gross * w / PPM) = ceil(gross * kept / PPM) >= net at this gross first.
    gross_micro = (net_micro - 1) * PPM // kept_ppm + 1
    return Amounts(gross_micro, gross_micro - net_micro, net_micro, net_minor)


def money_text(amount_minor: int) -> str:
    """An amount >= 0 in cents or fen as its currency writes it: 1234 is "12.34".

    Every currency that is paid here has two decimals.
    """
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"
