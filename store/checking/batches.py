"""Reading a long table some rows at a time, on any database and without a cursor kept open."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute, Session

_BATCH = 500


def batches(
    s: Session, key: InstrumentedAttribute[Any], *conditions: ColumnElement[bool]
) -> Iterator[Sequence[Any]]:
    """The values of a unique key in ascending order, some at a time."""
    query = select(key).where(*conditions).order_by(key).limit(_BATCH)
    found = s.scalars(query).all()
    while found:
        yield found
        found = s.scalars(query.where(key > found[-1])).all()
