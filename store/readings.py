"""Text recognised in pictures: what is in doubt waits until somebody has looked at the page."""

from sqlalchemy import ColumnElement, and_, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.records.corpus import SURE_PPM
from store.schema import OccurrenceRow
from store.text import admin_name


def in_doubt() -> ColumnElement[bool]:
    """The condition that an OccurrenceRow was hardly recognised, and nobody has looked at it."""
    return and_(OccurrenceRow.confidence_ppm < SURE_PPM, OccurrenceRow.read_us.is_(None))


def confirm_reading(s: Session, work_id: str, by: str) -> int:
    """`by` has read the recognised text of a work and found it right: credit goes on.

    Returns how many statements were in doubt; who confirmed each is kept. BadInput: `by` names
    nobody.
    """
    doubted = update(OccurrenceRow).where(OccurrenceRow.work_id == work_id, in_doubt())
    read = doubted.values(read_by=admin_name(by), read_us=now_us())
    return len(s.scalars(read.returning(OccurrenceRow.id)).all())
