"""Rights holders: who is paid, be it an author or somebody who holds an author's rights."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from store.errors import Ambiguous, NotFound
from store.people import find_authors, register_holder
from store.schema import RightsHolderRow
from store.text import name_key


@dataclass(frozen=True)
class Holder:
    """A rights holder: an author (then without a label) or somebody else (then by a label).

    The account is `holder:{id}`.
    """

    id: str
    author_id: str | None
    label: str | None


def add_holder(s: Session, label: str) -> str:
    """A new holder that is no author, with its account; returns the holder's random id.

    The label is stored as names are compared. BadInput: it has no visible character.
    """
    return register_holder(s, label=name_key(label))


def find_holders(s: Session, label: str) -> tuple[Holder, ...]:
    """The holders with exactly this label, oldest first."""
    return _holders(s, RightsHolderRow.label == name_key(label))


def get_holder(s: Session, name: str) -> Holder:
    """The holder with this id or label, else the holder that is the author of this id or name.

    NotFound; Ambiguous with the ids when several fit.
    """
    found = _holders(s, RightsHolderRow.id == name)
    found = found or _holders(s, RightsHolderRow.author_id == name)
    if not found:
        authors = [author.id for author in find_authors(s, name)]
        found = (*find_holders(s, name), *_holders(s, RightsHolderRow.author_id.in_(authors)))
    if not found:
        raise NotFound(f"no holder or author has the id or name {name!r}")
    if len(found) > 1:
        ids = [holder.id for holder in found]
        raise Ambiguous(f"{len(found)} holders are called {name!r}, use an id", ids)
    return found[0]


def get_holders(s: Session, ids: Collection[str]) -> dict[str, Holder]:
    """These holders by id; ids that are unknown are left out."""
    return {holder.id: holder for holder in _holders(s, RightsHolderRow.id.in_(ids))}


def _holders(s: Session, condition: ColumnElement[bool]) -> tuple[Holder, ...]:
    rows = s.execute(
        select(RightsHolderRow.id, RightsHolderRow.author_id, RightsHolderRow.label)
        .where(condition)
        .order_by(RightsHolderRow.created_us, RightsHolderRow.id)
    )
    return tuple(Holder(*row) for row in rows)
