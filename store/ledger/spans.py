"""Which transfers belong to a period, without reading them.

Along the chain entries count up and their times and periods never go back, and transfers are
numbered as they are booked, by one writer at a time. So a period is a span of transfer ids, which
is found by halving and lets an account's lines be read from its index alone.
"""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.schema import EntryRow, TransferRow


def period_span(s: Session, period_id: int) -> range:
    """The ids of the transfers of a period; empty when it has none."""
    first, after = first_seq(s, EntryRow.period_id, period_id), period_id + 1
    return range(first_id(s, first), first_id(s, first_seq(s, EntryRow.period_id, after)))


def first_seq(s: Session, column: InstrumentedAttribute[Any], least: int) -> int:
    """The first entry whose `column`, which ascends along the chain, is `least` or more.

    One past the last entry when there is none.
    """
    low, high = 1, (s.scalar(select(func.max(EntryRow.seq))) or 0) + 1
    while low < high:
        middle = (low + high) // 2
        value = s.scalar(
            select(column).where(EntryRow.seq >= middle).order_by(EntryRow.seq).limit(1)
        )
        if value is not None and value >= least:
            high = middle
        else:
            low = middle + 1
    return low


def first_id(s: Session, seq: int) -> int:
    """The id of the first transfer of this entry or of those after; one past the last of all."""
    found = s.scalar(select(func.min(TransferRow.id)).where(TransferRow.entry_seq == seq))
    return found or (s.scalar(select(func.max(TransferRow.id))) or 0) + 1
