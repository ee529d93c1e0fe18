"""What was retrieved for answers without being credited: facts per answer, no judgement.

An author is who they are now: what was said, and paid, under an id that was merged counts.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from store.ledger.keys import distribution_key_of
from store.ledger.reading import get_period
from store.periods import end_us
from store.repeats import PAID
from store.resolution import ids_of, said_by
from store.schema import (
    AnswerRow,
    AttributionRow,
    ContextRow,
    EntryRow,
    OccurrenceRow,
    OccurrenceShareRow,
    PairRow,
    SignalRow,
    StatementRow,
    TransferRow,
)

_BATCH = 2000
#: Reasons of the lines by which a policy gave an author's part to nobody.
REFUSED = ("own", "repeated", "copied", "common_knowledge")


class Retrieved(NamedTuple):
    """A statement of an author that was retrieved for an answer and earned the author nothing.

    `support` is that of its strongest support set, None when it was not in the prompt; `has_share`:
    the answer rests on it, so the policy decided; `refused` is then the policy's reason, if any.
    `below_noise_ppb` and `already_known_ppb` are parts of the whole answer.
    """

    answer_id: str
    statement_id: int
    included: bool
    support: float | None
    has_share: bool
    refused: str | None
    below_noise_ppb: int
    already_known_ppb: int


class Copied(NamedTuple):
    """An author's statement that stood in the cluster of one that was retrieved instead."""

    answer_id: str
    statement_id: int
    instead_of: int


def retrieved_uncredited(s: Session, author_id: str, period_id: int) -> Iterator[Retrieved]:
    """The author's own statements in the context of a period's answers that earned nobody a line
    for this author; by answer and rank.
    """
    ids = ids_of(s, author_id)
    refused = _lines(ids, REFUSED).with_only_columns(func.min(TransferRow.reason))
    share = (
        exists()
        .where(PairRow.attribution_id == AttributionRow.id, PairRow.author_id.in_(ids))
        .where(PairRow.statement_id == ContextRow.statement_id, PairRow.share_ppb > 0)
    )
    query = _answers(
        s,
        select(
            ContextRow.answer_id,
            ContextRow.statement_id,
            ContextRow.included,
            SignalRow.support,
            share,
            refused.scalar_subquery(),
            AttributionRow.below_noise_ppb,
            AttributionRow.already_known_ppb,
        ),
        period_id,
    )
    signal = and_(
        SignalRow.attribution_id == AttributionRow.id, SignalRow.position == ContextRow.position
    )
    query = query.outerjoin(SignalRow, signal)
    query = query.where(_said(s, author_id), ~_lines(ids, PAID).exists())
    return (Retrieved(*row) for row in _stream(s, query))


def copied_uncredited(s: Session, author_id: str, period_id: int) -> Iterator[Copied]:
    """The author's statements that were known when another of their cluster, not this author's, was
    put into the context of a period's answer; by answer and rank.
    """
    shown, mine, occurrence = aliased(StatementRow), aliased(StatementRow), aliased(OccurrenceRow)
    own = aliased(OccurrenceShareRow)
    columns = (ContextRow.answer_id, func.min(mine.id), ContextRow.statement_id)
    query = _answers(s, select(*columns), period_id)
    query = (
        query.join(shown, shown.id == ContextRow.statement_id)
        .join(mine, mine.cluster_id == shown.cluster_id)
        .join(occurrence, occurrence.statement_id == mine.id)
        .join(own, own.occurrence_id == occurrence.id)
        .where(said_by(s, author_id, own.author_id, occurrence.work_id))
        .where(ContextRow.included, ~_said(s, author_id))
        .where(~_lines(ids_of(s, author_id), PAID).exists())
        .where(occurrence.registered_us <= AnswerRow.created_us)
        .where(
            or_(occurrence.withdrawn_us.is_(None), occurrence.withdrawn_us > AnswerRow.created_us)
        )
        .group_by(ContextRow.answer_id, ContextRow.statement_id, ContextRow.position)
        .group_by(AnswerRow.created_us, AnswerRow.id)
    )
    return (Copied(*row) for row in _stream(s, query))


def _answers(
    s: Session, query: Select[*tuple[Any, ...]], period_id: int
) -> Select[*tuple[Any, ...]]:
    """Over the context of a period's final answers, but for those that were given free.

    An answer is of the period of its entry; a refused one, which has none, of the period it was
    given in.
    """
    period = get_period(s, period_id)
    end = end_us(s, period)
    refused = and_(AnswerRow.state == "refused", AnswerRow.created_us >= period.opened_us)
    if end is not None:
        refused = and_(refused, AnswerRow.created_us < end)
    final = and_(AttributionRow.answer_id == AnswerRow.id, AttributionRow.tier == "final")
    return (
        query.select_from(ContextRow)
        .join(AnswerRow, AnswerRow.id == ContextRow.answer_id)
        .join(AttributionRow, final)
        .outerjoin(EntryRow, EntryRow.key == distribution_key_of(AnswerRow.id))
        .where(AnswerRow.kind == "ask", or_(EntryRow.period_id == period_id, refused))
    )


def _said(s: Session, author_id: str) -> ColumnElement[bool]:
    """The condition that a context entry is, as of now, of this author."""
    return (
        exists()
        .where(OccurrenceShareRow.occurrence_id == ContextRow.occurrence_id)
        .where(OccurrenceRow.id == OccurrenceShareRow.occurrence_id)
        .where(said_by(s, author_id, OccurrenceShareRow.author_id, OccurrenceRow.work_id))
        .correlate(ContextRow)
    )


def _lines(author_ids: Collection[str], reasons: Sequence[str]) -> Select[*tuple[Any, ...]]:
    """The lines of a context entry's statement, of these authors and with one of these reasons."""
    return (
        select(TransferRow.id)
        .where(TransferRow.answer_id == ContextRow.answer_id)
        .where(TransferRow.statement_id == ContextRow.statement_id)
        # Not compared bare: by its index SQLite would go through all that the author ever earned.
        .where(func.coalesce(TransferRow.author_id, "").in_(author_ids))
        .where(TransferRow.reason.in_(reasons))
        .correlate(ContextRow)
    )


def _stream(s: Session, query: Select[*tuple[Any, ...]]) -> Iterator[Row[*tuple[Any, ...]]]:
    query = query.order_by(AnswerRow.created_us, AnswerRow.id, ContextRow.position)
    options = {"stream_results": True, "max_row_buffer": _BATCH}
    yield from s.connection().execute(query, execution_options=options)
