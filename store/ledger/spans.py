"""Which transfers belong to a period, without reading them.

Along the chain entries count up and their times and periods never go back, and the id of a
transfer says its entry and its place there. So a period is a span of transfer ids, found by halving
the chain, and an account's lines of it are read from the account's index alone.
"""

from typing import Any

from sqlalchemy import and_, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.schema import EntryRow, TransferRow

#: So many ids are kept for the transfers of each entry.
MAX_TRANSFERS = 65_536

_PLACE = TransferRow.id - TransferRow.entry_seq * MAX_TRANSFERS
#: Of the transfers of one entry, grouped: numbered from 0 without gaps, and their ids say so too.
IS_NUMBERED = and_(
    func.min(TransferRow.position) == 0,
    func.max(TransferRow.position) == func.count() - 1,
    func.sum(func.abs(_PLACE - TransferRow.position)) == 0,
)


def period_span(s: Session, period_id: int) -> range:
    """The ids of the transfers of a period; empty when it has none."""
    first, after = (first_seq(s, EntryRow.period_id, each) for each in (period_id, period_id + 1))
    return range(first_id(first), first_id(after))


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


def first_id(seq: int) -> int:
    """The id of the first transfer of this entry; the others follow."""
    return seq * MAX_TRANSFERS
