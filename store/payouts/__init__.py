"""Payouts: payees, batches with one payout per holder, their files, and what became of each."""

from store.payouts.batches import (
    file_formats,
    find_batch_file,
    get_batch,
    list_batches,
    list_events,
)
from store.payouts.checking import payout_differences
from store.payouts.moving import add_batch, add_file, confirm_payout, return_payout, send_payout
from store.payouts.payable import disputed_holders, payable_micro
from store.payouts.payees import get_payees, list_payees, remove_payees, set_payee
from store.payouts.records import (
    Amounts,
    Batch,
    Payee,
    Payout,
    PayoutEvent,
    PayoutFile,
    Planned,
)

__all__ = [
    "Amounts",
    "Batch",
    "Payee",
    "Payout",
    "PayoutEvent",
    "PayoutFile",
    "Planned",
    "add_batch",
    "add_file",
    "confirm_payout",
    "disputed_holders",
    "file_formats",
    "find_batch_file",
    "get_batch",
    "get_payees",
    "list_batches",
    "list_events",
    "list_payees",
    "payable_micro",
    "payout_differences",
    "remove_payees",
    "return_payout",
    "send_payout",
    "set_payee",
]
