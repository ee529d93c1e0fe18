"""The credit reports that were signed, against the totals and lines of the ledger."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.credit_reports import due_holders
from store.ledger.reasons import COLUMNS, columns_of
from store.ledger.totals import total_micro, totals_by_reason
from store.records.ledger import Difference
from store.schema import AccountRow, CreditReportRow, PeriodRow


def report_differences(s: Session) -> Iterator[Difference]:
    """Each report says what its period's totals say, its parts are its closing, and none lacks."""
    for period_id in s.scalars(select(PeriodRow.id).where(PeriodRow.state == "CLOSED")).all():
        for holder_id in due_holders(s, period_id):
            subject = f"{holder_id}, period {period_id}"
            yield Difference("report_differs", subject, "it is due and was never written")
    query = select(CreditReportRow).order_by(CreditReportRow.period_id, CreditReportRow.holder_id)
    for row in s.scalars(query.execution_options(yield_per=500)):
        subject = f"{row.holder_id}, period {row.period_id}"
        for name, micro in _expected(s, row.holder_id, row.period_id).items():
            if (stated := getattr(row, name)) != micro:
                yield Difference("report_differs", subject, f"{name} is {stated}, not {micro}")
        parts = (row.payable_micro, row.carried_micro, row.held_micro)
        if min(parts) < 0 or sum(parts) != row.closing_micro:
            yield Difference("report_differs", subject, "its parts are not its closing")


def _expected(s: Session, holder_id: str, period_id: int) -> dict[str, int]:
    """What the ledger says of every column that it decides."""
    code = f"holder:{holder_id}"
    totals = totals_by_reason(s, code, period_id)
    columns = columns_of(totals)
    account_id = s.scalar(select(AccountRow.id).where(AccountRow.code == code)) or 0
    opening_micro = total_micro(s, account_id, before_period=period_id)
    closing_micro = opening_micro + sum(sign * columns[name] for name, sign in COLUMNS.items())
    expected = {f"{name}_micro": micro for name, micro in columns.items()}
    return expected | {
        "opening_micro": opening_micro,
        "closing_micro": closing_micro,
        "line_count": sum(count for *_, count in totals.values()),
    }
