"""The credit report: what an author earned in a period, line by line, as one value."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from store.records import Line, Period


@dataclass(frozen=True)
class StatementTotal:
    """What one statement brought in over `line_count` lines."""

    statement_id: int
    amount_micro: int
    line_count: int


@dataclass(frozen=True)
class CreditReport:
    """The lines of an author's own account in a period; opening + lines = closing, always.

    Money that a grant sends to another holder is in that holder's account and not here.
    """

    author_id: str
    author_name: str | None
    period: Period
    opening_micro: int
    lines: tuple[Line, ...]
    closing_micro: int

    def __post_init__(self) -> None:
        moved_micro = sum(line.amount_micro for line in self.lines)
        assert self.opening_micro + moved_micro == self.closing_micro, (
            f"credit report of {self.author_id}: {self.opening_micro} + {moved_micro}"
            f" is not {self.closing_micro}"
        )

    @property
    def earned_micro(self) -> int:
        """What came in, before anything that went out."""
        return sum(line.amount_micro for line in self.lines if line.amount_micro > 0)

    @property
    def statements(self) -> tuple[StatementTotal, ...]:
        """Totals per statement, the largest first."""
        amounts: defaultdict[int, list[int]] = defaultdict(list)
        for line in self.lines:
            if line.statement_id is not None:
                amounts[line.statement_id].append(line.amount_micro)
        totals = (StatementTotal(i, sum(each), len(each)) for i, each in amounts.items())
        return tuple(sorted(totals, key=lambda t: (-t.amount_micro, t.statement_id)))

    def to_json(self) -> dict[str, Any]:
        """The stable shape of `haozhi report --json` and the API; times in whole ms."""
        return {
            "author": {"id": self.author_id, "name": self.author_name},
            "period": {
                "id": self.period.id,
                "state": self.period.state,
                "opened_ms": self.period.opened_us // 1000,
                "closed_ms": None
                if self.period.closed_us is None
                else self.period.closed_us // 1000,
            },
            "opening_micro": self.opening_micro,
            "earned_micro": self.earned_micro,
            "lines": [_line_json(line) for line in self.lines],
            "closing_micro": self.closing_micro,
            "statements": [dict(vars(total)) for total in self.statements],
        }


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "entry_id": line.entry_key,
        "answer_id": line.answer_id,
        "statement_id": line.statement_id,
        "amount_micro": line.amount_micro,
        "share_ppb": line.share_ppb,
        "reason": line.reason,
        "created_ms": line.created_us // 1000,
    }
