"""Authors as an admin looks at them: who there is, what they said, what they have and owe."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.identities.identifiers import identifiers_of
from store.identities.money import held_micro
from store.ledger import find_balance
from store.people import Author, added_after, get_author
from store.resolution import canonical, said_by, same_person
from store.schema import (
    AuthorAliasRow,
    AuthorNameRow,
    AuthorRow,
    ErasureRow,
    OccurrenceRow,
    OccurrenceShareRow,
    RightsHolderRow,
    StatementRow,
)
from store.statements.visibility import is_visible
from store.unresolved import unresolved_among


@dataclass(frozen=True)
class AuthorState:
    """An author with what is true of the author now; `erased_us` None: the name is kept.

    `works` and `statements` count what may be retrieved. `owed_micro` is what was paid out and must
    come back: it is kept from later earnings. `unresolved`: nobody vouches for the name, and
    `held_micro` waits. `is_now` is the author that this one was merged into. `aliases` are the
    confirmed ones and the names of those who were merged into this author.
    """

    author: Author
    erased_us: int | None
    works: int
    statements: int
    balance_micro: int
    owed_micro: int
    unresolved: bool
    held_micro: int
    is_now: str | None
    aliases: tuple[str, ...]
    identifiers: tuple[str, ...]


@dataclass(frozen=True)
class Listed:
    """An author in a list, with the fields of that name of an AuthorState."""

    author: Author
    erased_us: int | None
    unresolved: bool
    is_now: str | None


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
    now, ids = canonical(s, [found.id])[found.id], same_person(s, found.id)
    return AuthorState(
        author=found,
        erased_us=s.scalar(select(ErasureRow.created_us).where(ErasureRow.author_id == found.id)),
        works=works,
        statements=statements,
        balance_micro=find_balance(s, f"holder:{found.holder_id}"),
        owed_micro=-find_balance(s, f"owed:{found.holder_id}"),
        unresolved=bool(unresolved_among(s, [found.id])),
        held_micro=held_micro(s, [found.id]).get(found.id, 0),
        is_now=None if now == found.id else now,
        aliases=_other_names(s, found, ids),
        identifiers=tuple(map(str, identifiers_of(s, ids))),
    )


def _other_names(s: Session, author: Author, ids: Collection[str]) -> tuple[str, ...]:
    names = select(AuthorNameRow.name).where(
        AuthorNameRow.author_id.in_(ids), AuthorNameRow.author_id != author.id
    )
    aliases = select(AuthorAliasRow.alias).where(
        AuthorAliasRow.author_id.in_(ids), AuthorAliasRow.confirmed
    )
    return tuple(sorted(set(s.scalars(names.union(aliases))) - {author.name}))


def list_authors(s: Session, limit: int, after: str | None = None) -> tuple[Listed, ...]:
    """Up to `limit` authors, oldest first, those who were merged among them.

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
        query = query.where(added_after(s, after))
    rows = [(Author(*author), erased_us) for *author, erased_us in s.execute(query)]
    ids = [author.id for author, _ in rows]
    now, unresolved = canonical(s, ids), unresolved_among(s, ids)
    return tuple(
        Listed(a, erased_us, a.id in unresolved, None if now[a.id] == a.id else now[a.id])
        for a, erased_us in rows
    )
