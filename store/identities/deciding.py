"""Deciding who an author is: each decision is a row, moves the money it calls for, can be undone.

All in the caller's writing transaction; `by` is the admin who decides. Decisions are about authors
as they stand: one that a merge made another can only be named by that other.
"""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import BadInput
from store.identities import money
from store.identities.decisions import (
    Decided,
    Decision,
    add_decision,
    get_decision,
    list_later,
    require_standing,
    standing,
)
from store.identities.identifiers import contradict, identifiers_of
from store.identities.known_as import take_back_names
from store.identities.staying import earned_micro
from store.people import add_author, get_author
from store.resolution import canonical, ids_of, said_by
from store.schema import OccurrenceRow, OccurrenceShareRow
from store.unresolved import unresolved_among
from store.works import get_work


def confirm(s: Session, author: str, by: str) -> Decided:
    """An unresolved author (id or name) is a person of their own: what is held is paid.

    NotFound, Ambiguous: the author. BadInput: nothing is unresolved or held, or the author is
    erased or was merged.
    """
    found = standing(s, author)
    if not unresolved_among(s, [found.id]) and not money.held_micro(s, [found.id]):
        raise BadInput(f"author {found.id} is resolved already, and nothing is held")
    return go_on(s, Decided(add_decision(s, "confirm", found.id, by)))


def go_on(s: Session, decided: Decided) -> Decided:
    """Pay out more of what is held for who a decision is about.

    Where that was interrupted, confirming the author or merging the two once more pays the rest.
    """
    released_micro, more = money.release(s, decided.decision, now_us=now_us())
    released_micro += decided.released_micro
    return replace(decided, released_micro=released_micro, more=more)


def merge(s: Session, giver: str, taker: str, by: str) -> Decided:
    """All that one author said is another's: their open balance moves, and held money is paid.

    Two who are one already can be merged again while the first still has money. NotFound,
    Ambiguous: an author. BadInput: they are one, they have different identifiers, one is erased,
    or the taker is unresolved and the giver is not.
    """
    into, one = standing(s, taker), get_author(s, giver)
    again = canonical(s, [one.id])[one.id] == into.id != one.id
    if not again:
        require_standing(s, one.id)
        _require_two_spellings(s, one.id, into.id)
    elif not (money.has_micro(s, one.id) or money.held_micro(s, [into.id])):
        raise BadInput(f"author {one.id} is author {into.id} already, and has nothing left")
    decision = add_decision(s, "merge", one.id, by, into_id=into.id)
    if unresolved_among(s, [into.id]):
        return Decided(decision)
    moved_micro = money.move_balance(s, decision, one.id, into.id, now_us=now_us())
    return go_on(s, Decided(decision, moved_micro=moved_micro))


def split(
    s: Session, author: str, works: Collection[str], by: str, name: str | None = None
) -> Decided:
    """What an author said in some works (ids, titles or paths) is a new author's, by default of the
    same name. It moves what is earned from now on; past lines move by a dispute.

    The new author's id is the decision's `into_id`. NotFound, Ambiguous: the author or a work.
    BadInput: the author said nothing there, or nothing elsewhere.
    """
    found = standing(s, author)
    moved = sorted({get_work(s, work).id for work in works})
    theirs = works_of(s, found.id)
    if missing := [work_id for work_id in moved if work_id not in theirs]:
        raise BadInput(f"author {found.id} said nothing in work {missing[0]}")
    if not moved or theirs <= set(moved):
        raise BadInput(f"name some, not all, of the works of author {found.id}")
    new_id = add_author(s, name or found.name, found.namespace)
    return Decided(add_decision(s, "split", found.id, by, into_id=new_id, works=moved))


def undo(s: Session, decision_id: int, by: str) -> Decided:
    """Take a decision back, with what is left of the money that it moved.

    What was earned while it stood stays with who was credited, but for the balance of the author
    that a split made. NotFound: there is none. BadInput: it is undone, is an undo itself, or a
    later decision builds on it.
    """
    undone = get_decision(s, decision_id)
    if undone.kind == "undo":
        raise BadInput(f"decision {undone.id} is an undo: decide again instead")
    if undone.undone_by is not None:
        raise BadInput(f"decision {undone.id} was undone by {undone.undone_by} already")
    if after := [later.id for later in list_later(s, undone) if _builds_on(later, undone)]:
        raise BadInput(f"decision {after[-1]} builds on {undone.id}: undo {after[-1]} first")
    one, into = undone.author_id, undone.into_id
    if undone.kind == "split":
        one, into = undone.subject, undone.author_id
    decision = add_decision(s, "undo", one, by, into_id=into, undoes=undone.id)
    take_back_names(s, undone)
    held_micro, moved_micro, stays_micro, now = 0, 0, 0, now_us()
    if undone.kind in ("confirm", "merge"):
        held_micro = money.hold_again(s, decision, undone, now_us=now)
    if undone.kind in ("merge", "split"):
        stays_micro = earned_micro(s, decision, undone)
    if undone.kind == "merge":
        moved_micro = money.move_back(s, decision, undone, now_us=now)
    if undone.kind == "split":
        moved_micro = money.move_balance(s, decision, one, canonical(s, [one])[one], now_us=now)
        stays_micro = max(0, stays_micro - moved_micro)
    return Decided(
        decision,
        held_micro=held_micro,
        moved_micro=moved_micro,
        stays_micro=stays_micro,
        stays_with=undone.subject if stays_micro else None,
    )


def works_of(s: Session, author_id: str) -> frozenset[str]:
    """The ids of the works in which an author said something, withdrawn or not."""
    theirs = said_by(s, author_id, OccurrenceShareRow.author_id, OccurrenceRow.work_id)
    query = select(OccurrenceRow.work_id).join(
        OccurrenceShareRow, OccurrenceShareRow.occurrence_id == OccurrenceRow.id
    )
    return frozenset(s.scalars(query.where(theirs).distinct()))


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
