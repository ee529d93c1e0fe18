"""What a cluster says was said by whom: the vectors of author shares of its occurrences."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from sqlalchemy import and_, select, true
from sqlalchemy.orm import Session, aliased

from store.permission import is_permitted
from store.records.corpus import AuthorShare
from store.resolution import resolution_of
from store.schema import OccurrenceRow, OccurrenceShareRow, StatementRow, WorkRow
from store.statements.priority import credit_order, is_verified
from store.statements.visibility import is_standing


@dataclass(frozen=True)
class Saying:
    """That somebody said what a cluster says: an occurrence's work and author shares.

    `authors` is ordered by author id, empty when unknown. `verified`: the date is on record
    elsewhere or signed.
    """

    work_id: str
    verified: bool
    authors: tuple[AuthorShare, ...]


def sayings(
    s: Session, ids: Collection[int], at_us: int, *, verified_only: bool = False
) -> dict[int, tuple[Saying, ...]]:
    """By statement, who said what its cluster (within its scope) says, in the order of credit.

    Only undisputed occurrences that may be used at this time count.
    """
    asked = aliased(StatementRow)
    rows = s.execute(
        select(
            asked.id,
            OccurrenceRow.id,
            OccurrenceRow.work_id,
            is_verified(),
            OccurrenceShareRow.author_id,
            OccurrenceShareRow.ppm,
        )
        .join(
            StatementRow,
            and_(StatementRow.cluster_id == asked.cluster_id, StatementRow.scope == asked.scope),
        )
        .join(OccurrenceRow, OccurrenceRow.statement_id == StatementRow.id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .outerjoin(OccurrenceShareRow, OccurrenceShareRow.occurrence_id == OccurrenceRow.id)
        .where(asked.id.in_(ids), is_standing(), is_permitted(at_us))
        .where(OccurrenceRow.withdrawn_us.is_(None), OccurrenceRow.disputed.is_(False))
        .where(is_verified() if verified_only else true())
        .order_by(*credit_order(), OccurrenceShareRow.author_id)
    )
    found: dict[int, dict[int, Saying]] = defaultdict(dict)
    for statement_id, occurrence_id, work_id, verified, author_id, ppm in rows:
        before = found[statement_id].get(occurrence_id)
        authors = before.authors if before else ()
        if author_id:  # null when unknown
            authors = (*authors, AuthorShare(author_id, ppm))
        found[statement_id][occurrence_id] = Saying(work_id, bool(verified), authors)
    said = [saying for each in found.values() for saying in each.values()]
    whose = resolution_of(s, {share.author_id for each in said for share in each.authors})
    return {
        i: tuple(replace(e, authors=whose.shares(e.authors, e.work_id)) for e in each.values())
        for i, each in found.items()
    }
