"""Erasing an author: what names the person goes; ids, statements, totals and proofs stay."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Engine, delete, select
from sqlalchemy.orm import Session

from store.acts import record
from store.people import Author
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
)
from store.text import normalise


@dataclass(frozen=True)
class Erased:
    """How many rows of each kind an erasure deleted."""

    names: int
    aliases: int
    identifiers: int
    payees: int
    asker_links: int


def erase_author(s: Session, author: Author, *, by: str, now_us: int) -> Erased | None:
    """Delete every row that says who an author is; None: the author was erased before.

    Later money for the author goes to the unclaimed reserve.
    """
    if erased_among(s, [author.id]):
        return None
    if s.get_bind().dialect.name == "sqlite":  # overwrites deleted bytes, else they stay readable
        s.connection().exec_driver_sql("PRAGMA secure_delete = ON")
    s.add(ErasureRow(author_id=author.id, requested_by=by, created_us=now_us))
    record(s, ErasureRow, [(author.id,)])
    return Erased(
        names=_delete(s, AuthorNameRow, AuthorNameRow.author_id == author.id),
        aliases=_delete(s, AuthorAliasRow, AuthorAliasRow.author_id == author.id),
        identifiers=_delete(s, AuthorIdentifierRow, AuthorIdentifierRow.author_id == author.id),
        payees=_delete(s, PayeeRow, PayeeRow.holder_id == author.holder_id),
        asker_links=_delete(s, AskerAuthorRow, AskerAuthorRow.author_id == author.id),
    )


def texts_naming(s: Session, author: Author) -> tuple[str, ...]:
    """What admins wrote with a name or alias of an author in it: `dispute ID`, `entry KEY`, `batch
    ID`. It is part of the books and stays.

    A name in Latin letters counts as a whole word only. To be called before the name is deleted.
    """
    aliases = select(AuthorAliasRow.alias).where(AuthorAliasRow.author_id == author.id)
    names = {*s.scalars(aliases), *([author.name] if author.name else [])}
    if not names:
        return ()
    any_name = "|".join(re.escape(normalise(name)) for name in sorted(names))
    named = re.compile(f"(?<![a-z0-9])({any_name})(?![a-z0-9])").search
    found = (
        f"{kind} {key}"
        for kind, id_, text in _WRITTEN
        for key, written in s.execute(select(id_, text).where(text.is_not(None)))
        if named(normalise(written or ""))
    )
    return tuple(sorted(set(found)))


#: The words of admins that stay, with what they are about.
_WRITTEN = (
    ("dispute", DisputeRow.id, DisputeRow.ground),
    ("dispute", DisputeClosingRow.dispute_id, DisputeClosingRow.note),
    ("entry", EntryRow.key, EntryRow.memo),
    ("batch", PayoutEventRow.batch_id, PayoutEventRow.note),
)


def empty_log(engine: Engine) -> None:
    """Drop SQLite's write-ahead log, which holds pages as they were before; nothing elsewhere.

    A reader in the middle of a transaction keeps its pages until the log is next emptied.
    """
    if engine.dialect.name == "sqlite":
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()


def erased_among(s: Session, author_ids: Collection[str]) -> frozenset[str]:
    """Those of these authors who are erased."""
    query = select(ErasureRow.author_id).where(ErasureRow.author_id.in_(list(author_ids)))
    return frozenset(s.scalars(query))


def _delete(s: Session, table: type[Base], condition: ColumnElement[bool]) -> int:
    return len(s.execute(delete(table).where(condition).returning(condition)).all())
