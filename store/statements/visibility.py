"""Which statements there are, and which of them may be retrieved at a time, as SQL conditions."""

from sqlalchemy import ColumnElement, and_, exists

from store.permission import is_permitted
from store.schema import OccurrenceRow, StatementRow


def is_standing() -> ColumnElement[bool]:
    """The condition that a StatementRow is not withdrawn and stands somewhere that is not.

    Such a statement is in the index, whatever its grants say today.
    """
    return _stands_where()


def is_visible(at_us: int, *places: ColumnElement[bool]) -> ColumnElement[bool]:
    """The condition that a StatementRow may be retrieved: it stands in a work permitted then.

    `places` are further conditions on the OccurrenceRow that makes it so.
    """
    return _stands_where(is_permitted(at_us), *places)


def _stands_where(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    stands = (
        exists()
        .where(OccurrenceRow.statement_id == StatementRow.id)
        .where(OccurrenceRow.withdrawn_us.is_(None), *conditions)
        .correlate(StatementRow)
    )
    return and_(StatementRow.withdrawn_us.is_(None), StatementRow.text.is_not(None), stands)
