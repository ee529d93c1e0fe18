"""Sums over an account's lines that the totals do not keep: by statement, and of young lines."""

from collections.abc import Sequence
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from store.ledger.found import Works
from store.ledger.reading import get_account_id
from store.ledger.reasons import IN, OUT
from store.ledger.spans import first_id, first_seq, period_span
from store.records.ledger import StatementTotal
from store.schema import EntryRow, TransferRow

EARNED = tuple(reason for reason, (column, _) in IN.items() if column == "earned")
TAKEN_BACK = tuple(reason for reason, (column, _) in OUT.items() if column == "adjustments")
_MOVED = (*TAKEN_BACK, "dispute_open", "dispute_back", "dispute_on", "claim")

_CREDIT = TransferRow.credit_account_id
_DEBIT = TransferRow.debit_account_id
_BATCH = 10_000


def statement_totals(s: Session, code: str, period_id: int) -> tuple[StatementTotal, ...]:
    """What each statement earned in an account in a period, less refunds and reversals.

    The largest first, then by id. NotFound: no account.
    """
    account_id, span = get_account_id(s, code), period_span(s, period_id)
    sums: dict[int, tuple[int, int, int]] = {}
    for own, reasons, sign in ((_CREDIT, EARNED, 1), (_DEBIT, TAKEN_BACK, -1)):
        for statement_id, moved, count, first in _by_statement(s, own, account_id, span, reasons):
            amount, lines, before = sums.get(statement_id, (0, 0, first))
            sums[statement_id] = amount + sign * int(moved), lines + count, min(before, first)
    works = _works_of_lines(s, [first for *_, first in sums.values()])
    totals = (
        StatementTotal(statement_id, works.get(statement_id), amount, lines)
        for statement_id, (amount, lines, _) in sums.items()
    )
    return tuple(sorted(totals, key=lambda total: (-total.amount_micro, total.statement_id)))


def young_ids(s: Session, period_id: int, since_us: int) -> range:
    """The ids of the transfers booked after a time, up to the end of a period."""
    first = first_id(first_seq(s, EntryRow.created_us, since_us + 1))
    return range(first, max(first, period_span(s, period_id).stop))


def young_micro(s: Session, code: str, ids: range, since_us: int) -> int:
    """What is left of what the lines after a time earned: `ids` are `young_ids` of it.

    Refunds, reversals and disputes count as far as the line that they change is young itself.
    """
    account_id = get_account_id(s, code)
    changed = aliased(EntryRow)
    young = 0
    for own, sign in ((_CREDIT, 1), (_DEBIT, -1)):
        moved = select(func.sum(TransferRow.amount_micro)).where(own == account_id)
        moved = moved.where(TransferRow.id >= ids.start, TransferRow.id < ids.stop)
        changes = (
            moved.join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
            .join(changed, changed.key == func.coalesce(EntryRow.corrects, EntryRow.reverses))
            .where(TransferRow.reason.in_(_MOVED), changed.created_us > since_us)
        )
        young += sign * int(s.scalar(changes) or 0)
        if sign == 1:
            young += int(s.scalar(moved.where(TransferRow.reason.in_(EARNED))) or 0)
    return young


def _by_statement(
    s: Session,
    own: InstrumentedAttribute[int],
    account_id: int,
    span: range,
    reasons: Sequence[str],
) -> Sequence[tuple[int, int, int, int]]:
    """(statement, micro-credits, lines, id of the first line) on one side of an account."""
    query = (
        select(
            TransferRow.statement_id,
            func.sum(TransferRow.amount_micro),
            func.count(),
            func.min(TransferRow.id),
        )
        .where(own == account_id, TransferRow.statement_id.is_not(None))
        .where(TransferRow.id >= span.start, TransferRow.id < span.stop)
        .where(TransferRow.reason.in_(reasons))
        .group_by(TransferRow.statement_id)
    )
    return [(int(i or 0), int(moved), count, first) for i, moved, count, first in s.execute(query)]


def _works_of_lines(s: Session, line_ids: Sequence[int]) -> dict[int, str | None]:
    """The work of each statement, by statement, as found for these lines."""
    works, found, ids = Works(s), dict[int, str | None](), iter(line_ids)
    columns = (TransferRow.answer_id, TransferRow.statement_id)
    while batch := list(islice(ids, _BATCH)):
        pairs = [
            (answer, statement)
            for answer, statement in s.execute(select(*columns).where(TransferRow.id.in_(batch)))
        ]
        for (_, statement_id), work_id in works.of_pairs(pairs).items():
            if statement_id is not None:
                found[statement_id] = work_id
    return found
