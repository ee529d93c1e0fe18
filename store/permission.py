"""Which works may be used at a time, as conditions that every query can carry.

A work without grants is its authors' and allows every use. A work with grants is used only while
at least one of them is in force and none that is in force forbids it. That is decided in SQL when
a question is asked: a grant that ends needs no reindexing.
"""

from sqlalchemy import ColumnElement, and_, exists, not_, or_

from store.schema import GrantRow, OccurrenceRow


def in_force(at_us: int) -> ColumnElement[bool]:
    """The condition that a GrantRow is in force at a time: from its start, before its end."""
    return and_(
        or_(GrantRow.valid_from_us.is_(None), GrantRow.valid_from_us <= at_us),
        or_(GrantRow.valid_until_us.is_(None), GrantRow.valid_until_us > at_us),
    )


def is_permitted(at_us: int) -> ColumnElement[bool]:
    """The condition that an OccurrenceRow's work may be retrieved and answered from at a time."""
    granted = exists().where(GrantRow.work_id == OccurrenceRow.work_id).correlate(OccurrenceRow)
    now = granted.where(in_force(at_us))
    forbidden = now.where(or_(not_(GrantRow.may_retrieve), not_(GrantRow.may_generate)))
    return or_(not_(granted), and_(now, not_(forbidden)))
