"""Taking a statement out of retrieval."""

from sqlalchemy import exists, or_, select, update
from sqlalchemy.orm import Session

from store import lexical
from store.clock import now_us
from store.errors import NotFound
from store.resolution import says_with
from store.schema import OccurrenceRow, StatementRow


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
    lexical.refresh(s, [statement_id])


def withdraw_statements_of(s: Session, author_id: str) -> int:
    """Withdraw every statement that this author alone says; returns how many were not before.

    What another author says too, or somebody unknown, or a co-author, stays.
    """
    stands = (OccurrenceRow.statement_id == StatementRow.id, OccurrenceRow.withdrawn_us.is_(None))
    theirs, others = says_with(s, author_id)
    not_alone = exists().where(*stands, or_(~theirs, others))
    alone = update(StatementRow).where(
        StatementRow.withdrawn_us.is_(None), exists().where(*stands, theirs), ~not_alone
    )
    done = alone.values(withdrawn_us=now_us()).returning(StatementRow.id)
    ids = s.scalars(done, execution_options={"synchronize_session": False}).all()
    lexical.refresh(s, ids)
    return len(ids)
