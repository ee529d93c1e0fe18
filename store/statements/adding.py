"""Finding or creating statements and saying where they stand."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from store import lexical
from store.clock import now_us
from store.errors import BadInput
from store.schema import ClusterRow, OccurrenceRow, OccurrenceShareRow, StatementRow
from store.statements.new import AddedStatement, NewStatement
from store.text import check_text, normalise, statement_hash

_T = TypeVar("_T")
_Spans = dict[tuple[int, int], tuple[int, _T]]
"""By half-open span in the work: the id of the statement that stands there, and something else."""


def add_statements(
    s: Session, work_id: str, scope: str, new: Sequence[NewStatement], version: int = 1
) -> tuple[AddedStatement, ...]:
    """Store statements of a work in a constant number of queries; the result is in their order.

    Their spans are of this version of its text. A text that the scope has already gets an
    occurrence, not a second statement. Storing the same span again changes nothing. Raises BadInput
    for a text without a readable character.
    """
    if not new:
        return ()
    hashes = [_checked_hash(item) for item in new]
    known = _statements_by_hash(s, scope, hashes)
    first = _first_of_each(hashes, new, known)
    ids = {digest: row_id for digest, (row_id, _) in known.items()}
    ids |= _insert_statements(s, scope, first)
    before = _occurrences(s, work_id, new, version)
    wanted = {
        (item.start, item.end): (ids[digest], item)
        for digest, item in zip(hashes, new, strict=True)
        if (item.start, item.end) not in before
    }
    stands = before | _insert_occurrences(s, work_id, wanted, version)
    lexical.refresh(s, sorted({statement_id for statement_id, _ in wanted.values()}))
    added: list[AddedStatement] = []
    for digest, item in zip(hashes, new, strict=True):
        span = (item.start, item.end)
        statement_id, occurrence_id = stands[span]
        if statement_id != ids[digest]:
            raise ValueError(f"another statement stands at {span} of work {work_id}")
        added.append(
            AddedStatement(
                statement_id=statement_id,
                occurrence_id=occurrence_id,
                is_new=first.get(digest) is item,
                occurrence_is_new=span in wanted,
                withdrawn=digest in known and known[digest][1],
            )
        )
    return tuple(added)


def add_texts(s: Session, scope: str, new: Sequence[NewStatement]) -> dict[str, int]:
    """Store the texts that the scope lacks, which stand nowhere yet; the ids of these by hash."""
    hashes = [_checked_hash(item) for item in new]
    known = _statements_by_hash(s, scope, hashes)
    return _insert_statements(s, scope, _first_of_each(hashes, new, known))


def _first_of_each(
    hashes: Sequence[str], new: Sequence[NewStatement], known: Collection[str]
) -> dict[str, NewStatement]:
    """By hash, the texts that are not known, as the first of each is written."""
    first: dict[str, NewStatement] = {}
    for digest, item in zip(hashes, new, strict=True):
        if digest not in known:
            first.setdefault(digest, item)
    return first


def _checked_hash(item: NewStatement) -> str:
    if not normalise(check_text(item.text)):
        raise BadInput("a statement needs a readable character")
    if item.authors and sum(share.ppm for share in item.authors) != 1_000_000:
        raise ValueError(f"the author shares of {item.text[:40]!r} do not sum to 1,000,000 ppm")
    return statement_hash(item.text)


def _statements_by_hash(
    s: Session, scope: str, hashes: Sequence[str]
) -> dict[str, tuple[int, bool]]:
    """Id, and whether it was withdrawn or deleted, by hash."""
    rows = s.execute(
        select(
            StatementRow.hash, StatementRow.id, StatementRow.withdrawn_us, StatementRow.text
        ).where(StatementRow.scope == scope, StatementRow.hash.in_(hashes))
    )
    return {
        digest: (row_id, withdrawn_us is not None or text is None)
        for digest, row_id, withdrawn_us, text in rows
    }


def _insert_statements(s: Session, scope: str, new: Mapping[str, NewStatement]) -> dict[str, int]:
    """Insert each with a cluster of its own; ids by hash."""
    if not new:
        return {}
    now = now_us()
    clusters = s.scalars(
        insert(ClusterRow).returning(ClusterRow.id), [{"created_us": now} for _ in new]
    ).all()
    rows = s.execute(
        insert(StatementRow).returning(StatementRow.hash, StatementRow.id),
        [
            {
                "scope": scope,
                "hash": digest,
                "text": item.text,
                "language": item.language,
                "cluster_id": cluster_id,
                "created_us": now,
            }
            for (digest, item), cluster_id in zip(new.items(), clusters, strict=True)
        ],
    )
    return dict(rows.all())


def _occurrences(
    s: Session, work_id: str, new: Sequence[NewStatement], version: int
) -> _Spans[int]:
    """Statement and occurrence id by span, for the stretch of the work that `new` covers."""
    starts = [item.start for item in new]
    rows = s.execute(
        select(
            OccurrenceRow.start, OccurrenceRow.end, OccurrenceRow.statement_id, OccurrenceRow.id
        ).where(
            OccurrenceRow.work_id == work_id,
            OccurrenceRow.version == version,
            OccurrenceRow.start.between(min(starts), max(starts)),
        )
    )
    return {(start, end): (statement_id, row_id) for start, end, statement_id, row_id in rows}


def _insert_occurrences(
    s: Session, work_id: str, new: _Spans[NewStatement], version: int
) -> _Spans[int]:
    """Insert them with their author shares; statement and occurrence id by span."""
    if not new:
        return {}
    now = now_us()
    rows = s.execute(
        insert(OccurrenceRow).returning(OccurrenceRow.start, OccurrenceRow.end, OccurrenceRow.id),
        [
            {
                "statement_id": statement_id,
                "work_id": work_id,
                "start": item.start,
                "end": item.end,
                "page": item.page,
                "line": item.line,
                "published_on": item.published_on,
                "headings": item.headings_text,
                "confidence_ppm": item.confidence_ppm,
                "boxes": item.boxes_json,
                "version": version,
                "registered_us": now,
                "disputed": False,
            }
            for statement_id, item in new.values()
        ],
    )
    spans = {(start, end): (new[start, end][0], row_id) for start, end, row_id in rows}
    shares = [
        {"occurrence_id": spans[span][1], "author_id": share.author_id, "ppm": share.ppm}
        for span, (_, item) in new.items()
        for share in item.authors
    ]
    if shares:
        s.execute(insert(OccurrenceShareRow), shares)
    return spans
