"""Credit reports of closed periods as they were signed, and who is due one."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Row, func, insert, or_, select
from sqlalchemy.orm import Session, aliased

from store.records.ledger import ReportAmounts, StatementTotal
from store.schema import (
    AccountRow,
    AccountTotalRow,
    CreditReportRow,
    CreditReportStatementRow,
    EntryRow,
    TransferRow,
    WorkRow,
)


@dataclass(frozen=True, kw_only=True)
class StoredReport(ReportAmounts):
    """A credit report as it was signed; its hashes are in hex."""

    period_id: int
    holder_id: str
    line_count: int
    lines_sha256: str
    report_sha256: str
    salt: str
    leaf_hash: str


_REPORT = select(*(getattr(CreditReportRow, field.name) for field in fields(StoredReport)))


def find_report(s: Session, period_id: int, holder_id: str) -> StoredReport | None:
    """A holder's report of a period, None when it was not written (yet)."""
    query = _REPORT.where(CreditReportRow.period_id == period_id)
    return _report(s.execute(query.where(CreditReportRow.holder_id == holder_id)).first())


def newest_report(s: Session, holder_id: str, *, before_period: int) -> StoredReport | None:
    """A holder's last report of a period before this one."""
    query = _REPORT.where(CreditReportRow.holder_id == holder_id)
    query = query.where(CreditReportRow.period_id < before_period)
    return _report(s.execute(query.order_by(CreditReportRow.period_id.desc()).limit(1)).first())


def stored_statements(s: Session, period_id: int, holder_id: str) -> tuple[StatementTotal, ...]:
    """The statements of a stored report, the largest first, then by id."""
    row = CreditReportStatementRow
    query = select(row.statement_id, row.work_id, row.amount_micro, row.line_count)
    query = query.where(row.period_id == period_id, row.holder_id == holder_id)
    query = query.order_by(row.amount_micro.desc(), row.statement_id)
    return tuple(StatementTotal(*each) for each in s.execute(query))


def add_report(s: Session, report: StoredReport, statements: Iterable[StatementTotal]) -> None:
    """Store a holder's report of a period, unless it is there: the first one stays."""
    if find_report(s, report.period_id, report.holder_id):
        return
    s.execute(insert(CreditReportRow), [dict(vars(report))])
    owner = {"period_id": report.period_id, "holder_id": report.holder_id}
    if rows := [vars(total) | owner for total in statements]:
        s.execute(insert(CreditReportStatementRow), rows)


def due_holders(s: Session, period_id: int) -> tuple[str, ...]:
    """Holders who are due a report of a period and have none, by id.

    Due is who has a line in the period, or money at its end.
    """
    written = select(CreditReportRow.holder_id).where(CreditReportRow.period_id == period_id)
    query = (
        select(AccountRow.holder_id)
        .join(AccountTotalRow, AccountTotalRow.account_id == AccountRow.id)
        .where(AccountRow.kind == "holder", AccountTotalRow.period_id <= period_id)
        .where(AccountRow.holder_id.not_in(written))
        .group_by(AccountRow.holder_id)
        .having(
            or_(
                func.max(AccountTotalRow.period_id) == period_id,
                func.sum(AccountTotalRow.in_micro - AccountTotalRow.out_micro) != 0,
            )
        )
        .order_by(AccountRow.holder_id)
    )
    return tuple(str(holder_id) for holder_id in s.scalars(query))


def report_leaves(s: Session, period_id: int) -> tuple[tuple[str, bytes], ...]:
    """(holder id, leaf) of every report of a period, in the order that is signed: by holder id."""
    query = select(CreditReportRow.holder_id, CreditReportRow.leaf_hash)
    rows = s.execute(query.where(CreditReportRow.period_id == period_id)).all()
    # Sorted here: databases order text by locale.
    return tuple((holder_id, bytes.fromhex(leaf)) for holder_id, leaf in sorted(map(tuple, rows)))


def is_amended(s: Session, period_id: int, holder_id: str) -> bool:
    """Whether a later entry takes back a line of a holder's report."""
    changed, codes = aliased(EntryRow), (f"holder:{holder_id}", f"owed:{holder_id}")
    query = (
        select(TransferRow.id)
        .join(AccountRow, AccountRow.id == TransferRow.debit_account_id)
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .join(changed, changed.key == func.coalesce(EntryRow.corrects, EntryRow.reverses))
        .where(AccountRow.code.in_(codes))
        .where(changed.period_id == period_id, EntryRow.period_id > period_id)
    )
    return s.scalar(query.limit(1)) is not None


def work_titles(s: Session, work_ids: Iterable[str]) -> dict[str, str]:
    """The titles of these works by id."""
    query = select(WorkRow.id, WorkRow.title).where(WorkRow.id.in_(set(work_ids)))
    return dict(s.execute(query).all())


def _report(row: Row[Any] | None) -> StoredReport | None:
    return None if row is None else StoredReport(**row._mapping)
