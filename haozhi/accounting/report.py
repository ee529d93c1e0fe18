"""The credit report: what a holder earned in a period and what became of it, as one value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from store.errors import BooksDiffer
from store.ledger.reasons import COLUMNS
from store.records.ledger import Period, ReportAmounts, StatementTotal


@dataclass(frozen=True)
class WorkTotal:
    """What the statements of one work brought; `work_id` None are those of an unknown work."""

    work_id: str | None
    title: str
    amount_micro: int
    line_count: int


@dataclass(frozen=True, kw_only=True)
class CreditReport(ReportAmounts):
    """A holder's account in a period, in micro-credits; it holds no names of people.

    opening + earned - adjustments - deductions - recouped - disputed + released - paid = closing,
    and payable + carried + held = closing, always. `status` is provisional until the period is
    closed, then final, or amended once a later entry takes back a line of it. `statements` and
    `works`, the largest first, sum to earned - adjustments; they are empty while an open period
    has too many lines to sum (see `haozhi.reports.credit_report`). BooksDiffer: the rows that it
    was made from contradict each other.
    """

    holder_id: str
    author_id: str | None
    period: Period
    status: str
    statements: tuple[StatementTotal, ...]
    works: tuple[WorkTotal, ...]
    line_count: int

    def __post_init__(self) -> None:
        name = f"credit report of {self.holder_id} for period {self.period.id}"
        moved_micro = sum(self.moves().values())
        if self.opening_micro + moved_micro != self.closing_micro:
            raise BooksDiffer(
                f"{name}: {self.opening_micro} + {moved_micro} is not {self.closing_micro}:"
                " run `haozhi ledger check`"
            )
        parts = (self.payable_micro, self.carried_micro, self.held_micro)
        if min(parts) < 0 or sum(parts) != self.closing_micro:
            raise BooksDiffer(
                f"{name}: {parts} are not the parts of {self.closing_micro}:"
                " run `haozhi ledger check`"
            )

    def moves(self) -> dict[str, int]:
        """What each column between opening and closing adds to the balance, in their order."""
        amounts = self.amounts()
        return {column: sign * amounts[f"{column}_micro"] for column, sign in COLUMNS.items()}

    def to_body(self) -> dict[str, Any]:
        """What is hashed and signed: ids and text only, none of it ever changes.

        The status and the titles of works are left out: they may.
        """
        return {name: str(amount) for name, amount in self.amounts().items()} | {
            "holder_id": self.holder_id,
            "author_id": self.author_id,
            "period_id": str(self.period.id),
            "opened_us": str(self.period.opened_us),
            "closed_us": _text(self.period.closed_us),
            "line_count": str(self.line_count),
            "statements": [_texts(vars(total)) for total in self.statements],
            "works": [
                {n: v for n, v in _texts(vars(total)).items() if n != "title"}
                for total in self.works
            ],
        }


def parts_of(closing_micro: int, young_micro: int, threshold_micro: int) -> dict[str, int]:
    """How closing divides when a period closes.

    Held is what is too young to be paid, at most all. What is left is payable if it reaches the
    threshold, else carried forward.
    """
    held = min(max(young_micro, 0), closing_micro)
    rest = closing_micro - held
    payable = rest if rest >= threshold_micro else 0
    return {"payable_micro": payable, "carried_micro": rest - payable, "held_micro": held}


def work_totals(
    statements: Iterable[StatementTotal], titles: Mapping[str, str]
) -> tuple[WorkTotal, ...]:
    """The totals of the statements by work, the largest first."""
    sums: dict[str | None, tuple[int, int]] = {}
    for total in statements:
        amount_micro, line_count = sums.get(total.work_id, (0, 0))
        sums[total.work_id] = (amount_micro + total.amount_micro, line_count + total.line_count)
    totals = (WorkTotal(i, titles.get(i or "", ""), *each) for i, each in sums.items())
    return tuple(sorted(totals, key=lambda work: (-work.amount_micro, work.work_id or "")))


def _texts(values: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: _text(value) for name, value in values.items()}


def _text(value: object) -> str | None:
    return None if value is None else str(value)
