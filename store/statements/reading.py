"""Reading statements with where they stand, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, func, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.records import AuthorShare, Occurrence, Statement
from store.schema import (
    AuthorRow,
    Base,
    OccurrenceRow,
    OccurrenceShareRow,
    StatementRow,
    WorkRow,
)
from store.text import statement_hash


@dataclass(frozen=True)
class Counts:
    """How much there is; `statements` counts the visible ones only."""

    authors: int
    works: int
    statements: int
    occurrences: int


def is_visible() -> ColumnElement[bool]:
    """The condition that a StatementRow is not withdrawn and stands somewhere that is not."""
    stands = exists().where(
        OccurrenceRow.statement_id == StatementRow.id, OccurrenceRow.withdrawn_us.is_(None)
    )
    return and_(StatementRow.withdrawn_us.is_(None), StatementRow.text.is_not(None), stands)


def get_statements(s: Session, ids: Sequence[int]) -> tuple[Statement, ...]:
    """These statements in the given order, each with its visible occurrences, the credited first.

    A withdrawn statement is returned too, marked. Raises NotFound for an unknown id.
    """
    rows = {row.id: row for row in s.scalars(select(StatementRow).where(StatementRow.id.in_(ids)))}
    missing = [statement_id for statement_id in ids if statement_id not in rows]
    if missing:
        raise NotFound(f"no statement has the id {missing[0]}")
    occurrences = _occurrences(s, ids)
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


def visible_ids(s: Session, ids: Iterable[int]) -> set[int]:
    """Those of the ids that may be retrieved: not withdrawn, not deleted, standing somewhere."""
    return set(
        s.scalars(select(StatementRow.id).where(StatementRow.id.in_(list(ids)), is_visible()))
    )


def counts(s: Session) -> Counts:
    """How many authors, works, visible statements and visible occurrences there are."""

    return Counts(
        authors=_count(s, AuthorRow),
        works=_count(s, WorkRow, WorkRow.state != "withdrawn"),
        statements=_count(s, StatementRow, is_visible()),
        occurrences=_count(s, OccurrenceRow, OccurrenceRow.withdrawn_us.is_(None)),
    )


def _count(s: Session, table: type[Base], *where: ColumnElement[bool]) -> int:
    return s.scalar(select(func.count()).select_from(table).where(*where)) or 0


def _occurrences(s: Session, ids: Sequence[int]) -> dict[int, tuple[Occurrence, ...]]:
    """The visible occurrences by statement id, in the order of credit."""
    rows = s.execute(
        select(OccurrenceRow, WorkRow.title)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(OccurrenceRow.statement_id.in_(ids), OccurrenceRow.withdrawn_us.is_(None))
    ).all()
    shares: dict[int, list[AuthorShare]] = defaultdict(list)
    for share in s.scalars(
        select(OccurrenceShareRow)
        .join(OccurrenceRow, OccurrenceRow.id == OccurrenceShareRow.occurrence_id)
        .where(OccurrenceRow.statement_id.in_(ids))
        .order_by(OccurrenceShareRow.author_id)
    ):
        shares[share.occurrence_id].append(AuthorShare(share.author_id, share.ppm))
    found: dict[int, list[Occurrence]] = defaultdict(list)
    for row, title in rows:
        found[row.statement_id].append(_occurrence(row, title, tuple(shares[row.id])))
    return {i: tuple(sorted(each, key=_credit_order)) for i, each in found.items()}


def _credit_order(occurrence: Occurrence) -> tuple[bool, bool, str, int, int]:
    published_on = occurrence.published_on
    return (
        occurrence.disputed,
        published_on is None,
        published_on or "",
        occurrence.registered_us,
        occurrence.id,
    )


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
