"""Erasing an author: what names the person goes; ids, statements, totals and proofs stay."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Engine, delete, select
from sqlalchemy.orm import Session

from store.acts import record
from store.job_names import Names, blank_job_files, blank_jobs
from store.people import Author, author_names
from store.resolution import same_person
from store.schema import (
    AskerAuthorRow,
    AuthorAliasRow,
    AuthorIdentifierRow,
    AuthorNameRow,
    Base,
    DisputeClosingRow,
    DisputeRow,
    EntryRow,
    ErasureRow,
    PayeeRow,
    PayoutEventRow,
    RightsHolderRow,
)
from store.text import normalise


@dataclass(frozen=True)
class Erased:
    """How many rows of each kind an erasure deleted; of jobs and their files, blanked."""

    names: int
    aliases: int
    identifiers: int
    payees: int
    asker_links: int
    jobs: int
    job_files: int


def erase_author(s: Session, author: Author, *, by: str, now_us: int) -> Erased | None:
    """Delete every row that says who an author is, and blank the name in what jobs keep.

    None: the author was erased before.

    So are those that were merged into the author, who are the same person. Later money for the
    author goes to the unclaimed reserve.
    """
    ids = same_person(s, author.id)
    if not (new := ids - erased_among(s, ids)):
        return None
    overwrite_deleted(s)
    s.add_all(ErasureRow(author_id=i, requested_by=by, created_us=now_us) for i in sorted(new))
    record(s, ErasureRow, [(i,) for i in sorted(new)])
    names = _naming(s, ids)
    holders = select(RightsHolderRow.id).where(RightsHolderRow.author_id.in_(ids))
    return Erased(
        names=_delete(s, AuthorNameRow, AuthorNameRow.author_id.in_(ids)),
        aliases=_delete(s, AuthorAliasRow, AuthorAliasRow.author_id.in_(ids)),
        identifiers=_delete(s, AuthorIdentifierRow, AuthorIdentifierRow.author_id.in_(ids)),
        payees=_delete(s, PayeeRow, PayeeRow.holder_id.in_(holders)),
        asker_links=_delete(s, AskerAuthorRow, AskerAuthorRow.author_id.in_(ids)),
        jobs=blank_jobs(s, names),
        job_files=blank_job_files(s, names),
    )


def overwrite_deleted(s: Session) -> None:
    """Let SQLite overwrite what this connection deletes: else the bytes stay readable."""
    if s.get_bind().dialect.name == "sqlite":
        s.connection().exec_driver_sql("PRAGMA secure_delete = ON")


def texts_naming(s: Session, author: Author) -> tuple[str, ...]:
    """What admins wrote with a name or alias of an author in it: `dispute ID`, `entry KEY`, `batch
    ID`. It is part of the books and stays.

    The names of those merged into the author count. One in Latin letters counts as a whole word
    only. To be called before the names are deleted.
    """
    names = _naming(s, same_person(s, author.id))
    found = (
        f"{kind} {key}"
        for kind, id_, text in _WRITTEN
        for key, written in s.execute(select(id_, text).where(text.is_not(None)))
        if names(written)
    )
    return tuple(sorted(set(found)))


def _naming(s: Session, ids: Collection[str]) -> Names:
    """Tells whether a text has a name or alias of these authors in it."""
    aliases = select(AuthorAliasRow.alias).where(AuthorAliasRow.author_id.in_(ids))
    names = {*s.scalars(aliases), *author_names(s, ids).values()}
    if not names:
        return lambda _: False
    any_name = "|".join(re.escape(normalise(name)) for name in sorted(names))
    found = re.compile(f"(?<![a-z0-9])({any_name})(?![a-z0-9])").search
    return lambda text: text is not None and found(normalise(text)) is not None


#: The words of admins that stay, with what they are about.
_WRITTEN = (
    ("dispute", DisputeRow.id, DisputeRow.ground),
    ("dispute", DisputeClosingRow.dispute_id, DisputeClosingRow.note),
    ("entry", EntryRow.key, EntryRow.memo),
    ("batch", PayoutEventRow.batch_id, PayoutEventRow.note),
)


def empty_log(engine: Engine) -> bool:
    """Drop SQLite's write-ahead log, which holds pages as they were before; nothing elsewhere.

    False: a reader in the middle of a transaction keeps its pages until the log is next emptied.
    """
    if engine.dialect.name != "sqlite":
        return True
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (busy, _pages, _moved) = cursor.fetchone() or (1, 0, 0)
        return not busy
    finally:
        connection.close()


def erased_among(s: Session, author_ids: Collection[str]) -> frozenset[str]:
    """Those of these authors who are erased."""
    query = select(ErasureRow.author_id).where(ErasureRow.author_id.in_(list(author_ids)))
    return frozenset(s.scalars(query))


def _delete(s: Session, table: type[Base], condition: ColumnElement[bool]) -> int:
    return len(s.execute(delete(table).where(condition).returning(condition)).all())
