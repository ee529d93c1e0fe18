"""The ledger: entries posted once, read as balances and lines, and checked from the rows."""

from store.ledger.checking import check
from store.ledger.posting import EntryConflict, distribution_key, post
from store.ledger.reading import (
    balance,
    entries_for_answer,
    find_entry,
    get_entry,
    get_period,
    get_policy,
    lines,
    open_period,
)

__all__ = [
    "EntryConflict",
    "balance",
    "check",
    "distribution_key",
    "entries_for_answer",
    "find_entry",
    "get_entry",
    "get_period",
    "get_policy",
    "lines",
    "open_period",
    "post",
]
