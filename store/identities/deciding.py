"""Deciding who an author is: each decision is a row, moves the money it calls for, can be undone.

All in the caller's writing transaction; `by` is the admin who decides. Decisions are about authors
as they stand: one that a merge made another can only be named by that other.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.erasures import erased_among
from store.errors import BadInput
from store.identities import money
from store.identities.decisions import Decision, add_decision, get_decision, later_moves
from store.identities.identifiers import (
    add_identifier,
    contradict,
    find_author_id,
    identifiers_of,
    parse_identifier,
)
from store.people import Author, add_author, find_authors, get_author
from store.resolution import canonical, ids_of, resolution_of, said_by
from store.schema import (
    AuthorAliasRow,
    AuthorIdentifierRow,
    OccurrenceRow,
    OccurrenceShareRow,
)
from store.text import admin_name, name_key
from store.unresolved import is_of_work, unresolved_among
from store.works import get_work


@dataclass(frozen=True)
class Decided:
    """A decision and the micro-credits it moved: paid out of the reserve, held there again, from
    account to account.
    """

    decision: Decision
    released_micro: int = 0
    held_micro: int = 0
    moved_micro: int = 0


def confirm(s: Session, author: str, by: str) -> Decided:
    """An unresolved author (id or name) is a person of their own: what is held is paid.

    NotFound, Ambiguous: the author. BadInput: nothing is unresolved or held, or the author is
    erased or was merged.
    """
    found = _standing(s, author)
    if not unresolved_among(s, [found.id]) and not money.held_micro(s, [found.id]):
        raise BadInput(f"author {found.id} is resolved already, and nothing is held")
    decision = _add(s, "confirm", found.id, by)
    return Decided(decision, released_micro=money.release(s, decision, now_us=now_us()))


def add_alias(
    s: Session, author: str, alias: str, by: str, namespace: str | None = None
) -> Decided:
    """From now on the author is meant by this name too, in a namespace, by default their own.

    NotFound, Ambiguous: the author. BadInput: another author has the name there, this one has it
    as an alias already, or the namespace is that of one work.
    """
    found, key = _standing(s, author), name_key(alias)
    where = namespace or found.namespace
    if is_of_work(where) or not where.strip():
        raise BadInput("say in which namespace the alias counts: --namespace NAME")
    others = [each.id for each in find_authors(s, alias, where) if each.id != found.id]
    if others:
        raise BadInput(f"author {others[0]} is called {alias!r} in {where}: merge the two instead")
    same = (AuthorAliasRow.namespace == where, AuthorAliasRow.alias_key == key)
    if s.scalar(select(AuthorAliasRow.id).where(*same, AuthorAliasRow.confirmed)):
        raise BadInput(f"{alias!r} is an alias of author {found.id} in {where} already")
    decision = _add(s, "alias", found.id, by)
    row = {"author_id": found.id, "namespace": where, "alias": alias.strip(), "alias_key": key}
    confirmed = {"confirmed": True, "decision_id": decision.id, "created_us": decision.created_us}
    s.execute(insert(AuthorAliasRow).values(row | confirmed))
    return Decided(decision)


def identify(s: Session, author: str, identifier: str, by: str) -> Decided:
    """The author has this identifier, by which files can name them in every namespace.

    NotFound, Ambiguous: the author. BadInput: it is no identifier, somebody's already, or the
    author has another one of a scheme in which a person has one.
    """
    found, parsed = _standing(s, author), parse_identifier(identifier)
    if owner := find_author_id(s, parsed):
        raise BadInput(f"{parsed} identifies author {canonical(s, [owner])[owner]} already")
    if contradict(identifiers_of(s, ids_of(s, found.id)), [parsed]):
        raise BadInput(f"author {found.id} has another {parsed.scheme.upper()}: nobody has two")
    decision = _add(s, "identify", found.id, by)
    add_identifier(s, found.id, parsed, decision.id)
    return Decided(decision)


def merge(s: Session, giver: str, taker: str, by: str) -> Decided:
    """All that one author said is another's: their open balance moves, and held money is paid.

    Two who are one already can be merged again while the first still has money. NotFound,
    Ambiguous: an author. BadInput: they are one, they have different identifiers, one is erased,
    or the taker is unresolved and the giver is not.
    """
    into, one = _standing(s, taker), get_author(s, giver)
    again = canonical(s, [one.id])[one.id] == into.id != one.id
    if not again:
        _require_standing(s, one.id)
        _require_two_spellings(s, one.id, into.id)
    elif not (money.has_micro(s, one.id) or money.held_micro(s, [into.id])):
        raise BadInput(f"author {one.id} is author {into.id} already, and has nothing left")
    decision = _add(s, "merge", one.id, by, into_id=into.id)
    moved_micro, released_micro = 0, 0
    if not unresolved_among(s, [into.id]):
        moved_micro = money.move_balance(s, decision, one.id, into.id, now_us=now_us())
        released_micro = money.release(s, decision, now_us=now_us())
    return Decided(decision, released_micro=released_micro, moved_micro=moved_micro)


def split(
    s: Session, author: str, works: Collection[str], by: str, name: str | None = None
) -> Decided:
    """What an author said in some works (ids, titles or paths) is a new author's, by default of the
    same name. It moves what is earned from now on; past lines move by a dispute.

    The new author's id is the decision's `into_id`. NotFound, Ambiguous: the author or a work.
    BadInput: the author said nothing there, or nothing elsewhere.
    """
    found = _standing(s, author)
    moved = sorted({get_work(s, work).id for work in works})
    theirs = works_of(s, found.id)
    if missing := [work_id for work_id in moved if work_id not in theirs]:
        raise BadInput(f"author {found.id} said nothing in work {missing[0]}")
    if not moved or theirs <= set(moved):
        raise BadInput(f"name some, not all, of the works of author {found.id}")
    new_id = add_author(s, name or found.name, found.namespace)
    return Decided(_add(s, "split", found.id, by, into_id=new_id, works=moved))


def undo(s: Session, decision_id: int, by: str) -> Decided:
    """Take a decision back, with what is left of the money that it moved.

    NotFound: there is none. BadInput: it is undone, is an undo itself, or a later decision builds
    on it.
    """
    undone = get_decision(s, decision_id)
    if undone.kind == "undo":
        raise BadInput(f"decision {undone.id} is an undo: decide again instead")
    if undone.undone_by is not None:
        raise BadInput(f"decision {undone.id} was undone by {undone.undone_by} already")
    if after := [later.id for later in later_moves(s, undone) if _builds_on(later, undone)]:
        raise BadInput(f"decision {after[-1]} builds on {undone.id}: undo {after[-1]} first")
    one, into = undone.author_id, undone.into_id
    if undone.kind == "split":
        one, into = undone.subject, undone.author_id
    decision = _add(s, "undo", one, by, into_id=into, undoes=undone.id)
    _take_back_names(s, undone)
    held_micro, moved_micro, now = 0, 0, now_us()
    if undone.kind in ("confirm", "merge"):
        held_micro = money.hold_again(s, decision, undone, now_us=now)
    if undone.kind == "merge":
        moved_micro = money.move_back(s, decision, undone, now_us=now)
    if undone.kind == "split":
        moved_micro = money.move_balance(s, decision, one, canonical(s, [one])[one], now_us=now)
    return Decided(decision, held_micro=held_micro, moved_micro=moved_micro)


def works_of(s: Session, author_id: str) -> frozenset[str]:
    """The ids of the works in which an author said something, withdrawn or not."""
    theirs = said_by(s, author_id, OccurrenceShareRow.author_id, OccurrenceRow.work_id)
    query = select(OccurrenceRow.work_id).join(
        OccurrenceShareRow, OccurrenceShareRow.occurrence_id == OccurrenceRow.id
    )
    return frozenset(s.scalars(query.where(theirs).distinct()))


def _standing(s: Session, author: str) -> Author:
    found = get_author(s, author)
    _require_standing(s, found.id)
    return found


def _require_standing(s: Session, author_id: str) -> None:
    now = resolution_of(s, [author_id]).author(author_id)
    if now != author_id:
        raise BadInput(f"author {author_id} was merged into {now}: name that one, or undo it")
    if erased_among(s, [author_id]):
        raise BadInput(f"author {author_id} is erased: nothing is decided about the erased")


def _require_two_spellings(s: Session, giver: str, taker: str) -> None:
    """Nothing that is known says that they are two people."""
    if giver == taker:
        raise BadInput(f"author {giver} cannot be merged into itself")
    identified = [identifiers_of(s, ids_of(s, each)) for each in (giver, taker)]
    if contradict(*identified):
        raise BadInput(f"authors {giver} and {taker} have different identifiers: they are two")
    if unresolved_among(s, [giver, taker]) == {taker}:
        raise BadInput(f"author {taker} is unresolved: confirm it first, or merge it into {giver}")


def _builds_on(later: Decision, earlier: Decision) -> bool:
    """Whether undoing the earlier one would leave the later one without what it was decided on."""
    if earlier.kind not in ("confirm", "merge", "split"):
        return False
    if later.author_id == earlier.subject:
        return True  # it passed on what the earlier one brought
    if earlier.kind == "merge":
        return later.author_id == earlier.author_id  # merged again
    return later.into_id == earlier.subject


def _take_back_names(s: Session, undone: Decision) -> None:
    """An alias that counts no longer stays, unconfirmed; an identifier is free again."""
    alias = update(AuthorAliasRow).where(AuthorAliasRow.decision_id == undone.id)
    s.execute(alias.values(confirmed=False))
    s.execute(delete(AuthorIdentifierRow).where(AuthorIdentifierRow.decision_id == undone.id))


def _add(
    s: Session,
    kind: str,
    author_id: str,
    by: str,
    *,
    into_id: str | None = None,
    undoes: int | None = None,
    works: Collection[str] = (),
) -> Decision:
    return add_decision(
        s,
        kind,
        author_id,
        by=admin_name(by),
        now_us=now_us(),
        into_id=into_id,
        undoes=undoes,
        works=works,
    )
