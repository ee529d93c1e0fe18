"""A cluster's priority survives withdrawal: whoever repeats a text does not gain when it goes."""

from collections.abc import Mapping

from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from store.resolution import authors_by_occurrence
from store.schema import OccurrenceRow, StatementRow, WorkRow
from store.statements.priority import credit_order


def copied_among(s: Session, occurrences: Mapping[int, int], at_us: int) -> frozenset[int]:
    """The statements whose cluster others said first and withdrew, given who is credited for them.

    `occurrences` maps statement ids to credited occurrence ids. First is the first occurrence that
    is not disputed, withdrawn or not, at this time. Where its author is unknown, is among those who
    are credited now, or has it in the same work (which was corrected), nobody gains.
    """
    asked = aliased(StatementRow)
    place = func.row_number().over(partition_by=asked.id, order_by=credit_order())
    gone = or_(StatementRow.withdrawn_us <= at_us, OccurrenceRow.withdrawn_us <= at_us)
    ranked = (
        select(asked.id, OccurrenceRow.id.label("first_id"), OccurrenceRow.work_id)
        .add_columns(case((gone, 1), else_=0).label("gone"), place.label("place"))
        .join(
            StatementRow,
            and_(StatementRow.cluster_id == asked.cluster_id, StatementRow.scope == asked.scope),
        )
        .join(OccurrenceRow, OccurrenceRow.statement_id == StatementRow.id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(asked.id.in_(occurrences), OccurrenceRow.disputed.is_(False))
        .where(OccurrenceRow.registered_us <= at_us)
        .subquery()
    )
    credited = aliased(OccurrenceRow)
    rows = s.execute(
        select(ranked.c.id, ranked.c.first_id)
        .join(credited, credited.id.in_(set(occurrences.values())))
        .where(credited.statement_id == ranked.c.id, credited.work_id != ranked.c.work_id)
        .where(ranked.c.place == 1, ranked.c.gone == 1)
    ).all()
    ids = {*(first for _, first in rows), *(occurrences[i] for i, _ in rows)}
    said = authors_by_occurrence(s, OccurrenceRow.id.in_(ids))
    return frozenset(
        i for i, first in rows if said[first] and said[first].isdisjoint(said[occurrences[i]])
    )
