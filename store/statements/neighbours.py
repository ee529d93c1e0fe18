"""What stands around a statement in its work."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.records.corpus import Occurrence, Statement
from store.schema import OccurrenceRow, StatementRow
from store.statements.reading import get_statements
from store.statements.visibility import is_visible


def neighbours(
    s: Session, occurrence: Occurrence, count: int
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Up to `count` statements before and after it in its work, both as they stand there.

    What is withdrawn or may not be used now is left out.
    """
    at_us = now_us()
    standing = (
        select(OccurrenceRow.statement_id)
        .join(StatementRow, StatementRow.id == OccurrenceRow.statement_id)
        .where(OccurrenceRow.work_id == occurrence.work_id, OccurrenceRow.withdrawn_us.is_(None))
        .where(is_visible(at_us))
        .limit(count)
    )
    before = s.scalars(
        standing.where(OccurrenceRow.start < occurrence.start).order_by(OccurrenceRow.start.desc())
    ).all()
    after = s.scalars(
        standing.where(OccurrenceRow.start > occurrence.start).order_by(OccurrenceRow.start)
    ).all()
    return get_statements(s, before[::-1], at_us), get_statements(s, after, at_us)
