"""Grants: what a holder allows for a work, from when to when, and which part of its money goes
there.

Grants are never changed, only ended: whoever allows something else ends one grant and adds the
next. A work whose grants have all ended is used again only after a new one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import BadInput, NotFound
from store.permission import in_force
from store.schema import GrantRow, RightsHolderRow, WorkRow
from store.terms import check_terms
from store.text import admin_name

PPM = 1_000_000
_FAR_CHARS = 2**31
_FAR_US = 2**63
"""Later than any time that a database holds."""


@dataclass(frozen=True)
class NewGrant:
    """What a holder allows for a work.

    `ppm` is the part of the work's money that the holder gets, 0 for one who only allows or
    forbids. `display_chars` is the most characters of one statement that may be shown, None no
    limit. In force from `valid_from_us` (None: always was) until before `valid_until_us` (None:
    no end).
    """

    work_id: str
    holder_id: str
    ppm: int
    may_retrieve: bool = True
    may_generate: bool = True
    may_display: bool = True
    may_train: bool = False
    display_chars: int | None = None
    valid_from_us: int | None = None
    valid_until_us: int | None = None
    terms: str | None = None


@dataclass(frozen=True)
class Grant(NewGrant):
    """A stored grant, and the admins who granted and ended it (None: unknown, or not ended)."""

    id: int = 0
    granted_by: str | None = None
    ended_by: str | None = None
    created_us: int = 0

    def in_force(self, at_us: int) -> bool:
        """Whether it is in force at a time."""
        return _start(self) <= at_us < _end(self)


def add_grant(s: Session, grant: NewGrant, by: str) -> int:
    """Store a grant; returns its id. It moves no money of answers given before.

    NotFound: no such work or holder. BadInput: a part, an interval or terms that cannot be, two
    grants of one holder at a time, or grants of more than the whole at some time.
    """
    _check_exists(s, grant)
    if not 0 <= grant.ppm <= PPM:
        raise BadInput(f"a grant is of 0 to {PPM} ppm, not {grant.ppm}")
    if grant.display_chars is not None and not 0 <= grant.display_chars < _FAR_CHARS:
        raise BadInput(f"a grant allows 0 to {_FAR_CHARS - 1} characters to be displayed")
    if _start(grant) >= _end(grant):
        raise BadInput("a grant ends after it starts")
    terms = None if grant.terms is None else check_terms(grant.terms)
    _check_beside(grant, list_grants(s, grant.work_id))
    written = {"terms": terms, "granted_by": admin_name(by), "created_us": now_us()}
    values = vars(grant) | written
    return s.execute(insert(GrantRow).values(values).returning(GrantRow.id)).scalar_one()


def end_grant(s: Session, grant_id: int, by: str) -> None:
    """End a grant now; one that starts later never starts.

    NotFound: there is none. BadInput: it has ended, or was ended before it started.
    """
    now, by = now_us(), admin_name(by)
    grant = next(iter(_grants(s, GrantRow.id == grant_id)), None)
    if grant is None:
        raise NotFound(f"there is no grant {grant_id}")
    if _end(grant) <= now or grant.ended_by is not None:
        raise BadInput(f"grant {grant_id} has ended already")
    until = max(now, _start(grant))
    s.execute(
        update(GrantRow).where(GrantRow.id == grant_id).values(valid_until_us=until, ended_by=by)
    )


def list_grants(s: Session, work_id: str) -> tuple[Grant, ...]:
    """All grants for a work, the ended ones too, oldest first."""
    return _grants(s, GrantRow.work_id == work_id)


def grants_of(s: Session, work_ids: Collection[str]) -> dict[str, tuple[Grant, ...]]:
    """All grants by work, oldest first; a work without any is left out. One query."""
    found: dict[str, tuple[Grant, ...]] = defaultdict(tuple)
    for grant in _grants(s, GrantRow.work_id.in_(work_ids)):
        found[grant.work_id] += (grant,)
    return dict(found)


def parts_in_force(
    s: Session, work_ids: Collection[str], at_us: int
) -> dict[str, tuple[tuple[str, int], ...]]:
    """By work the (holder, ppm) of the grants in force at a time that are paid, by holder."""
    rows = s.execute(
        select(GrantRow.work_id, GrantRow.holder_id, GrantRow.ppm)
        .where(GrantRow.work_id.in_(work_ids), in_force(at_us), GrantRow.ppm > 0)
        .order_by(GrantRow.work_id, GrantRow.holder_id)
    )
    found: dict[str, tuple[tuple[str, int], ...]] = defaultdict(tuple)
    for work_id, holder_id, ppm in rows:
        found[work_id] += ((holder_id, ppm),)
    return dict(found)


def allowance(grants: Collection[Grant], at_us: int, *uses: str) -> str:
    """What the grants of a work say of uses (`may_…`) at a time.

    `free`: there are none; `not_granted`: none is in force; else `forbidden` or `granted`.
    """
    if not grants:
        return "free"
    now = [grant for grant in grants if grant.in_force(at_us)]
    if not now:
        return "not_granted"
    return "granted" if all(getattr(g, use) for g in now for use in uses) else "forbidden"


def _check_exists(s: Session, grant: NewGrant) -> None:
    if s.scalar(select(WorkRow.id).where(WorkRow.id == grant.work_id)) is None:
        raise NotFound(f"no work has the id {grant.work_id!r}")
    holder = select(RightsHolderRow.id).where(RightsHolderRow.id == grant.holder_id)
    if s.scalar(holder) is None:
        raise NotFound(f"no holder has the id {grant.holder_id!r}")


def _check_beside(grant: NewGrant, others: Iterable[Grant]) -> None:
    """At every moment the parts come to at most the whole, and a holder has one grant."""
    overlapping = [o for o in others if max(_start(o), _start(grant)) < min(_end(o), _end(grant))]
    for other in overlapping:
        if other.holder_id == grant.holder_id:
            raise BadInput(
                f"grant {other.id} of this holder is in force in that time: end it first"
            )
    # What is in force at the same time grows only where a grant starts.
    for moment in {_start(grant), *(max(_start(o), _start(grant)) for o in overlapping)}:
        granted = sum(o.ppm for o in overlapping if o.in_force(moment))
        if granted + grant.ppm > PPM:
            raise BadInput(f"{granted} ppm of the work are granted in that time: {PPM} are whole")


def _start(grant: NewGrant) -> int:
    return -_FAR_US if grant.valid_from_us is None else grant.valid_from_us


def _end(grant: NewGrant) -> int:
    return _FAR_US if grant.valid_until_us is None else grant.valid_until_us


def _grants(s: Session, condition: ColumnElement[bool]) -> tuple[Grant, ...]:
    columns = [getattr(GrantRow, field.name) for field in fields(Grant)]
    rows = s.execute(select(*columns).where(condition).order_by(GrantRow.id))
    return tuple(Grant(*row) for row in rows)
