"""Authors, how a name finds one, and who is paid for what they said."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, literal, select, tuple_
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import Ambiguous, NotFound
from store.resolution import canonical
from store.schema import (
    AccountRow,
    AuthorAliasRow,
    AuthorNameRow,
    AuthorRow,
    RightsHolderRow,
)
from store.text import name_key


@dataclass(frozen=True)
class Author:
    """An author and the rights holder that is this author; `name` is None when unknown or erased.

    The holder's account is `holder:{holder_id}`.
    """

    id: str
    namespace: str
    name: str | None
    holder_id: str


def add_author(s: Session, name: str | None, namespace: str) -> str:
    """A new author with a rights holder and its account; returns the author's random id.

    Raises BadInput for a name without a visible character.
    """
    author_id = f"a{secrets.token_hex(8)}"
    s.add(AuthorRow(id=author_id, namespace=namespace, created_us=now_us()))
    s.flush()
    if name is not None:
        key = name_key(name)
        s.add(AuthorNameRow(author_id=author_id, namespace=namespace, name=name, name_key=key))
    register_holder(s, author_id=author_id)
    return author_id


def register_holder(s: Session, *, author_id: str | None = None, label: str | None = None) -> str:
    """A new rights holder, an author or somebody by a label, with its account; returns its id."""
    holder_id = f"h{secrets.token_hex(8)}"
    s.add(RightsHolderRow(id=holder_id, author_id=author_id, label=label, created_us=now_us()))
    s.flush()
    code = f"holder:{holder_id}"
    s.add(AccountRow(code=code, kind="holder", has_floor=True, holder_id=holder_id))
    s.flush()
    return holder_id


def find_authors(s: Session, name: str, namespace: str | None = None) -> tuple[Author, ...]:
    """The authors with exactly this name or confirmed alias (NFKC, case kept), oldest first.

    Whoever was merged is found as the author that they are now.
    """
    key = name_key(name)
    named = select(AuthorNameRow.author_id).where(AuthorNameRow.name_key == key)
    aliased = select(AuthorAliasRow.author_id).where(
        AuthorAliasRow.alias_key == key, AuthorAliasRow.confirmed
    )
    if namespace is not None:
        named = named.where(AuthorNameRow.namespace == namespace)
        aliased = aliased.where(AuthorAliasRow.namespace == namespace)
    ids = s.scalars(named.union(aliased)).all()
    return _authors(s, AuthorRow.id.in_(canonical(s, ids).values())) if ids else ()


def resolve_author(s: Session, name: str, namespace: str) -> str:
    """The id of the one author of this name in the namespace, who is created when there is none.

    Raises Ambiguous when several have it, BadInput for a name without a visible character.
    """
    found = find_authors(s, name, namespace)
    if not found:
        return add_author(s, name, namespace)
    return only(found, name).id


def get_author(s: Session, author_id_or_name: str) -> Author:
    """The author with this id, else with this name in any namespace.

    Raises NotFound, and Ambiguous with the ids when several have the name.
    """
    found = _authors(s, AuthorRow.id == author_id_or_name)
    found = found or find_authors(s, author_id_or_name)
    if not found:
        raise NotFound(f"no author has the id or name {author_id_or_name!r}")
    return only(found, author_id_or_name)


def added_after(s: Session, author_id: str) -> ColumnElement[bool]:
    """The condition that an AuthorRow comes after this one in order of time. Raises NotFound."""
    created_us = s.scalar(select(AuthorRow.created_us).where(AuthorRow.id == author_id))
    if created_us is None:
        raise NotFound(f"no author has the id {author_id!r}")
    place = tuple_(literal(created_us), literal(author_id))
    return tuple_(AuthorRow.created_us, AuthorRow.id) > place


def author_names(s: Session, ids: Collection[str]) -> dict[str, str]:
    """The names of these authors by id; an author whose name is unknown or erased is left out."""
    rows = s.execute(
        select(AuthorNameRow.author_id, AuthorNameRow.name).where(AuthorNameRow.author_id.in_(ids))
    )
    return dict(rows.all())


def _authors(s: Session, condition: ColumnElement[bool]) -> tuple[Author, ...]:
    rows = s.execute(
        select(AuthorRow.id, AuthorRow.namespace, AuthorNameRow.name, RightsHolderRow.id)
        .join(RightsHolderRow, RightsHolderRow.author_id == AuthorRow.id)
        .outerjoin(AuthorNameRow, AuthorNameRow.author_id == AuthorRow.id)
        .where(condition)
        .order_by(AuthorRow.created_us, AuthorRow.id)
    )
    return tuple(Author(*row) for row in rows)


def only(found: tuple[Author, ...], name: str) -> Author:
    """The one author of those found by a name. Raises Ambiguous with the ids for several."""
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} authors are called {name!r}, use an id", [a.id for a in found]
        )
    return found[0]
