"""Who an author id stands for now: the decisions that are in force, replayed in their order.

The rows of authors, shares and lines keep the ids that they were written with. A merge passes on
all that stood for an author by then, a split what that author said in some works. Which decisions
are in force is all that matters, so that undoing one leaves what never having made it would.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, false, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from store.records.corpus import AuthorShare
from store.schema import (
    AuthorDecisionRow,
    AuthorDecisionWorkRow,
    OccurrenceRow,
    OccurrenceShareRow,
)


@dataclass(frozen=True)
class Move:
    """What `author_id` said is said by `into_id`: in these works, None for all."""

    author_id: str
    into_id: str
    works: frozenset[str] | None


@dataclass(frozen=True)
class Resolution:
    """The moves that concern some authors, in the order of their decisions."""

    moves: tuple[Move, ...] = ()

    def author(self, author_id: str, work_id: str | None = None) -> str:
        """Who said what this author said in a work; None: in one that no split names."""
        for move in self.moves:
            if move.author_id == author_id and (move.works is None or work_id in move.works):
                author_id = move.into_id
        return author_id

    def shares(self, shares: Iterable[AuthorShare], work_id: str) -> tuple[AuthorShare, ...]:
        """The shares of an occurrence in a work by those who said it, ordered by author id."""
        ppm: defaultdict[str, int] = defaultdict(int)
        for share in shares:
            ppm[self.author(share.author_id, work_id)] += share.ppm
        return tuple(AuthorShare(*each) for each in sorted(ppm.items()))


def resolution_of(
    s: Session, author_ids: Collection[str], *, until: int | None = None
) -> Resolution:
    """How these ids resolve, now or right after the decision with the id `until`.

    One query where no decision names them, else one more for each step from author to author.
    """
    found: dict[int, Move] = {}
    seen: set[str] = set()
    ahead = set(author_ids)
    while ahead:
        seen |= ahead
        step = _moves(s, AuthorDecisionRow.author_id, ahead, until)
        found |= step
        ahead = {move.into_id for move in step.values()} - seen
    return Resolution(tuple(move for _, move in sorted(found.items())))


def canonical(
    s: Session, author_ids: Collection[str], work_id: str | None = None
) -> dict[str, str]:
    """By id: who the author is, in this work, or apart from the works that a split moved."""
    resolution = resolution_of(s, author_ids)
    return {author_id: resolution.author(author_id, work_id) for author_id in author_ids}


def ids_of(s: Session, author_id: str) -> frozenset[str]:
    """The ids that may stand for an author in some work, the author's own among them."""
    found, ahead = {author_id}, {author_id}
    while ahead:
        step = _moves(s, AuthorDecisionRow.into_id, ahead, None)
        ahead = {move.author_id for move in step.values()} - found
        found |= ahead
    return frozenset(found)


def same_person(s: Session, author_id: str) -> frozenset[str]:
    """All ids of the person whom this id means, apart from the works that a split moved."""
    person = canonical(s, [author_id])[author_id]
    whose = canonical(s, ids_of(s, person))
    return frozenset(i for i, now in whose.items() if now == person)


def said_by(
    s: Session,
    author_id: str,
    share_author: InstrumentedAttribute[str],
    work: InstrumentedAttribute[str],
) -> ColumnElement[bool]:
    """The condition that a share, of this author column in this work column, is the author's."""
    ids = ids_of(s, author_id)
    resolution = resolution_of(s, ids)
    named = frozenset[str]().union(*(move.works or () for move in resolution.moves))
    conditions: list[ColumnElement[bool]] = []
    for each in sorted(ids):
        theirs = {w for w in named if resolution.author(each, w) == author_id}
        if resolution.author(each) == author_id:
            elsewhere = work.not_in(named - theirs)
            conditions.append(and_(share_author == each, elsewhere))
        elif theirs:
            conditions.append(and_(share_author == each, work.in_(theirs)))
    return or_(false(), *conditions)


def authors_by_occurrence(
    s: Session, these: ColumnElement[bool]
) -> defaultdict[int, frozenset[str]]:
    """By id of each OccurrenceRow that this condition holds of: the ids of who says it now."""
    rows = s.execute(
        select(OccurrenceRow.id, OccurrenceRow.work_id, OccurrenceShareRow.author_id)
        .join(OccurrenceShareRow, OccurrenceShareRow.occurrence_id == OccurrenceRow.id)
        .where(these)
    ).all()
    whose = resolution_of(s, {author_id for *_, author_id in rows})
    found: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for occurrence_id, work_id, author_id in rows:
        found[occurrence_id] |= {whose.author(author_id, work_id)}
    return found


def says_with(s: Session, author_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """The conditions on an OccurrenceRow that the author says it, and that somebody else does."""
    share = select(OccurrenceShareRow.author_id).where(
        OccurrenceShareRow.occurrence_id == OccurrenceRow.id
    )
    theirs = said_by(s, author_id, OccurrenceShareRow.author_id, OccurrenceRow.work_id)
    return share.where(theirs).exists(), share.where(~theirs).exists()


def in_force(until: int | None = None) -> ColumnElement[bool]:
    """The condition that an AuthorDecisionRow is not undone, now or right after a decision."""
    undo = aliased(AuthorDecisionRow)
    undone = exists().where(undo.undoes == AuthorDecisionRow.id)
    if until is None:
        return ~undone
    return and_(AuthorDecisionRow.id <= until, ~undone.where(undo.id <= until))


def _moves(
    s: Session,
    end: InstrumentedAttribute[str] | InstrumentedAttribute[str | None],
    author_ids: Collection[str],
    until: int | None,
) -> dict[int, Move]:
    """The moves with one of these authors at an end, by decision."""
    decision, undone = AuthorDecisionRow, aliased(AuthorDecisionRow)
    # Undoing a split gives back all that stood for the author that it made.
    gives_back = exists().where(undone.id == decision.undoes, undone.kind == "split")
    query = (
        select(decision.id, decision.author_id, decision.into_id, AuthorDecisionWorkRow.work_id)
        .outerjoin(AuthorDecisionWorkRow, AuthorDecisionWorkRow.decision_id == decision.id)
        .where(or_(decision.kind.in_(("merge", "split")), gives_back))
        .where(end.in_(author_ids), in_force(until))
    )
    ends: dict[int, tuple[str, str]] = {}
    works: defaultdict[int, set[str]] = defaultdict(set)
    for decision_id, author_id, into_id, work_id in s.execute(query):
        ends[decision_id] = (author_id, str(into_id))
        if work_id is not None:
            works[decision_id].add(work_id)
    return {i: Move(*each, frozenset(works[i]) if i in works else None) for i, each in ends.items()}
