"""Searching for what was deleted: in every column with words, and in the index of words."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, Column, String, Table, Text, cast, exists, func, select
from sqlalchemy.orm import Session

from store import lexical
from store.deletions.blanking import Quotes, texts_in
from store.deletions.planning import chunks
from store.records.ledger import Difference
from store.schema import Base, DeletedStatementRow, EmbeddingRow, StatementRow

#: Tables of numbers, hashes and codes, millions of rows of them.
_WITHOUT_WORDS = frozenset(
    {
        *("account_totals", "accounts", "audits", "checkpoints", "citations", "clusters"),
        *("context_entries", "credit_report_statements", "credit_reports", "deleted_statements"),
        *("embeddings", "entry_seals", "occurrence_shares", "pair_rows", "segments", "signals"),
        *("signing_keys", "support_members", "support_sets", "transfers"),
    }
)
_SAMPLE = 32
"""Texts that are looked for by their words."""
_WORDS = 32
_ROWS = 5_000
_NUMBERS = ("hash", "sha256", "fingerprint", "prompt_ids", "answer_ids", "boxes")
"""Ends of the names of columns that have numbers and digits only."""


@dataclass(frozen=True)
class Quoting:
    """A column of a row with one of the texts in it."""

    table: str
    column: str
    key: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.table}.{self.column} of {' '.join(map(str, self.key))}"


def places_quoting(
    s: Session, quotes: Quotes, tables: Collection[str] | None = None
) -> Iterator[Quoting]:
    """Every row of these tables, by default all, that has one of the texts in it, word for word."""
    for table in Base.metadata.sorted_tables if quotes.texts else ():
        if table.name in (tables or Base.metadata.tables.keys() - _WITHOUT_WORDS):
            yield from _in_table(s, table, quotes)


def left_of(s: Session, deletion_id: int) -> Iterator[Difference]:
    """What a deletion should have removed, and did not: texts, vectors, words."""
    marked = select(DeletedStatementRow.statement_id)
    marked = marked.where(DeletedStatementRow.deletion_id == deletion_id)
    texts = select(StatementRow.id).where(StatementRow.id.in_(marked))
    for i in s.scalars(texts.where(StatementRow.text.is_not(None))):
        yield Difference("text_left", f"statement {i}", "it still has its text")
    for i in s.scalars(texts.where(exists().where(EmbeddingRow.statement_id == StatementRow.id))):
        yield Difference("vector_left", f"statement {i}", "it still has a vector")
    for ids in chunks(list(s.scalars(marked.order_by(DeletedStatementRow.statement_id)))):
        for i in sorted(lexical.present(s, ids)):
            yield Difference("words_left", f"statement {i}", "its words can still be found")


def found_by_words(s: Session, texts: Collection[str], deletion_id: int) -> set[int]:
    """Deleted statements that the lexical index still finds by their words; some are tried."""
    found: set[int] = set()
    for text in sorted(texts)[:_SAMPLE]:
        found |= lexical.having(s, lexical.tokens(text)[:_WORDS])
    return found & set(deleted_ids(s, deletion_id)) if found else found


def deleted_ids(s: Session, deletion_id: int) -> list[int]:
    """The statements of a deletion, ascending."""
    query = select(DeletedStatementRow.statement_id).order_by(DeletedStatementRow.statement_id)
    return list(s.scalars(query.where(DeletedStatementRow.deletion_id == deletion_id)))


def deleted_among(s: Session, ids: Collection[int]) -> frozenset[int]:
    """Those of these statements that were deleted, or are being deleted."""
    query = select(DeletedStatementRow.statement_id)
    return frozenset(s.scalars(query.where(DeletedStatementRow.statement_id.in_(list(ids)))))


def _in_table(s: Session, table: Table, quotes: Quotes) -> Iterator[Quoting]:
    for column in (column for column in table.columns if _has_words(column)):
        # What is shorter than all of them is not even fetched.
        long = func.length(cast(column, Text)) >= quotes.shortest
        query = select(column, *table.primary_key).where(long)
        for rows in s.execute(query.execution_options(yield_per=_ROWS)).partitions():
            texts = [row[0] for row in rows]
            if isinstance(column.type, JSON):  # between its texts stands what no quotation has
                texts = ["\0".join(texts_in(value)) for value in texts]
            for i in quotes.standing_in(texts):
                yield Quoting(table.name, column.name, tuple(rows[i][1:]))


def _has_words(column: Column[Any]) -> bool:
    """No id, hash or token: those are keys, digits, and lists of numbers."""
    is_text = isinstance(column.type, String | JSON) and not column.name.endswith(_NUMBERS)
    return is_text and not column.primary_key and not column.foreign_keys
