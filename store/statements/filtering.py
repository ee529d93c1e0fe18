"""Limits of a search: whose statements, from which works, from when, in which language."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, aliased

from store.resolution import said_by
from store.schema import OccurrenceRow, OccurrenceShareRow, StatementRow, WorkRow
from store.statements.visibility import is_visible


@dataclass(frozen=True)
class Filters:
    """What a statement must be; None leaves it open.

    Author, work, dates and licence must hold of one place where it stands. Dates are ISO (YYYY,
    YYYY-MM or YYYY-MM-DD) and inclusive: a vague one, here or there, meets every day that it may
    mean, an unknown one meets none. The licence is compared as it is stored, in any case.
    """

    author_id: str | None = None
    work_id: str | None = None
    published_from: str | None = None
    published_to: str | None = None
    language: str | None = None
    licence: str | None = None


def is_wanted(s: Session, filters: Filters, at_us: int) -> ColumnElement[bool]:
    """The condition that a StatementRow may be retrieved at a time and is what is asked for."""
    wanted = is_visible(at_us, *_of_place(s, filters))
    return wanted & (StatementRow.language == filters.language) if filters.language else wanted


def wanted_ids(
    s: Session, filters: Filters, at_us: int, *also: ColumnElement[bool]
) -> NDArray[np.int64]:
    """The ids of the statements that may be retrieved and meet the filters, ascending.

    `also` are further conditions on the StatementRow.
    """
    query = select(StatementRow.id).where(is_wanted(s, filters, at_us), *also)
    return np.array(s.scalars(query.order_by(StatementRow.id)).all(), dtype=np.int64)


def _of_place(s: Session, filters: Filters) -> Iterator[ColumnElement[bool]]:
    """The conditions on an OccurrenceRow."""
    if filters.author_id is not None:
        share, place = OccurrenceShareRow, aliased(OccurrenceRow)
        theirs = select(share.occurrence_id).join(place, place.id == share.occurrence_id)
        said = said_by(s, filters.author_id, share.author_id, place.work_id)
        yield OccurrenceRow.id.in_(theirs.where(said))
    if filters.work_id is not None:
        yield OccurrenceRow.work_id == filters.work_id
    work = select(WorkRow.id).where(WorkRow.id == OccurrenceRow.work_id).correlate(OccurrenceRow)
    if filters.licence is not None:
        yield work.where(func.lower(WorkRow.licence) == filters.licence.lower()).exists()
    date = func.coalesce(OccurrenceRow.published_on, WorkRow.published_on)
    if filters.published_from is not None:
        first = f"{filters.published_from}-00-00"[:10]
        yield work.where(func.substr(date + "-99-99", 1, 10) >= first).exists()
    if filters.published_to is not None:
        last = f"{filters.published_to}-99-99"[:10]
        yield work.where(func.substr(date + "-00-00", 1, 10) <= last).exists()
