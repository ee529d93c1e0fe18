"""A credit report as JSON: the stable shape of `haozhi report --json` and of the API."""

from collections.abc import Mapping
from typing import Any

from haozhi.accounting.report import CreditReport
from haozhi.reports.credit_report import MOST_SUMMED, credit_report
from haozhi.times import whole_ms
from store import ledger, people, rights
from store.engine import Session
from store.records.ledger import Line, Period

#: Lines that are shown; the files of an export have them all.
MOST_LINES = 1000


def report_view(s: Session, who: str, period_id: int | None = None) -> dict[str, Any]:
    """The credit report of a holder with its names and its newest 1,000 lines, in booking order.

    `lines_left_out` counts the older ones. `statements` and `works` are null while the report has
    too many lines to sum. Times in whole ms. NotFound, Ambiguous as in `credit_report`.
    """
    report = credit_report(s, who, period_id)
    lines = ledger.newest_lines(s, f"holder:{report.holder_id}", report.period.id, MOST_LINES)
    return names_of(s, report) | {
        "period": _period_json(report.period),
        "status": report.status,
        **report.amounts(),
        "line_count": report.line_count,
        "lines": [_line_json(line) for line in lines],
        "lines_left_out": report.line_count - len(lines),
        **_totals_json(report),
    }


def names_of(s: Session, report: CreditReport) -> dict[str, dict[str, str | None]]:
    """Who the report is of; a name that is unknown or erased is None."""
    holder = rights.get_holders(s, [report.holder_id])[report.holder_id]
    author_id = report.author_id
    names: Mapping[str, str] = people.author_names(s, [author_id]) if author_id else {}
    return {
        "author": {"id": author_id, "name": names.get(author_id or "")},
        "holder": {"id": holder.id, "label": holder.label},
    }


def _totals_json(report: CreditReport) -> dict[str, Any]:
    if report.status == "provisional" and report.line_count > MOST_SUMMED:
        return {"statements": None, "works": None}
    return {
        "statements": [dict(vars(total)) for total in report.statements],
        "works": [dict(vars(total)) for total in report.works],
    }


def _period_json(period: Period) -> dict[str, Any]:
    return {
        "id": period.id,
        "state": period.state,
        "opened_ms": period.opened_us // 1000,
        "closed_ms": whole_ms(period.closed_us),
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
