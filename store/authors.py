"""Authors as an admin looks at them: who there is, what they said, what they have and owe."""

from dataclasses import dataclass

from sqlalchemy import func, literal, select, tuple_
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import NotFound
from store.ledger import find_balance
from store.people import Author, get_author
from store.resolution import said_by
from store.schema import (
    AuthorNameRow,
    AuthorRow,
    ErasureRow,
    OccurrenceRow,
    OccurrenceShareRow,
    RightsHolderRow,
    StatementRow,
)
from store.statements.visibility import is_visible


@dataclass(frozen=True)
class AuthorState:
    """An author with what is true of the author now; `erased_us` None: the name is kept.

    `works` and `statements` count what may be retrieved. `owed_micro` is what was paid out and must
    come back: it is kept from later earnings.
    """

    author: Author
    erased_us: int | None
    works: int
    statements: int
    balance_micro: int
    owed_micro: int


def get_author_state(s: Session, author: str) -> AuthorState:
    """An author (id or name) as of now. NotFound, Ambiguous: as `store.people.get_author`."""
    found = get_author(s, author)
    works, statements = s.execute(
        select(func.count(OccurrenceRow.work_id.distinct()), func.count(StatementRow.id.distinct()))
        .join(OccurrenceShareRow, OccurrenceShareRow.occurrence_id == OccurrenceRow.id)
        .join(StatementRow, StatementRow.id == OccurrenceRow.statement_id)
        .where(said_by(s, found.id, OccurrenceShareRow.author_id, OccurrenceRow.work_id))
        .where(OccurrenceRow.withdrawn_us.is_(None), is_visible(now_us()))
    ).one()
    return AuthorState(
        author=found,
        erased_us=s.scalar(select(ErasureRow.created_us).where(ErasureRow.author_id == found.id)),
        works=works,
        statements=statements,
        balance_micro=find_balance(s, f"holder:{found.holder_id}"),
        owed_micro=-find_balance(s, f"owed:{found.holder_id}"),
    )


def list_authors(
    s: Session, limit: int, after: str | None = None
) -> tuple[tuple[Author, int | None], ...]:
    """Up to `limit` authors, oldest first, each with the time of the erasure if there was one.

    `after` is the id of the last one already seen. NotFound: there is no such author.
    """
    query = (
        select(AuthorRow.id, AuthorRow.namespace, AuthorNameRow.name, RightsHolderRow.id)
        .add_columns(ErasureRow.created_us)
        .join(RightsHolderRow, RightsHolderRow.author_id == AuthorRow.id)
        .outerjoin(AuthorNameRow, AuthorNameRow.author_id == AuthorRow.id)
        .outerjoin(ErasureRow, ErasureRow.author_id == AuthorRow.id)
        .order_by(AuthorRow.created_us, AuthorRow.id)
        .limit(limit)
    )
    if after is not None:
        last = select(AuthorRow.created_us, AuthorRow.id).where(AuthorRow.id == after).subquery()
        if s.scalar(select(last.c.id)) is None:
            raise NotFound(f"no author has the id {after!r}")
        place = select(last.c.created_us).scalar_subquery(), literal(after)
        query = query.where(tuple_(AuthorRow.created_us, AuthorRow.id) > tuple_(*place))
    return tuple((Author(*author), erased_us) for *author, erased_us in s.execute(query))
