"""The ledger: entries posted once, taken back by others, read as balances and lines."""

from store.ledger.corrections import (
    AlreadyReversed,
    recoup,
    refund,
    remaining,
    reverse,
    take_back,
)
from store.ledger.holds import (
    Hold,
    HoldEnded,
    expire_holds,
    get_hold,
    hold,
    post_hold,
    void_hold,
)
from store.ledger.keys import distribution_key
from store.ledger.lines import ReportLine, lines, newest_lines, report_lines
from store.ledger.posting import NEW, Correction, EntryConflict, post
from store.ledger.reading import (
    balance,
    entries_for_answer,
    find_balance,
    find_entry,
    get_entry,
    get_period,
    open_period,
)
from store.ledger.totals import totals_by_reason

__all__ = [
    "NEW",
    "AlreadyReversed",
    "Correction",
    "EntryConflict",
    "Hold",
    "HoldEnded",
    "ReportLine",
    "balance",
    "distribution_key",
    "entries_for_answer",
    "expire_holds",
    "find_balance",
    "find_entry",
    "get_entry",
    "get_hold",
    "get_period",
    "hold",
    "lines",
    "newest_lines",
    "open_period",
    "post",
    "post_hold",
    "recoup",
    "refund",
    "remaining",
    "report_lines",
    "reverse",
    "take_back",
    "totals_by_reason",
    "void_hold",
]
