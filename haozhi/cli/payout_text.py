"""How batches of payouts read: as JSON and as lines for people."""

from collections.abc import Iterator
from typing import Any

from haozhi.credits import credits_text
from haozhi.payouts.amounts import money_text
from haozhi.payouts.batches import Skipped
from store.payouts import Batch


def batch_json(batch: Batch) -> dict[str, Any]:
    """The stable shape of a batch; times in whole ms."""
    return {
        "id": batch.id,
        "currency": batch.currency,
        "policy_version": batch.policy_version,
        "created_by": batch.created_by,
        "created_ms": batch.created_us // 1000,
        "total_minor": batch.total_minor,
        "payouts": [
            {
                "holder_id": payout.holder_id,
                "state": payout.state,
                **vars(payout.amounts),
                "withholding_ppm": payout.withholding_ppm,
                "tax_class": payout.tax_class,
            }
            for payout in batch.payouts
        ],
    }


def batch_line(batch: Batch) -> str:
    """A batch in one line."""
    states = sorted({payout.state for payout in batch.payouts})
    total = f"{batch.currency} {money_text(batch.total_minor)}"
    return f"{batch.id}  {total} to {len(batch.payouts)}, {', '.join(states)}"


def batch_lines(batch: Batch) -> Iterator[str]:
    """A batch with its payouts, for people."""
    yield batch_line(batch)
    for payout in batch.payouts:
        amounts = payout.amounts
        parts = [f"{credits_text(amounts.net_micro)} credits"]
        if amounts.withheld_micro:
            parts.append(f"{credits_text(amounts.withheld_micro)} {payout.tax_class} tax")
        money = f"{money_text(amounts.net_minor):>12}"
        yield f"{money}  {payout.holder_id}  {payout.state}  for {' + '.join(parts)}"


def skipped_lines(skipped: tuple[Skipped, ...]) -> Iterator[str]:
    """Who is not paid, and why."""
    for each in skipped:
        yield f"not paid: {each.holder_id}  {credits_text(each.payable_micro)}  {each.reason}"
