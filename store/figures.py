"""A few figures by which a copy of the database is known to be the whole of it."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.schema import AnswerRow, AuthorRow, Base, EmbeddingRow, EntryRow, StatementRow, WorkRow

_COUNTED: dict[str, type[Base]] = {
    "authors": AuthorRow,
    "works": WorkRow,
    "statements": StatementRow,
    "vectors": EmbeddingRow,
    "answers": AnswerRow,
    "entries": EntryRow,
}


def figures(s: Session) -> dict[str, int | str]:
    """Rows by kind, and the hash of the newest entry, which binds all before it ('' for none)."""
    counts = {
        name: s.scalar(select(func.count()).select_from(table)) or 0
        for name, table in _COUNTED.items()
    }
    newest = s.scalar(select(EntryRow.hash).order_by(EntryRow.seq.desc()).limit(1))
    return {**counts, "newest_entry_hash": newest or ""}
