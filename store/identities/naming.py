"""Whom a name in a file means: never guessed from the name alone."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.identities.coming import Coming
from store.identities.identifiers import (
    Identifier,
    add_identifier,
    contradict,
    find_author_id,
    identifiers_of,
)
from store.people import Author, add_author, find_authors, only
from store.resolution import canonical, ids_of
from store.schema import AuthorAliasRow
from store.text import name_key
from store.unresolved import namespace_of_work

_NOBODY = Coming()


@dataclass(frozen=True)
class Named:
    """A name as a file writes it, perhaps with an identifier of the person.

    `vouched`: whoever brings the file in says that in this namespace the name is one person's.
    """

    name: str
    identifier: Identifier | None = None
    vouched: bool = True


def author_named(s: Session, named: Named, namespace: str, work_id: str) -> str:
    """The id of the author who is meant, who is made when there is none yet.

    Ambiguous: several have the vouched name. BadInput: it shows nothing.
    """
    author_id = find_named(s, named, namespace, work_id)
    if author_id is None:
        known = named.vouched or named.identifier is not None
        where = namespace if known else namespace_of_work(work_id)
        author_id = add_author(s, named.name, where)
    if named.identifier is not None and find_author_id(s, named.identifier) is None:
        add_identifier(s, author_id, named.identifier)
    return author_id


def find_named(
    s: Session,
    named: Named,
    namespace: str,
    work_id: str | None,
    coming: Coming = _NOBODY,
) -> str | None:
    """The id of the author who is meant, or None when that is nobody yet.

    An identifier decides, in every namespace. A name that is vouched for means its author in the
    namespace; any other only one of whom a confirmed alias there says so, or who was met in this
    work (None: one that is not stored yet). Who is `coming` counts as if stored. Ambiguous,
    BadInput as in `author_named`.
    """
    if named.identifier is not None:
        return _find_identified(s, named.name, named.identifier, namespace, coming)
    if named.vouched:
        return _find(s, named.name, namespace, coming)
    if len(aliased := _aliased(s, named.name, namespace)) == 1:
        return next(iter(aliased))
    return None if work_id is None else _find(s, named.name, namespace_of_work(work_id), coming)


def _called(s: Session, name: str, namespace: str, coming: Coming) -> tuple[Author, ...]:
    return find_authors(s, name, namespace) + coming.find(name, namespace)


def _find(s: Session, name: str, namespace: str, coming: Coming) -> str | None:
    found = _called(s, name, namespace, coming)
    return only(found, name).id if found else None


def _find_identified(
    s: Session, name: str, identifier: Identifier, namespace: str, coming: Coming
) -> str | None:
    """Who has the identifier; else the only one who has the name and may have the identifier."""
    if known := find_author_id(s, identifier):
        return canonical(s, [known])[known]
    if identifier in coming.identified:
        return coming.identified[identifier]
    found = _called(s, name, namespace, coming)
    if len(found) != 1:
        return None
    author_id = found[0].id
    theirs = identifiers_of(s, ids_of(s, author_id)) + coming.identifiers_of(author_id)
    return None if contradict(theirs, [identifier]) else author_id


def _aliased(s: Session, name: str, namespace: str) -> Collection[str]:
    """The authors of whom an alias in the namespace says that this is their name."""
    query = select(AuthorAliasRow.author_id).where(
        AuthorAliasRow.namespace == namespace,
        AuthorAliasRow.alias_key == name_key(name),
        AuthorAliasRow.confirmed,
    )
    return set(canonical(s, s.scalars(query.distinct()).all()).values())
