"""Totals: what moved in each account, by period and reason.

A cache that posting keeps in the same transaction, so that a balance or a credit report costs the
same after a million lines as after ten. `ledger check` recomputes it from the transfers.
"""

from collections.abc import Mapping
from functools import cache

from sqlalchemy import Connection, Executable, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from store.records.ledger import Entry
from store.schema import AccountRow, AccountTotalRow

_KEY = ("account_id", "period_id", "reason")
_TOTALS: Table = AccountTotalRow.__table__  # type: ignore[assignment]  # Declarative says FromClause
_SUMS = ("in_micro", "out_micro", "line_count")


def add_to_totals(connection: Connection, entry: Entry, account_ids: Mapping[str, int]) -> None:
    """Count a new entry's transfers; `account_ids` has the accounts by code."""
    sums: dict[tuple[int, str], list[int]] = {}
    for transfer in entry.transfers:
        for code, side in ((transfer.credit, 0), (transfer.debit, 1)):
            total = sums.setdefault((account_ids[code], transfer.reason), [0, 0, 0])
            total[side] += transfer.amount_micro
            total[2] += 1
    rows = [
        {"account_id": account_id, "period_id": entry.period_id, "reason": reason}
        | dict(zip(_SUMS, total, strict=True))
        for (account_id, reason), total in sums.items()
    ]
    connection.execute(_add(connection.dialect.name), rows)


@cache
def _add(dialect: str) -> Executable:
    """The statement that adds a row to the one of the same key, or inserts it."""
    new = sqlite.insert(_TOTALS) if dialect == "sqlite" else postgresql.insert(_TOTALS)
    added = {name: _TOTALS.c[name] + new.excluded[name] for name in _SUMS}
    return new.on_conflict_do_update(index_elements=_KEY, set_=added)


def total_micro(s: Session, account_id: int, *, before_period: int | None = None) -> int:
    """What is in an account after all periods, or after those before one."""
    moved = select(func.sum(AccountTotalRow.in_micro - AccountTotalRow.out_micro))
    moved = moved.where(AccountTotalRow.account_id == account_id)
    if before_period is not None:
        moved = moved.where(AccountTotalRow.period_id < before_period)
    return int(s.scalar(moved) or 0)


def totals_by_reason(s: Session, code: str, period_id: int) -> dict[str, tuple[int, int, int]]:
    """An account's (in, out, number of lines) of a period by reason; empty for no account."""
    query = (
        select(AccountTotalRow.reason, *(getattr(AccountTotalRow, name) for name in _SUMS))
        .join(AccountRow, AccountRow.id == AccountTotalRow.account_id)
        .where(AccountRow.code == code, AccountTotalRow.period_id == period_id)
    )
    return {reason: tuple(sums) for reason, *sums in s.execute(query)}
