"""Differences that plain queries find: numbering, accounts, payees, rows that point nowhere."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, exists, func, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.records import Difference
from store.schema import (
    AccountRow,
    Base,
    CitationRow,
    ContextRow,
    EntryRow,
    OccurrenceRow,
    PairRow,
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


def positions(s: Session) -> Iterator[Difference]:
    """The transfers of an entry are numbered from 0 without gaps."""
    first, last = func.min(TransferRow.position), func.max(TransferRow.position)
    gaps = select(TransferRow.entry_seq).group_by(TransferRow.entry_seq)
    for seq in s.scalars(gaps.having((first != 0) | (last != func.count() - 1))):
        yield Difference("position_differs", f"entry {seq}", "its transfers are numbered wrongly")


def accounts(s: Session) -> Iterator[Difference]:
    """Accounts are what their code says, and none with a floor is below zero."""
    moved = union_all(
        select(TransferRow.credit_account_id.label("account_id"), TransferRow.amount_micro),
        select(TransferRow.debit_account_id, -TransferRow.amount_micro),
    ).subquery()
    total = func.coalesce(func.sum(moved.c.amount_micro), 0)
    query = select(AccountRow, total).outerjoin(moved, moved.c.account_id == AccountRow.id)
    for row, balance_micro in s.execute(query.group_by(AccountRow.id).order_by(AccountRow.id)):
        kind, _, name = row.code.partition(":")
        holder_id = name if kind == "holder" else None
        if (row.kind, row.has_floor, row.holder_id) != (kind, kind != "asker", holder_id):
            yield Difference("account_differs", row.code, "kind, floor or holder contradict it")
        if kind != "asker" and balance_micro < 0:
            yield Difference("below_floor", row.code, f"its balance is {balance_micro}")


def payees(s: Session) -> Iterator[Difference]:
    """What is paid as an author's share is in the account of that author."""
    paid = (
        select(EntryRow.key, TransferRow.author_id, AccountRow.code)
        .join(TransferRow, TransferRow.entry_seq == EntryRow.seq)
        .join(AccountRow, AccountRow.id == TransferRow.credit_account_id)
        .outerjoin(RightsHolderRow, RightsHolderRow.id == AccountRow.holder_id)
        .where(TransferRow.reason == "share")
        .where(RightsHolderRow.author_id.is_distinct_from(TransferRow.author_id))
    )
    for key, author_id, code in s.execute(paid.order_by(EntryRow.seq, TransferRow.position)):
        yield Difference("payee_differs", key, f"{code} is not the account of author {author_id}")


def references(s: Session) -> Iterator[Difference]:
    """Whatever a row names is there; a foreign key can have been switched off."""
    keys = [key for table in Base.metadata.sorted_tables for key in table.foreign_keys]
    hard = [(key.parent, key.column) for key in keys]
    soft = [(column.expression, target.expression) for column, target in _SOFT_REFERENCES]
    for column, target in (*hard, *soft):
        yield from _dangling(s, column, target)


def _dangling(
    s: Session, column: ColumnElement[Any], target: ColumnElement[Any]
) -> Iterator[Difference]:
    there = exists().where(target == column)
    for value in s.scalars(select(column).where(column.is_not(None), ~there).distinct()):
        yield Difference("dangling", str(column), f"there is no {target} {value}")
