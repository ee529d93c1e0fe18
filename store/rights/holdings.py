"""Who held the rights in an answer's statements when it was given, and what else was true then."""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from store.erasures import erased_among
from store.readings import in_doubt
from store.records.corpus import AuthorShare
from store.records.rights import Entitlement, Holdings
from store.resolution import canonical, resolution_of
from store.rights.copies import copied_among
from store.rights.grants import parts_in_force
from store.schema import (
    AskerAuthorRow,
    CommonKnowledgeRow,
    OccurrenceRow,
    OccurrenceShareRow,
    RightsHolderRow,
    StatementRow,
)
from store.statements.sayings import Saying, sayings
from store.unresolved import unresolved_among


def holdings_of(
    s: Session,
    occurrences: Mapping[int, int],
    at_us: int,
    *,
    asker_id: str,
    common_authors: int | None = None,
) -> Holdings:
    """Who holds the rights in statements at a time, given each statement's credited occurrence.

    `occurrences` maps statement ids to occurrence ids. What a cluster says is common knowledge when
    an admin marked it, or when `common_authors` independent authors say it (None: only marked).
    Grants, permission, withdrawals and common knowledge are as of `at_us`; disputes, erasures, who
    is unresolved and the asker's own authors as of now. `repeated` is left empty. A constant number
    of queries.
    """
    said = sayings(s, occurrences.keys(), at_us, verified_only=common_authors is None)
    places = s.execute(
        select(
            OccurrenceRow.id,
            OccurrenceRow.work_id,
            OccurrenceRow.disputed,
            in_doubt(),
        ).where(OccurrenceRow.id.in_(set(occurrences.values())))
    ).all()
    work_of = {occurrence_id: work_id for occurrence_id, work_id, *_ in places}
    disputed = {occurrence_id for occurrence_id, _, is_disputed, _ in places if is_disputed}
    unsure = {occurrence_id for occurrence_id, *_, is_unsure in places if is_unsure}
    verified = {i: [each for each in all_ if each.verified] for i, all_ in said.items()}
    works = {*work_of.values(), *(each.work_id for some in verified.values() for each in some)}
    parts = parts_in_force(s, works, at_us)
    own = _own(s, asker_id)
    paid = {holder_id for granted in parts.values() for holder_id, _ in granted}
    entitled = {a.author_id for some in verified.values() for each in some for a in each.authors}
    holders = _holders(s, _who_said(s, occurrences.values()) | own | entitled, paid)
    return Holdings(
        holders=holders,
        grants={i: parts[work_of[occ]] for i, occ in occurrences.items() if work_of[occ] in parts},
        disputed=frozenset(i for i, occ in occurrences.items() if occ in disputed),
        own=own,
        copied=copied_among(s, occurrences, at_us),
        unsure=frozenset(i for i, occ in occurrences.items() if occ in unsure),
        common=_marked(s, occurrences.keys(), at_us) | _widely_said(s, said, common_authors),
        erased=erased_among(s, holders),
        unresolved=unresolved_among(s, holders),
        verified={i: _entitlements(some, parts) for i, some in verified.items() if some},
    )


def _entitlements(
    verified: Iterable[Saying], parts: Mapping[str, tuple[tuple[str, int], ...]]
) -> tuple[Entitlement, ...]:
    """One per distinct vector of author shares, under the grants of its first work."""
    first: dict[tuple[AuthorShare, ...], Entitlement] = {}
    for each in verified:
        first.setdefault(each.authors, Entitlement(each.authors, parts.get(each.work_id, ())))
    return tuple(first.values())


def _who_said(s: Session, occurrences: Collection[int]) -> frozenset[str]:
    """The authors of occurrences, each as they were when it was written and as they are now."""
    rows = s.execute(
        select(OccurrenceShareRow.author_id, OccurrenceRow.work_id)
        .join(OccurrenceRow, OccurrenceRow.id == OccurrenceShareRow.occurrence_id)
        .where(OccurrenceRow.id.in_(set(occurrences)))
    ).all()
    whose = resolution_of(s, {author_id for author_id, _ in rows})
    return frozenset(i for row in rows for i in (row.author_id, whose.author(*row)))


def _holders(s: Session, authors: Collection[str], paid: Collection[str]) -> dict[str, str]:
    """The holder that an author is: of these authors and of those paid."""
    rows = s.execute(
        select(RightsHolderRow.author_id, RightsHolderRow.id)
        .where(RightsHolderRow.author_id.is_not(None))
        .where(or_(RightsHolderRow.author_id.in_(authors), RightsHolderRow.id.in_(paid)))
    )
    return {str(author_id): holder_id for author_id, holder_id in rows}


def _own(s: Session, asker_id: str) -> frozenset[str]:
    query = select(AskerAuthorRow.author_id).where(AskerAuthorRow.asker_id == asker_id)
    own = s.scalars(query).all()
    return frozenset((*own, *canonical(s, own).values())) if own else frozenset()


def _marked(s: Session, ids: Collection[int], at_us: int) -> frozenset[int]:
    marked = select(StatementRow.id).join(
        CommonKnowledgeRow, CommonKnowledgeRow.statement_hash == StatementRow.hash
    )
    then = CommonKnowledgeRow.created_us <= at_us
    return frozenset(s.scalars(marked.where(StatementRow.id.in_(list(ids)), then)))


def _widely_said(
    s: Session, said: Mapping[int, Iterable[Saying]], least: int | None
) -> frozenset[int]:
    if least is None:
        return frozenset()
    ids = {a.author_id for some in said.values() for each in some for a in each.authors}
    unresolved = unresolved_among(s, ids)
    return frozenset(i for i, each in said.items() if _independent(each, unresolved) >= least)


def _independent(said: Iterable[Saying], unresolved: Collection[str]) -> int:
    """How many groups of authors said it that no chain of common works connects.

    Whoever splits into two authors and writes with each of them is one group; authors who are
    unknown, or may be one of the others, are none.
    """
    parent: dict[str, str] = {}

    def voice(author_id: str) -> str:
        """Who stands for the author's group."""
        while (above := parent.setdefault(author_id, author_id)) != author_id:
            parent[author_id] = author_id = parent[above]
        return author_id

    for each in said:
        known = (a.author_id for a in each.authors if a.author_id not in unresolved)
        voices = {voice(author_id) for author_id in known}
        parent |= dict.fromkeys(voices, min(voices, default=""))
    return sum(author_id == above for author_id, above in parent.items())
