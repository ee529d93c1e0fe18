"""The ledger: entries posted once, read as balances and lines, and checked from the rows."""

from store.ledger.checking import check
from store.ledger.posting import NEW, Correction, EntryConflict, distribution_key, post
from store.ledger.reading import (
    balance,
    entries_for_answer,
    find_balance,
    find_entry,
    get_entry,
    get_period,
    get_policy,
    lines,
    open_period,
)
from store.ledger.totals import totals_by_reason

__all__ = [
    "NEW",
    "Correction",
    "EntryConflict",
    "balance",
    "check",
    "distribution_key",
    "entries_for_answer",
    "find_balance",
    "find_entry",
    "get_entry",
    "get_period",
    "get_policy",
    "lines",
    "open_period",
    "post",
    "totals_by_reason",
]
