"""How much of a work may be shown: of one statement by grants, of all of it to one asker."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.rights.grants import Grant, allowance, grants_of
from store.schema import AnswerRow, ContextRow, OccurrenceRow


@dataclass(frozen=True)
class Display:
    """How much of a statement in a work may be shown: `chars` code points, None all of it.

    `reason` says why: `free` (no grants), `granted`, `forbidden` (a grant in force forbids it) or
    `not_granted` (the work has grants and none is in force).
    """

    chars: int | None
    reason: str


@dataclass(frozen=True)
class Place:
    """A statement as it stands in a work: so many code points of it are shown with it."""

    statement_id: int
    work_id: str
    chars: int


FREE = Display(None, "free")
_LENGTH = OccurrenceRow.end - OccurrenceRow.start


def displays(
    s: Session, occurrence_ids: Collection[int], at_us: int | None = None
) -> dict[int, Display]:
    """How much may be shown of the statement at each occurrence at a time, by default now."""
    at = now_us() if at_us is None else at_us
    place = select(OccurrenceRow.id, OccurrenceRow.work_id)
    work_of = dict(s.execute(place.where(OccurrenceRow.id.in_(occurrence_ids))).all())
    granted = grants_of(s, set(work_of.values()))
    return {i: _display(granted.get(w, ()), at) for i, w in work_of.items()}


def _display(grants: Collection[Grant], at_us: int) -> Display:
    reason = allowance(grants, at_us, "may_display")
    if reason in ("not_granted", "forbidden"):
        return Display(0, reason)
    limits = [g.display_chars for g in grants if g.in_force(at_us) and g.display_chars is not None]
    return Display(min(limits, default=None), reason)


def places_of(s: Session, occurrence_ids: Sequence[int]) -> tuple[Place, ...]:
    """The places of these occurrences, in this order."""
    query = select(
        OccurrenceRow.id, OccurrenceRow.statement_id, OccurrenceRow.work_id, _LENGTH.label("chars")
    ).where(OccurrenceRow.id.in_(occurrence_ids))
    found = {row.id: Place(row.statement_id, row.work_id, row.chars) for row in s.execute(query)}
    return tuple(found[i] for i in occurrence_ids if i in found)


def shown_to(s: Session, asker_id: str, work_ids: Collection[str]) -> dict[str, dict[int, int]]:
    """By work the statements of it that an asker was shown, with their lengths in code points.

    Shown is what any of the asker's answers lists as its context, whether it fitted the prompt or
    not. One query.
    """
    rows = s.execute(
        select(OccurrenceRow.work_id, ContextRow.statement_id, func.max(_LENGTH))
        .join(ContextRow, ContextRow.occurrence_id == OccurrenceRow.id)
        .join(AnswerRow, AnswerRow.id == ContextRow.answer_id)
        .where(AnswerRow.asker_id == asker_id)
        .where(OccurrenceRow.work_id.in_(work_ids))
        .group_by(OccurrenceRow.work_id, ContextRow.statement_id)
    )
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for work_id, statement_id, characters in rows:
        found[work_id][statement_id] = characters
    return dict(found)
