"""Who is credited for what several people said: the first, by a date that somebody vouches for.

Occurrences are ordered by how well their date is known, then by the date, then by registration:

1. `registry` and `isbn_doi`: somebody else recorded when the work appeared. Among these the
   earliest date comes first, so that whoever registers a copy later gains nothing.
2. `signed`: the author vouches for the date, and could have written an earlier one.
3. `metadata`: the file says so.
4. A date that is merely claimed. However early it is, it stands behind evidence.
5. No known date.

Evidence speaks of the whole work as it was when the evidence was recorded, not of what later
versions add: an earlier date of a line inside it is only claimed, and a later one is believed. A
vague date counts from its last day (1999 after 1999-12-31), so that leaving out the day moves
nobody ahead. Registration, the order of import, only breaks ties. What is disputed comes after what
is not, and what may not be used now after everything.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, case, func, not_, or_, select
from sqlalchemy.orm import Session

from store.permission import is_permitted
from store.schema import OccurrenceRow, StatementRow, WorkRow
from store.statements.visibility import is_standing

#: Kinds of evidence for a work's date; of equal strength are those that share a number.
STRENGTH = {"registry": 0, "isbn_doi": 0, "signed": 1, "metadata": 2}
_SIGNED, _CLAIMED, _UNKNOWN = 1, 3, 4


def credit_order() -> tuple[SQLColumnExpression[Any], ...]:
    """What an OccurrenceRow joined to its WorkRow is sorted by: the credited one comes first.

    Where there are occurrences that may not be used, `not_(is_permitted(at_us))` stands before it.
    """
    work_day, own_day = _last_day(WorkRow.published_on), _last_day(OccurrenceRow.published_on)
    later = case((own_day > work_day, own_day), else_=work_day)
    return (
        OccurrenceRow.disputed,
        case(
            *((_evidence_is(kind), strength) for kind, strength in STRENGTH.items()),
            (OccurrenceRow.published_on.is_not(None), _CLAIMED),
            else_=_UNKNOWN,
        ),
        case(*((_evidence_is(kind), later) for kind in STRENGTH), else_=own_day),
        OccurrenceRow.registered_us,
        OccurrenceRow.id,
    )


def is_verified() -> ColumnElement[bool]:
    """The condition that an occurrence's date is on record elsewhere or signed by its author."""
    return or_(*(_evidence_is(k) for k, strength in STRENGTH.items() if strength <= _SIGNED))


def representatives(s: Session, ids: Collection[int], at_us: int) -> dict[int, int]:
    """By statement: the one of its cluster and scope that has the first occurrence of all.

    Only what may be retrieved at this time represents; a statement whose cluster has nothing to
    show is left out. Two queries.
    """
    cluster = (StatementRow.cluster_id, StatementRow.scope)
    asked = s.execute(select(StatementRow.id, *cluster).where(StatementRow.id.in_(ids))).all()
    place = func.row_number().over(partition_by=cluster, order_by=credit_order())
    ranked = (
        select(StatementRow.id, *cluster, place.label("place"))
        .join(OccurrenceRow, OccurrenceRow.statement_id == StatementRow.id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(StatementRow.cluster_id.in_({cluster_id for _, cluster_id, _ in asked}))
        .where(is_standing(), OccurrenceRow.withdrawn_us.is_(None), is_permitted(at_us))
        .subquery()
    )
    rows = s.execute(select(ranked).where(ranked.c.place == 1))
    first = {(cluster_id, scope): row_id for row_id, cluster_id, scope, _ in rows}
    return {
        statement_id: first[cluster_id, scope]
        for statement_id, cluster_id, scope in asked
        if (cluster_id, scope) in first
    }


def first_dated(s: Session, ids: Collection[int], at_us: int) -> int | None:
    """The statement that was first among these; None when no date of any is known."""
    dated = or_(OccurrenceRow.published_on.is_not(None), *map(_evidence_is, STRENGTH))
    return s.scalar(
        select(OccurrenceRow.statement_id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(OccurrenceRow.statement_id.in_(ids), OccurrenceRow.withdrawn_us.is_(None), dated)
        .order_by(not_(is_permitted(at_us)), *credit_order())
        .limit(1)
    )


def _evidence_is(kind: str) -> ColumnElement[bool]:
    """A kind of evidence counts where there is a date, and for what stood there by then."""
    then = or_(WorkRow.evidence_us.is_(None), OccurrenceRow.registered_us <= WorkRow.evidence_us)
    return and_(WorkRow.publication_evidence == kind, WorkRow.published_on.is_not(None), then)


def _last_day(date: SQLColumnExpression[str | None]) -> ColumnElement[str]:
    """`1999` as `1999-99-99` and `1999-05` as `1999-05-99`; null stays null."""
    return func.substr(date + "-99-99", 1, 10)
