"""The log of decisions: each is a row that stays, and an `undo` names the one it takes back."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, insert, or_, select, true
from sqlalchemy.orm import Session, aliased

from store.acts import record
from store.clock import now_us
from store.erasures import erased_among
from store.errors import BadInput, NotFound
from store.people import Author, get_author
from store.resolution import canonical, in_force
from store.schema import AuthorDecisionRow, AuthorDecisionWorkRow
from store.text import admin_name


@dataclass(frozen=True)
class Decision:
    """A decision about `author_id`: confirm, alias, identify, merge, split or undo.

    `into_id` is whom a merge makes the author, or the new author of a split's `works`. An undo has
    both from the decision that it `undoes`, but of a split the other way round: what the new author
    said is the old one's. `undone_by` None: it is in force.
    """

    id: int
    kind: str
    author_id: str
    into_id: str | None
    undoes: int | None
    undone_by: int | None
    decided_by: str
    created_us: int
    works: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """The author who gets what the decision moves."""
        return self.author_id if self.into_id is None else self.into_id


@dataclass(frozen=True)
class Decided:
    """A decision and the micro-credits it moved: paid out of the reserve, held there again, from
    account to account. `more`: there is more to pay out, by `go_on` in further transactions.
    `stays_micro` does not move: an undone merge or split leaves it with the author `stays_with`,
    who was credited it for what the other one says since the undo.
    """

    decision: Decision
    released_micro: int = 0
    held_micro: int = 0
    moved_micro: int = 0
    more: bool = False
    stays_micro: int = 0
    stays_with: str | None = None


def add_decision(
    s: Session,
    kind: str,
    author_id: str,
    by: str,
    *,
    into_id: str | None = None,
    undoes: int | None = None,
    works: Collection[str] = (),
) -> Decision:
    """Append a decision of now. BadInput: `by` names no admin."""
    row = {"kind": kind, "author_id": author_id, "into_id": into_id, "undoes": undoes}
    decided = {"decided_by": admin_name(by), "created_us": now_us()}
    added = insert(AuthorDecisionRow).values(**row, **decided)
    decision_id = s.execute(added.returning(AuthorDecisionRow.id)).scalar_one()
    record(s, AuthorDecisionRow, [(decision_id,)])
    if works:
        moved = [{"decision_id": decision_id, "work_id": work_id} for work_id in works]
        s.execute(insert(AuthorDecisionWorkRow), moved)
        record(s, AuthorDecisionWorkRow, [(decision_id, work_id) for work_id in works])
    return get_decision(s, decision_id)


def get_decision(s: Session, decision_id: int) -> Decision:
    """The decision with this id. NotFound: there is none."""
    found = _decisions(s, AuthorDecisionRow.id == decision_id)
    if not found:
        raise NotFound(f"there is no decision {decision_id}")
    return found[0]


def list_decisions(s: Session, author_id: str | None = None) -> tuple[Decision, ...]:
    """All decisions, or those that name an author, oldest first."""
    about = or_(AuthorDecisionRow.author_id == author_id, AuthorDecisionRow.into_id == author_id)
    return _decisions(s, true() if author_id is None else about)


def list_later(s: Session, decision: Decision) -> tuple[Decision, ...]:
    """What is in force of the decisions after this one about who says or is paid for what."""
    kinds = AuthorDecisionRow.kind.in_(("confirm", "merge", "split"))
    return _decisions(s, (AuthorDecisionRow.id > decision.id) & kinds & in_force())


def standing(s: Session, author: str) -> Author:
    """The author (id or name) if something can be decided about them.

    NotFound, Ambiguous; BadInput: merged into another one, or erased.
    """
    found = get_author(s, author)
    require_standing(s, found.id)
    return found


def require_standing(s: Session, author_id: str) -> None:
    """Raise BadInput for an author who was merged into another one, or is erased."""
    now = canonical(s, [author_id])[author_id]
    if now != author_id:
        raise BadInput(f"author {author_id} was merged into {now}: name that one, or undo it")
    if erased_among(s, [author_id]):
        raise BadInput(f"author {author_id} is erased: nothing is decided about the erased")


def _decisions(s: Session, condition: ColumnElement[bool]) -> tuple[Decision, ...]:
    row, undo = AuthorDecisionRow, aliased(AuthorDecisionRow)
    columns = (row.id, row.kind, row.author_id, row.into_id, row.undoes, undo.id)
    query = select(*columns, row.decided_by, row.created_us).where(condition).order_by(row.id)
    found = s.execute(query.outerjoin(undo, undo.undoes == row.id)).all()
    works = defaultdict[int, list[str]](list)
    moved = select(AuthorDecisionWorkRow).where(
        AuthorDecisionWorkRow.decision_id.in_([each.id for each in found])
    )
    for work in s.scalars(moved.order_by(AuthorDecisionWorkRow.work_id)):
        works[work.decision_id].append(work.work_id)
    return tuple(Decision(*each, works=tuple(works[each.id])) for each in found)
