"""Where statements stand on the pages of their works."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.records.corpus import Rectangle
from store.schema import OccurrenceRow


def boxes_of(s: Session, occurrence_ids: Collection[int]) -> dict[int, tuple[Rectangle, ...]]:
    """By occurrence its rectangles, one for each piece of a line, in order.

    Those without, which were read from no page or by an older haozhi, are left out.
    """
    rows = s.execute(
        select(OccurrenceRow.id, OccurrenceRow.boxes).where(OccurrenceRow.id.in_(occurrence_ids))
    )
    return {
        i: tuple(Rectangle(int(page), *sides) for page, *sides in boxes)
        for i, boxes in rows
        if boxes
    }
