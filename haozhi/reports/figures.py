"""The charts of a credit report, with what they need of the periods before it."""

from collections import Counter

from haozhi.accounting.report import CreditReport
from haozhi.language import Language
from haozhi.reports.charts import Figure, earned_chart, shares_chart, waterfall_chart
from haozhi.reports.charts.shares import earned_shares
from haozhi.reports.credit_report import credit_report
from store import ledger
from store.engine import Session

#: Periods that the chart of earnings goes back.
_CHARTED = 12


def report_figures(s: Session, report: CreditReport, language: Language) -> tuple[Figure, ...]:
    """Earned by period and work, shares of the answers, from opening to closing."""
    lines = ledger.lines(s, f"holder:{report.holder_id}", report.period.id)
    return (
        earned_chart(earned_by_period(s, report), language),
        shares_chart(earned_shares(lines), language),
        waterfall_chart(report, language),
    )


def earned_by_period(s: Session, report: CreditReport) -> list[tuple[int, dict[str, int]]]:
    """What each title earned in the report's period and those before, in micro-credits."""
    last = report.period.id
    earlier = (
        credit_report(s, report.holder_id, period_id)
        for period_id in range(max(1, last - _CHARTED + 1), last)
    )
    return [(each.period.id, _by_title(each)) for each in (*earlier, report)]


def _by_title(report: CreditReport) -> dict[str, int]:
    amounts = Counter[str]()
    for work in report.works:
        amounts[work.title] += work.amount_micro
    return dict(amounts)
