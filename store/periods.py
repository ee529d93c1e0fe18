"""Periods: OPEN -> CLOSING -> CLOSED, exactly one open at any time."""

from dataclasses import replace

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from store.acts import record
from store.ledger.reading import load_periods, open_period
from store.records.ledger import Period
from store.schema import EntryRow, PeriodRow


def list_periods(s: Session) -> tuple[Period, ...]:
    """All periods, oldest first."""
    return load_periods(s)


def closing_period(s: Session) -> Period | None:
    """The period whose closing has begun and is not finished, None when there is none."""
    return next(iter(load_periods(s, PeriodRow.state == "CLOSING")), None)


def end_us(s: Session, period: Period) -> int | None:
    """When a period stopped taking entries, which is when the next began; None while it is open."""
    after = select(func.min(PeriodRow.opened_us)).where(PeriodRow.id > period.id)
    return period.closed_us if period.closed_us is not None else s.scalar(after)


def has_entries(s: Session, period_id: int) -> bool:
    """Whether anything was booked in a period."""
    return (
        s.scalar(select(EntryRow.seq).where(EntryRow.period_id == period_id).limit(1)) is not None
    )


def begin_closing(s: Session, *, by: str, now_us: int) -> Period:
    """Take the open period out of use and open the next, which all later entries go to.

    The border is after the last entry, whatever the clock says.
    """
    period = open_period(s)
    last_us = s.scalar(select(func.max(EntryRow.created_us))) or 0
    border_us = max(now_us, last_us + 1, period.opened_us + 1)
    closing = update(PeriodRow).where(PeriodRow.id == period.id)
    s.execute(closing.values(state="CLOSING", closed_by=by))
    s.execute(insert(PeriodRow), [{"id": period.id + 1, "state": "OPEN", "opened_us": border_us}])
    return replace(period, state="CLOSING", closed_by=by)


def finish_closing(s: Session, period: Period) -> None:
    """Close a period for good; its end is when the next one began."""
    closed = update(PeriodRow).where(PeriodRow.id == period.id, PeriodRow.state == "CLOSING")
    s.execute(closed.values(state="CLOSED", closed_us=end_us(s, period)))
    record(s, PeriodRow, [(period.id,)])
