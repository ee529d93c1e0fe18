"""The books recomputed from their rows: every difference is named, none is repaired."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from store.acts import act_differences
from store.checking.answers import (
    Derive,
    Derived,
    posted_differences,
    unposted_differences,
)
from store.checking.entries import entry_differences
from store.checking.periods import period_differences, policy_differences
from store.checking.reports import report_differences
from store.checking.rows import (
    account_differences,
    payee_differences,
    position_differences,
    reason_differences,
    reference_differences,
    time_differences,
    total_differences,
)
from store.disputes import dispute_differences
from store.errors import HaozhiError
from store.identities import identity_differences
from store.payouts import payout_differences
from store.records.ledger import Difference, Entry

__all__ = ["Check", "Derive", "Derived", "check"]

_UNREADABLE = (AssertionError, DBAPIError, HaozhiError, LookupError, TypeError, ValueError)

Check = Callable[[Session], Iterator[Difference]]

#: What the rows say of each other; each yields what one part of the books contradicts.
_CHECKS: tuple[Check, ...] = (
    position_differences,
    total_differences,
    account_differences,
    reason_differences,
    time_differences,
    payee_differences,
    policy_differences,
    period_differences,
    report_differences,
    dispute_differences,
    identity_differences,
    payout_differences,
    act_differences,
    reference_differences,
)


def check(s: Session, derive: Derive, *others: Check) -> tuple[Difference, ...]:
    """Everything that the rows contradict; empty when the books are whole.

    `derive` reads the holdings of a final attribution and derives the transfers from it, () for a
    free answer; it raises ValueError or NotFound when they cannot be derived. `others` are checks
    that need what the store does not know, such as signatures.
    """

    def posted(entries: Sequence[Entry]) -> Iterator[Difference]:
        return _readable("answers", posted_differences(s, entries, derive))

    with _rare_collections():
        found = [*_readable("entries", entry_differences(s, posted))]
        found += _readable("answers", unposted_differences(s, derive))
        for differences in (*_CHECKS, *others):
            found += _readable(differences.__name__.removesuffix("_differences"), differences(s))
    return tuple(found)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Records hardly ever make cycles, and looking for them is a sixth of a check's time."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _readable(name: str, differences: Iterator[Difference]) -> Iterator[Difference]:
    """A damaged row may be no text or number, or name what is not there: a finding, no crash."""
    try:
        yield from differences
    except _UNREADABLE as error:
        yield Difference("unreadable", name, f"a row cannot be read: {error}".splitlines()[0])
