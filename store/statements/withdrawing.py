"""Taking a statement out of retrieval."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import NotFound
from store.schema import StatementRow


def withdraw_statement(s: Session, statement_id: int) -> None:
    """Take a statement out of retrieval from now on; doing it twice changes nothing.

    Its row, text and past credit stay. Raises NotFound.
    """
    if s.scalar(select(StatementRow.id).where(StatementRow.id == statement_id)) is None:
        raise NotFound(f"no statement has the id {statement_id}")
    s.execute(
        update(StatementRow)
        .where(StatementRow.id == statement_id, StatementRow.withdrawn_us.is_(None))
        .values(withdrawn_us=now_us())
    )
