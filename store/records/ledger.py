"""Entries of the ledger, how an account sees them, and what a check finds."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Transfer:
    """One positive amount of micro-credits from the debit to the credit account (by code).

    `line` is the position of the transfer that this one undoes, in the entry that its entry
    reverses or corrects.
    """

    debit: str
    credit: str
    amount_micro: int
    reason: str
    answer_id: str | None = None
    statement_id: int | None = None
    author_id: str | None = None
    share_ppb: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class Entry:
    """A posted entry with its place in the chain and its transfers in order.

    `reverses` or `corrects` is the key of the entry that this one takes back in whole or in part;
    `memo` is canonical JSON that the event needs remembered.
    """

    seq: int
    key: str
    prev_hash: str
    hash: str
    period_id: int
    policy_version: int
    created_us: int
    transfers: tuple[Transfer, ...]
    reverses: str | None = None
    corrects: str | None = None
    memo: str | None = None


@dataclass(frozen=True)
class Line:
    """A transfer as one account sees it: `amount_micro` is positive in, negative out."""

    entry_seq: int
    entry_key: str
    period_id: int
    created_us: int
    counterparty: str
    amount_micro: int
    reason: str
    answer_id: str | None
    statement_id: int | None
    author_id: str | None
    share_ppb: int | None
    line: int | None = None


@dataclass(frozen=True)
class Period:
    """A span of booking time; `state` is OPEN, CLOSING or CLOSED, `closed_by` who asked for it."""

    id: int
    state: str
    opened_us: int
    closed_us: int | None
    closed_by: str | None = None


@dataclass(frozen=True)
class Difference:
    """Something that a check found: a stable code, the row it is about, and what is wrong."""

    code: str
    subject: str
    message: str


@dataclass(frozen=True)
class StatementTotal:
    """What one statement brought a holder in a period, less what was taken back of it.

    `work_id` is where it was found for the first of its lines, None when that is unknown.
    """

    statement_id: int
    work_id: str | None
    amount_micro: int
    line_count: int


@dataclass(frozen=True, kw_only=True)
class ReportAmounts:
    """What a credit report says in micro-credits: from opening to closing, and how closing divides.

    The columns between opening and closing are those of `store.ledger.reasons`.
    """

    opening_micro: int
    earned_micro: int
    adjustments_micro: int
    deductions_micro: int
    recouped_micro: int
    disputed_micro: int
    released_micro: int
    paid_micro: int
    closing_micro: int
    payable_micro: int
    carried_micro: int
    held_micro: int

    def amounts(self) -> dict[str, int]:
        """Each of them by its name, in this order."""
        return {field.name: getattr(self, field.name) for field in fields(ReportAmounts)}
