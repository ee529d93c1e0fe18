"""Text recognised in pictures: what is in doubt waits until somebody has looked at the page."""

from sqlalchemy import update
from sqlalchemy.orm import Session

from store.records.corpus import SURE_PPM
from store.schema import OccurrenceRow


def confirm_reading(s: Session, work_id: str) -> int:
    """Somebody has read the recognised text of a work and found it right: credit goes on.

    Returns how many statements were in doubt.
    """
    unsure = OccurrenceRow.confidence_ppm < SURE_PPM
    doubted = update(OccurrenceRow).where(OccurrenceRow.work_id == work_id, unsure)
    rows = s.scalars(doubted.values(confidence_ppm=SURE_PPM).returning(OccurrenceRow.id))
    return len(rows.all())
