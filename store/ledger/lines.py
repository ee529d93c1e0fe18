"""An account's lines in booking order, streamed: a well-read author has millions of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Row, Select, SQLColumnExpression, and_, select, union_all
from sqlalchemy.orm import Session

from store.ledger.found import Works
from store.ledger.reading import get_account_id
from store.ledger.spans import period_span
from store.records.ledger import Line
from store.schema import AccountRow, AnswerRow, EntryRow, TransferRow

#: Rows fetched at once.
_BATCH = 2000

Rows = Sequence[Row[*tuple[Any, ...]]]
Side = Select[*tuple[Any, ...]]
Columns = Callable[[SQLColumnExpression[int], SQLColumnExpression[int]], Side]
Query = CompoundSelect[*tuple[Any, ...]]


class ReportLine(NamedTuple):
    """A line as the files of a credit report show it; a tuple, as a million are written at once.

    `amount_micro` is positive in, negative out. `work_id` is where the statement was found for the
    answer. `counterparty` is the kind of the other account, never whose it is. `question` is None
    unless its asker shares it.
    """

    entry_key: str
    entry_seq: int
    entry_hash: str
    position: int
    period_id: int
    created_us: int
    answer_id: str | None
    statement_id: int | None
    author_id: str | None
    work_id: str | None
    share_ppb: int | None
    amount_micro: int
    reason: str
    counterparty: str
    question: str | None


def lines(s: Session, code: str, period_id: int | None = None) -> Iterator[Line]:
    """An account's lines in booking order, of all periods or of one. NotFound: no account."""
    both = union_all(*_sides(s, code, period_id, _line))
    return (Line(*row[1:]) for batch in _batches(s, both) for row in batch)


def newest_lines(s: Session, code: str, period_id: int, limit: int) -> tuple[Line, ...]:
    """The last `limit` lines of a period, in booking order. NotFound: no account."""
    both = union_all(*(_newest(side, limit) for side in _sides(s, code, period_id, _line)))
    newest = s.execute(both.order_by(both.selected_columns.line_id.desc()).limit(limit)).all()
    return tuple(Line(*row[1:]) for row in reversed(newest))


def report_lines(s: Session, code: str, period_id: int) -> Iterator[ReportLine]:
    """A period's lines as its files show them, in booking order. NotFound: no account."""
    return _with_works(s, _batches(s, union_all(*_sides(s, code, period_id, _report_line))))


def _with_works(s: Session, batches: Iterator[Rows]) -> Iterator[ReportLine]:
    works, make = Works(s), ReportLine._make
    for batch in batches:
        found = works.of_pairs({(row[7], row[8]) for row in batch})
        for row in batch:
            yield make((*row[1:10], found[row[7], row[8]], *row[10:]))


def _batches(s: Session, both: Query) -> Iterator[Rows]:
    """The rows in booking order by a cursor of the server: one batch at a time is in memory."""
    query = both.order_by(both.selected_columns.line_id)
    options = {"stream_results": True, "max_row_buffer": _BATCH}
    return s.connection().execute(query, execution_options=options).partitions(_BATCH)


def _newest(side: Side, limit: int) -> Side:
    """Cut here already: a whole side would be sorted else."""
    cut = side.order_by(side.selected_columns.line_id.desc()).limit(limit).subquery()
    return select(*cut.c)


def _sides(s: Session, code: str, period_id: int | None, columns: Columns) -> list[Side]:
    """What came into the account and what went out; each side is read from its own index."""
    account_id = get_account_id(s, code)
    sides = [
        columns(TransferRow.amount_micro, TransferRow.debit_account_id).where(
            TransferRow.credit_account_id == account_id
        ),
        columns(-TransferRow.amount_micro, TransferRow.credit_account_id).where(
            TransferRow.debit_account_id == account_id
        ),
    ]
    if period_id is not None:
        span = period_span(s, period_id)
        within = and_(TransferRow.id >= span.start, TransferRow.id < span.stop)
        sides = [side.where(within) for side in sides]
    return sides


def _line(signed: SQLColumnExpression[int], other: SQLColumnExpression[int]) -> Side:
    """Line number, then the fields of a Line in their order."""
    return (
        select(
            TransferRow.id.label("line_id"),
            EntryRow.seq,
            EntryRow.key,
            EntryRow.period_id,
            EntryRow.created_us,
            AccountRow.code,
            signed,
            TransferRow.reason,
            TransferRow.answer_id,
            TransferRow.statement_id,
            TransferRow.author_id,
            TransferRow.share_ppb,
            TransferRow.line,
        )
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .join(AccountRow, AccountRow.id == other)
    )


def _report_line(signed: SQLColumnExpression[int], other: SQLColumnExpression[int]) -> Side:
    """Line number, then the fields of a ReportLine in their order, without the work."""
    shares_question = AnswerRow.options["share_question"].as_boolean().is_(True)
    return (
        select(
            TransferRow.id.label("line_id"),
            EntryRow.key,
            EntryRow.seq,
            EntryRow.hash,
            TransferRow.position,
            EntryRow.period_id,
            EntryRow.created_us,
            TransferRow.answer_id,
            TransferRow.statement_id,
            TransferRow.author_id,
            TransferRow.share_ppb,
            signed,
            TransferRow.reason,
            AccountRow.kind,
            AnswerRow.question,
        )
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .join(AccountRow, AccountRow.id == other)
        .outerjoin(AnswerRow, and_(AnswerRow.id == TransferRow.answer_id, shares_question))
    )
