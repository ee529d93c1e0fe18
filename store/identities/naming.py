"""Whom a name in a file means: never guessed from the name alone."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.errors import Ambiguous
from store.identities.identifiers import (
    Identifier,
    add_identifier,
    contradict,
    find_author_id,
    identifiers_of,
)
from store.people import add_author, resolve_author
from store.resolution import canonical, ids_of
from store.schema import AuthorAliasRow
from store.text import name_key
from store.unresolved import namespace_of_work


@dataclass(frozen=True)
class Named:
    """A name as a file writes it, perhaps with an identifier of the person.

    `vouched`: whoever brings the file in says that in this namespace the name is one person's.
    """

    name: str
    identifier: Identifier | None = None
    vouched: bool = True


def author_named(s: Session, named: Named, namespace: str, work_id: str) -> str:
    """The id of the author who is meant, who is made when there is none.

    An identifier decides, in every namespace. A name that is vouched for means its author in the
    namespace; any other only one of whom a confirmed alias there says so, else an unresolved author
    of this work. Ambiguous: several have the vouched name. BadInput: it shows nothing.
    """
    if named.identifier is not None:
        return _identified(s, named.name, named.identifier, namespace)
    if named.vouched:
        return resolve_author(s, named.name, namespace)
    if len(aliased := _aliased(s, named.name, namespace)) == 1:
        return next(iter(aliased))
    return resolve_author(s, named.name, namespace_of_work(work_id))


def _identified(s: Session, name: str, identifier: Identifier, namespace: str) -> str:
    """Who has the identifier; else who has the name and no other identifier; else somebody new."""
    if known := find_author_id(s, identifier):
        return canonical(s, [known])[known]
    try:
        author_id = resolve_author(s, name, namespace)
    except Ambiguous:  # several have the name; this one is told apart by the identifier
        author_id = add_author(s, name, namespace)
    if contradict(identifiers_of(s, ids_of(s, author_id)), [identifier]):
        author_id = add_author(s, name, namespace)
    add_identifier(s, author_id, identifier)
    return author_id


def _aliased(s: Session, name: str, namespace: str) -> Collection[str]:
    """The authors of whom an alias in the namespace says that this is their name."""
    query = select(AuthorAliasRow.author_id).where(
        AuthorAliasRow.namespace == namespace,
        AuthorAliasRow.alias_key == name_key(name),
        AuthorAliasRow.confirmed,
    )
    return set(canonical(s, s.scalars(query.distinct()).all()).values())
