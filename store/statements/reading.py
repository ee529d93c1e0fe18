"""Reading statements with where they stand, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, not_, select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import NotFound
from store.permission import is_permitted
from store.records.corpus import AuthorShare, Occurrence, Statement
from store.resolution import resolution_of
from store.schema import (
    AuthorRow,
    Base,
    OccurrenceRow,
    OccurrenceShareRow,
    StatementRow,
    WorkRow,
)
from store.statements.priority import credit_order
from store.statements.visibility import is_visible
from store.text import statement_hash


@dataclass(frozen=True)
class Counts:
    """How much there is; `statements` counts the visible ones only."""

    authors: int
    works: int
    statements: int
    occurrences: int


def get_statements(
    s: Session, ids: Sequence[int], at_us: int | None = None
) -> tuple[Statement, ...]:
    """These statements in the given order, each with its occurrences, the credited one first.

    Who is credited (`store.statements.priority`) is said for a time, by default now. Occurrences
    in works that may not be used then come last and are there for what they were credited before;
    so is a withdrawn statement, marked. Raises NotFound for an unknown id.
    """
    rows = {row.id: row for row in s.scalars(select(StatementRow).where(StatementRow.id.in_(ids)))}
    missing = [statement_id for statement_id in ids if statement_id not in rows]
    if missing:
        raise NotFound(f"no statement has the id {missing[0]}")
    occurrences = _occurrences(s, ids, now_us() if at_us is None else at_us)
    return tuple(_statement(rows[i], occurrences.get(i, ())) for i in ids)


def find_by_text(s: Session, text: str, scope: str) -> Statement | None:
    """The statement of this text in the scope (compared as normalised), or None."""
    found = s.scalar(
        select(StatementRow.id).where(
            StatementRow.scope == scope, StatementRow.hash == statement_hash(text)
        )
    )
    return None if found is None else get_statements(s, [found])[0]


def known_hashes(s: Session, scope: str, hashes: Iterable[str]) -> set[str]:
    """Those of the statement hashes whose text is in the scope already, withdrawn or not."""
    return set(
        s.scalars(
            select(StatementRow.hash).where(
                StatementRow.scope == scope, StatementRow.hash.in_(list(hashes))
            )
        )
    )


def deleted_hashes(s: Session, scope: str, hashes: Iterable[str]) -> set[str]:
    """Those of the statement hashes whose text was deleted from the scope."""
    gone = StatementRow.text.is_(None)
    here = StatementRow.scope == scope
    return set(
        s.scalars(select(StatementRow.hash).where(here, gone, StatementRow.hash.in_(list(hashes))))
    )


def visible_ids(s: Session, ids: Iterable[int], at_us: int | None = None) -> set[int]:
    """Those of the ids that may be retrieved at a time, by default now.

    Not withdrawn, not deleted, standing in a work that no grant keeps out.
    """
    visible = is_visible(now_us() if at_us is None else at_us)
    return set(s.scalars(select(StatementRow.id).where(StatementRow.id.in_(list(ids)), visible)))


def languages(s: Session, ids: Iterable[int]) -> dict[int, str]:
    """The language of each of these statements."""
    query = select(StatementRow.id, StatementRow.language).where(StatementRow.id.in_(list(ids)))
    return dict(s.execute(query).all())


def counts(s: Session) -> Counts:
    """How many authors, works, visible statements and visible occurrences there are."""

    return Counts(
        authors=_count(s, AuthorRow),
        works=_count(s, WorkRow, WorkRow.state.in_(("ingesting", "ready"))),
        statements=_count(s, StatementRow, is_visible(now_us())),
        occurrences=_count(s, OccurrenceRow, OccurrenceRow.withdrawn_us.is_(None)),
    )


def _count(s: Session, table: type[Base], *where: ColumnElement[bool]) -> int:
    return s.scalar(select(func.count()).select_from(table).where(*where)) or 0


def _occurrences(s: Session, ids: Sequence[int], at_us: int) -> dict[int, tuple[Occurrence, ...]]:
    """The occurrences that are not withdrawn, by statement id, in the order of credit."""
    rows = s.execute(
        select(OccurrenceRow, WorkRow.title)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(OccurrenceRow.statement_id.in_(ids), OccurrenceRow.withdrawn_us.is_(None))
        .order_by(not_(is_permitted(at_us)), *credit_order())
    ).all()
    shares: dict[int, list[AuthorShare]] = defaultdict(list)
    for share in s.scalars(
        select(OccurrenceShareRow)
        .join(OccurrenceRow, OccurrenceRow.id == OccurrenceShareRow.occurrence_id)
        .where(OccurrenceRow.statement_id.in_(ids))
        .order_by(OccurrenceShareRow.author_id)
    ):
        shares[share.occurrence_id].append(AuthorShare(share.author_id, share.ppm))
    whose = resolution_of(s, {each.author_id for some in shares.values() for each in some})
    found: dict[int, list[Occurrence]] = defaultdict(list)
    for row, title in rows:
        said_by = whose.shares(shares[row.id], row.work_id)
        found[row.statement_id].append(_occurrence(row, title, said_by))
    return {i: tuple(each) for i, each in found.items()}


def _occurrence(row: OccurrenceRow, title: str, authors: tuple[AuthorShare, ...]) -> Occurrence:
    return Occurrence(
        id=row.id,
        work_id=row.work_id,
        work_title=title,
        start=row.start,
        end=row.end,
        page=row.page,
        line=row.line,
        published_on=row.published_on,
        registered_us=row.registered_us,
        disputed=row.disputed,
        authors=authors,
    )


def _statement(row: StatementRow, occurrences: tuple[Occurrence, ...]) -> Statement:
    return Statement(
        id=row.id,
        scope=row.scope,
        hash=row.hash,
        text=row.text,
        language=row.language,
        cluster_id=row.cluster_id,
        withdrawn=row.withdrawn_us is not None,
        occurrences=occurrences,
    )
