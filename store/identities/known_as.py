"""By what else an author is known: other names within a namespace, and identifiers everywhere."""

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from store.errors import BadInput
from store.identities.decisions import Decided, Decision, add_decision, standing
from store.identities.identifiers import (
    add_identifier,
    contradict,
    find_author_id,
    identifiers_of,
    parse_identifier,
)
from store.people import find_authors
from store.resolution import canonical, ids_of
from store.schema import AuthorAliasRow, AuthorIdentifierRow
from store.text import name_key
from store.unresolved import is_of_work


def add_alias(
    s: Session, author: str, alias: str, by: str, namespace: str | None = None
) -> Decided:
    """From now on the author is meant by this name too, in a namespace, by default their own.

    NotFound, Ambiguous: the author. BadInput: another author has the name there, this one has it
    as an alias already, or the namespace is that of one work.
    """
    found, key = standing(s, author), name_key(alias)
    where = namespace or found.namespace
    if is_of_work(where) or not where.strip():
        raise BadInput("say in which namespace the alias counts: --namespace NAME")
    others = [each.id for each in find_authors(s, alias, where) if each.id != found.id]
    if others:
        raise BadInput(f"author {others[0]} is called {alias!r} in {where}: merge the two instead")
    same = (AuthorAliasRow.namespace == where, AuthorAliasRow.alias_key == key)
    if s.scalar(select(AuthorAliasRow.id).where(*same, AuthorAliasRow.confirmed)):
        raise BadInput(f"{alias!r} is an alias of author {found.id} in {where} already")
    decision = add_decision(s, "alias", found.id, by)
    row = {"author_id": found.id, "namespace": where, "alias": alias.strip(), "alias_key": key}
    confirmed = {"confirmed": True, "decision_id": decision.id, "created_us": decision.created_us}
    s.execute(insert(AuthorAliasRow).values(row | confirmed))
    return Decided(decision)


def identify(s: Session, author: str, identifier: str, by: str) -> Decided:
    """The author has this identifier, by which files can name them in every namespace.

    NotFound, Ambiguous: the author. BadInput: it is no identifier, somebody's already, or the
    author has another one of a scheme in which a person has one.
    """
    found, parsed = standing(s, author), parse_identifier(identifier)
    if owner := find_author_id(s, parsed):
        raise BadInput(f"{parsed} identifies author {canonical(s, [owner])[owner]} already")
    if contradict(identifiers_of(s, ids_of(s, found.id)), [parsed]):
        raise BadInput(f"author {found.id} has another {parsed.scheme.upper()}: nobody has two")
    decision = add_decision(s, "identify", found.id, by)
    add_identifier(s, found.id, parsed, decision.id)
    return Decided(decision)


def take_back_names(s: Session, undone: Decision) -> None:
    """An alias that counts no longer stays, unconfirmed; an identifier is free again."""
    alias = update(AuthorAliasRow).where(AuthorAliasRow.decision_id == undone.id)
    s.execute(alias.values(confirmed=False))
    s.execute(delete(AuthorIdentifierRow).where(AuthorIdentifierRow.decision_id == undone.id))
