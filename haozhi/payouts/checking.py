"""Payouts against the policy of their batch: what is paid is worked out again."""

from collections.abc import Iterator

from haozhi.accounting.policy import Policy
from haozhi.payouts.amounts import amounts_of
from haozhi.policies import policy_of
from store import payouts
from store.engine import Session
from store.payouts import Payout
from store.records.ledger import Difference


def payout_amount_differences(s: Session) -> Iterator[Difference]:
    """Each payout is taxed at its policy's rate, and moves what `amounts_of` makes of its gross.

    Of what was payable more than the gross may have been there; the gross alone gives the same.
    Codes: payout_tax_differs, payout_amount_differs.
    """
    for batch in payouts.list_batches(s):
        policy = policy_of(s, batch.policy_version)
        for payout in batch.payouts:
            yield from _differences(payout, batch.currency, policy)


def _differences(payout: Payout, currency: str, policy: Policy) -> Iterator[Difference]:
    ppm = policy.withholding_ppm.get(payout.tax_class)
    rate = policy.payout_minor_per_credit.get(currency)
    if payout.withholding_ppm != ppm:
        message = f"policy {policy.version} has another rate for {payout.tax_class}"
        yield Difference("payout_tax_differs", payout.hold, message)
    elif rate is None or amounts_of(payout.amounts.gross_micro, rate, ppm) != payout.amounts:
        message = f"policy {policy.version} pays another amount for its gross"
        yield Difference("payout_amount_differs", payout.hold, message)
