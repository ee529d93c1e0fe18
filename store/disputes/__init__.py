"""Disputes: somebody says that a line was paid to the wrong holder; its money waits meanwhile."""

from store.disputes.checking import dispute_differences
from store.disputes.closing import Undisputed, close_dispute
from store.disputes.opening import open_dispute
from store.disputes.reading import Closing, Dispute, get_dispute, list_disputes

__all__ = [
    "Closing",
    "Dispute",
    "Undisputed",
    "close_dispute",
    "dispute_differences",
    "get_dispute",
    "list_disputes",
    "open_dispute",
]
