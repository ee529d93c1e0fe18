"""The setting of a statement where it was first said: title, headings, what comes before."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select, true
from sqlalchemy.orm import Session

from store.schema import OccurrenceRow, StatementRow, WorkRow
from store.statements.visibility import is_visible

MOST_BEFORE = 2
"""Statements that count as coming before."""


@dataclass(frozen=True)
class Setting:
    """The title of a work, the headings of a place in it, the highest first, and the texts of what
    stands just before it under them, in order.
    """

    title: str
    headings: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def settings_of(s: Session, ids: Collection[int], at_us: int | None = None) -> dict[int, Setting]:
    """The settings of these statements; one that stands nowhere is left out.

    With a time, what comes before is there only if it may be retrieved then.
    """
    rows = s.execute(
        select(OccurrenceRow, WorkRow.title)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(OccurrenceRow.statement_id.in_(ids), OccurrenceRow.withdrawn_us.is_(None))
        .order_by(OccurrenceRow.id.desc())
    )
    first = {row.statement_id: (row, title) for row, title in rows}
    usable = true() if at_us is None else is_visible(at_us)
    return {
        i: Setting(title, tuple(filter(None, row.headings.split("\n"))), _before(s, row, usable))
        for i, (row, title) in first.items()
    }


def _before(s: Session, row: OccurrenceRow, usable: ColumnElement[bool]) -> tuple[str, ...]:
    texts = s.scalars(
        select(StatementRow.text)
        .join(OccurrenceRow, OccurrenceRow.statement_id == StatementRow.id)
        .where(OccurrenceRow.work_id == row.work_id, OccurrenceRow.version == row.version)
        .where(OccurrenceRow.start < row.start, OccurrenceRow.headings == row.headings)
        .where(OccurrenceRow.withdrawn_us.is_(None), StatementRow.withdrawn_us.is_(None))
        .where(StatementRow.text.is_not(None), usable)
        .order_by(OccurrenceRow.start.desc())
        .limit(MOST_BEFORE)
    )
    return tuple(text for text in texts if text)[::-1]
