"""The credit report of a holder: of a closed period as it was signed, of another as it stands."""

from haozhi.accounting.policy import Policy
from haozhi.accounting.report import CreditReport, parts_of, work_totals
from store import credit_reports, ledger, rights
from store.chain import canonical
from store.credit_reports import StoredReport
from store.engine import Session
from store.ledger.reasons import columns_of
from store.ledger.sums import statement_totals, young_ids, young_micro
from store.records.ledger import Period, StatementTotal
from store.rights import Holder

#: Lines of an open period whose statements are summed when its report is opened; a sum over more
#: keeps a reader waiting, and is made once, when the period closes.
MOST_SUMMED = 300_000
_DAY_US = 24 * 60 * 60 * 1_000_000


def credit_report(
    s: Session, who: str, period_id: int | None = None, *, most_summed: int = MOST_SUMMED
) -> CreditReport:
    """The credit report of an author (id or name) or another holder (id or label).

    By default of the open period. A closed period's is the stored one; another's is made from the
    totals, without reading lines, but for the sums by statement, which are left empty where there
    are more than `most_summed` lines.

    How closing is divided. When a period closes: *held* is what the lines of the policy's last
    `hold_days` earned, less what refunds, reversals and disputes have taken of those same lines
    since, at most all; the rest is *payable* if it reaches `payout_threshold_micro`, else
    *carried*. Money in a pending payout has left the account and is in none of them. Until the
    period is closed nothing new can be paid: payable and carried are what the last report said of
    them, less what payouts took since, as far as it is still there, and all else is held.

    NotFound: no such holder or period. Ambiguous: several holders have the name.
    """
    holder = rights.get_holder(s, who)
    period = ledger.open_period(s) if period_id is None else ledger.get_period(s, period_id)
    if period.state == "CLOSED":
        stored = credit_reports.find_report(s, period.id, holder.id)
        if stored:
            return report_as_signed(s, holder, period, stored)
    amounts, line_count = _amounts(s, holder, period)
    amounts |= _parts_so_far(s, holder, period, amounts)
    totals = statement_totals(s, _code(holder), period.id) if line_count <= most_summed else ()
    status = "final" if period.state == "CLOSED" else "provisional"
    return _report(s, holder, period, status, amounts, totals, line_count)


def closing_report(
    s: Session, holder: Holder, period: Period, policy: Policy, young: range
) -> CreditReport:
    """The report of a period that closes; `young` are the `young_transfers` of it."""
    amounts, line_count = _amounts(s, holder, period)
    micro = young_micro(s, _code(holder), young, _young_since(period, policy))
    amounts |= parts_of(amounts["closing_micro"], micro, policy.payout_threshold_micro)
    totals = statement_totals(s, _code(holder), period.id)
    return _report(s, holder, period, "final", amounts, totals, line_count)


def young_transfers(s: Session, period: Period, policy: Policy) -> range:
    """The ids of the transfers too young to be paid at the end of a period."""
    return young_ids(s, period.id, _young_since(period, policy))


def report_bytes(report: CreditReport) -> bytes:
    """What is hashed and signed of a report: RFC 8785, the same bytes for ever."""
    return canonical(report.to_body())


def report_as_signed(
    s: Session, holder: Holder, period: Period, stored: StoredReport
) -> CreditReport:
    """A stored report with its statements and, as of today, its status and titles of works."""
    totals = credit_reports.stored_statements(s, period.id, holder.id)
    amended = credit_reports.is_amended(s, period.id, holder.id)
    status = "amended" if amended else "final"
    return _report(s, holder, period, status, stored.amounts(), totals, stored.line_count)


def _report(
    s: Session,
    holder: Holder,
    period: Period,
    status: str,
    amounts: dict[str, int],
    totals: tuple[StatementTotal, ...],
    line_count: int,
) -> CreditReport:
    titles = credit_reports.work_titles(s, {t.work_id for t in totals if t.work_id})
    return CreditReport(
        holder_id=holder.id,
        author_id=holder.author_id,
        period=period,
        status=status,
        statements=totals,
        works=work_totals(totals, titles),
        line_count=line_count,
        **amounts,
    )


def _amounts(s: Session, holder: Holder, period: Period) -> tuple[dict[str, int], int]:
    """Opening, every column and closing, and the number of lines, all from the totals."""
    totals = ledger.totals_by_reason(s, _code(holder), period.id)
    amounts = {f"{column}_micro": micro for column, micro in columns_of(totals).items()}
    amounts["opening_micro"] = ledger.balance(s, _code(holder), before_period=period.id)
    amounts["closing_micro"] = ledger.balance(s, _code(holder), before_period=period.id + 1)
    return amounts, sum(count for *_, count in totals.values())


def _parts_so_far(
    s: Session, holder: Holder, period: Period, amounts: dict[str, int]
) -> dict[str, int]:
    closing_micro = amounts["closing_micro"]
    last = credit_reports.newest_report(s, holder.id, before_period=period.id)
    payable = carried = 0
    if last:
        taken = sum(_paid_micro(s, holder, p) for p in range(last.period_id + 1, period.id + 1))
        payable = min(max(last.payable_micro - taken, 0), closing_micro)
        carried = min(last.carried_micro, closing_micro - payable)
    held = closing_micro - payable - carried
    return {"payable_micro": payable, "carried_micro": carried, "held_micro": held}


def _paid_micro(s: Session, holder: Holder, period_id: int) -> int:
    """What payouts took of an account in a period, with what was withheld."""
    columns = columns_of(ledger.totals_by_reason(s, _code(holder), period_id))
    return columns["paid"] + columns["deductions"]


def _young_since(period: Period, policy: Policy) -> int:
    assert period.closed_us is not None, f"period {period.id} has no end"
    return period.closed_us - policy.hold_days * _DAY_US


def _code(holder: Holder) -> str:
    return f"holder:{holder.id}"
