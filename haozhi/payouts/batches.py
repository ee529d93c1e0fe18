"""Who is paid in a batch, how much, and why the others are not."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from haozhi.accounting.policy import Policy
from haozhi.payouts.accounts import check_currency
from haozhi.payouts.amounts import amounts_of
from store.errors import BadInput
from store.payouts.records import Payee, Planned


@dataclass(frozen=True)
class Skipped:
    """A holder who has payable credit and is not in the batch.

    `reason` is disputed, no_payee, other_currency, unknown_tax_class, below_threshold or
    below_minor_unit.
    """

    holder_id: str
    payable_micro: int
    reason: str


def plan_batch(
    currency: str,
    payable: Mapping[str, int],
    payees: Collection[Payee],
    disputed: Collection[str],
    policy: Policy,
) -> tuple[Planned | Skipped, ...]:
    """One result per holder with credit, by holder id.

    `payable` is what may be paid to a holder in micro-credits, `payees` those of every currency,
    `disputed` the holders with an open dispute. BadInput: no payouts are made in the
    currency, or the policy has no rate for it.
    """
    check_currency(currency)
    if currency not in policy.payout_minor_per_credit:
        raise BadInput(
            f"policy {policy.version} has no rate for {currency}:"
            " add it to payout_minor_per_credit with `haozhi policy propose`"
        )
    by_holder: dict[str, dict[str, Payee]] = {}
    for payee in payees:
        by_holder.setdefault(payee.holder_id, {})[payee.currency] = payee
    return tuple(
        _plan(holder_id, micro, currency, by_holder.get(holder_id, {}), disputed, policy)
        for holder_id, micro in sorted(payable.items())
        if micro > 0
    )


def _plan(
    holder_id: str,
    payable_micro: int,
    currency: str,
    payees: Mapping[str, Payee],
    disputed: Collection[str],
    policy: Policy,
) -> Planned | Skipped:
    payee = payees.get(currency)
    if holder_id in disputed:
        return Skipped(holder_id, payable_micro, "disputed")
    if payee is None:
        return Skipped(holder_id, payable_micro, "other_currency" if payees else "no_payee")
    if payee.tax_class not in policy.withholding_ppm:
        return Skipped(holder_id, payable_micro, "unknown_tax_class")
    if payable_micro < policy.payout_threshold_micro:
        return Skipped(holder_id, payable_micro, "below_threshold")
    ppm = policy.withholding_ppm[payee.tax_class]
    amounts = amounts_of(payable_micro, policy.payout_minor_per_credit[currency], ppm)
    if amounts is None:
        return Skipped(holder_id, payable_micro, "below_minor_unit")
    return Planned(holder_id, amounts, ppm, payee.tax_class)
