"""Differences that plain queries find: numbering, accounts, totals, rows that point nowhere."""

from collections.abc import Iterator
from typing import Any, cast

from sqlalchemy import Column, exists, func, literal, or_, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.ledger.posting import WITHOUT_FLOOR
from store.ledger.reasons import IN, OUT
from store.ledger.spans import IS_NUMBERED
from store.records.ledger import Difference
from store.schema import (
    AccountRow,
    AccountTotalRow,
    Base,
    CitationRow,
    ContextRow,
    EntryRow,
    OccurrenceRow,
    PairRow,
    PeriodRow,
    RightsHolderRow,
    StatementRow,
    SupportMemberRow,
    TransferRow,
)

#: References that no foreign key guards, because rows may outlive what they name.
_SOFT_REFERENCES: tuple[tuple[InstrumentedAttribute[Any], InstrumentedAttribute[Any]], ...] = (
    (TransferRow.statement_id, StatementRow.id),
    (ContextRow.statement_id, StatementRow.id),
    (ContextRow.occurrence_id, OccurrenceRow.id),
    (PairRow.statement_id, StatementRow.id),
    (CitationRow.statement_id, StatementRow.id),
    (SupportMemberRow.statement_id, StatementRow.id),
)

#: The accounts that come with the ledger.
_FIRST_ACCOUNTS = ("asker:local", "reserve:disputed", "reserve:unattributed", "reserve:unclaimed")


def position_differences(s: Session) -> Iterator[Difference]:
    """The transfers of an entry are numbered from 0 without gaps, and their ids say so too."""
    gaps = select(TransferRow.entry_seq).group_by(TransferRow.entry_seq)
    for seq in s.scalars(gaps.having(~IS_NUMBERED)):
        yield Difference("position_differs", f"entry {seq}", "its transfers are numbered wrongly")


def account_differences(s: Session) -> Iterator[Difference]:
    """Accounts are what their code says; every holder, and what the ledger came with, has one."""
    accounts = select(AccountRow.code)
    holders = set(s.scalars(select(literal("holder:") + RightsHolderRow.id)))
    for code in sorted({*_FIRST_ACCOUNTS, *holders} - set(s.scalars(accounts))):
        yield Difference("account_differs", code, "it is not there")
    query = select(AccountRow).order_by(AccountRow.id).execution_options(yield_per=1000)
    for row in s.scalars(query):
        kind, _, name = row.code.partition(":")
        holder_id = name if kind == "holder" else None
        floor = kind not in WITHOUT_FLOOR
        if (row.kind, row.has_floor, row.holder_id) != (kind, floor, holder_id):
            yield Difference("account_differs", row.code, "kind, floor or holder contradict it")


def total_differences(s: Session) -> Iterator[Difference]:
    """The totals of an account, period and reason are the sums of its transfers."""
    period_id, reason, micro = EntryRow.period_id, TransferRow.reason, TransferRow.amount_micro
    zero, one = literal(0), literal(1)
    sides = (
        (TransferRow.credit_account_id, micro, zero),
        (TransferRow.debit_account_id, zero, micro),
    )
    moved = [
        select(
            account_id.label("account_id"),
            period_id.label("period_id"),
            reason.label("reason"),
            came.label("came"),
            went.label("went"),
            one.label("lines"),
        ).join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        for account_id, came, went in sides
    ]
    total = AccountTotalRow
    stated = select(
        total.account_id,
        total.period_id,
        total.reason,
        -total.in_micro,
        -total.out_micro,
        -total.line_count,
    )
    rows = union_all(*moved, stated).subquery()
    key = (rows.c.account_id, rows.c.period_id, rows.c.reason)
    sums = [func.sum(rows.c[name]) for name in ("came", "went", "lines")]
    query = select(*key, *sums).group_by(*key).having(or_(*(each != 0 for each in sums)))
    for account_id, period, reason_text, *off in s.execute(query):
        subject = f"account {account_id}, period {period}, {reason_text}"
        message = f"the transfers have {off[0]} in, {off[1]} out and {off[2]} lines more"
        yield Difference("totals_differ", subject, message)


def reason_differences(s: Session) -> Iterator[Difference]:
    """Every line of a holder's account has a reason that its credit report has a column for."""
    total = AccountTotalRow
    unknown = (total.in_micro > 0) & total.reason.not_in(IN)
    unknown |= (total.out_micro > 0) & total.reason.not_in(OUT)
    query = select(AccountRow.code, total.reason).join(total, total.account_id == AccountRow.id)
    for code, reason in s.execute(query.where(AccountRow.kind == "holder", unknown)):
        yield Difference("reason_unknown", code, f"no column of a report is for {reason!r}")


def time_differences(s: Session) -> Iterator[Difference]:
    """No entry is later than the period that it is in: the next one begins after its last."""
    late = select(EntryRow.key).join(PeriodRow, PeriodRow.id == EntryRow.period_id + 1)
    for key in s.scalars(late.where(EntryRow.created_us >= PeriodRow.opened_us)):
        yield Difference("time_differs", key, "it is later than its period")


def payee_differences(s: Session) -> Iterator[Difference]:
    """What is paid as an author's share, or to the winner of a dispute, is in the account of the
    author that the line names.
    """
    paid = (
        select(EntryRow.key, TransferRow.author_id, AccountRow.code)
        .join(TransferRow, TransferRow.entry_seq == EntryRow.seq)
        .join(AccountRow, AccountRow.id == TransferRow.credit_account_id)
        .outerjoin(RightsHolderRow, RightsHolderRow.id == AccountRow.holder_id)
        .where(TransferRow.reason.in_(("share", "dispute_on")))
        .where(RightsHolderRow.author_id.is_distinct_from(TransferRow.author_id))
    )
    for key, author_id, code in s.execute(paid.order_by(EntryRow.seq, TransferRow.position)):
        yield Difference("payee_differs", key, f"{code} is not the account of author {author_id}")


def reference_differences(s: Session) -> Iterator[Difference]:
    """Whatever a row names is there; a foreign key can have been switched off."""
    keys = [key for table in Base.metadata.sorted_tables for key in table.foreign_keys]
    pairs: list[tuple[Column[Any], Column[Any]]] = [(key.parent, key.column) for key in keys]
    pairs += [(_column(named), _column(target)) for named, target in _SOFT_REFERENCES]
    for column, target in pairs:
        yield from _dangling(s, column, target)


def _column(attribute: InstrumentedAttribute[Any]) -> Column[Any]:
    return cast("Column[Any]", attribute.expression)


def _dangling(s: Session, column: Column[Any], target: Column[Any]) -> Iterator[Difference]:
    named = target.table.alias()  # an entry may name another row of its own table
    there = exists().where(named.c[target.name] == column)
    for value in s.scalars(select(column).where(column.is_not(None), ~there).distinct()):
        yield Difference("dangling", str(column), f"there is no {target} {value}")
