"""Stored answers that rest on what is deleted, or quote it: the words go, shares and money stay."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.deletions.blanking import BLANK, Quotes, blank, texts_in
from store.deletions.planning import chunks
from store.schema import (
    AnswerRow,
    AttributionRow,
    CitationRow,
    ContextRow,
    SegmentRow,
    SupportMemberRow,
    SupportSetRow,
)

_WORDS = ("question", "claim", "preface", "text", "options")
_Resting = dict[str, set[int]]


def blank_resting(s: Session, ids: Sequence[int], texts: Callable[[], Iterable[str]]) -> int:
    """Blank what rests on these statements in the answers that had them in their context.

    In an answer whose shares are not final nobody knows what rests on what: there all goes.
    Returns how many answers were blanked that were whole before. `texts`: of the statements.
    """
    held = s.scalars(
        select(ContextRow.answer_id).where(ContextRow.statement_id.in_(ids)).distinct()
    ).all()
    quotes = Quotes(texts() if held else ())
    count = 0
    for some in chunks(held):
        resting = _resting(s, some, ids)
        for row in s.scalars(select(AnswerRow).where(AnswerRow.id.in_(some))).all():
            count += _blank(s, row, quotes, resting[row.id])
        s.flush()
    return count


def blank_quoting(s: Session, answer_ids: Sequence[str], quotes: Quotes) -> int:
    """Blank the quotations in these answers; returns how many were whole before."""
    count = 0
    for some in chunks(answer_ids):
        for row in s.scalars(select(AnswerRow).where(AnswerRow.id.in_(some))).all():
            count += _blank(s, row, quotes, set())
    s.flush()
    return count


def _blank(s: Session, row: AnswerRow, quotes: Quotes, segments: set[int]) -> bool:
    """Whether the answer was whole before."""
    whole = not _is_blanked(row)
    for name in _WORDS:
        setattr(row, name, quotes.blanked(getattr(row, name)))
    if segments:
        spans = select(SegmentRow.start, SegmentRow.end).where(SegmentRow.answer_id == row.id)
        found = s.execute(spans.where(SegmentRow.position.in_(segments)))
        row.text = blank(row.text, found)
    # Tokens say the same as the text, and the prompt has the statement itself.
    row.prompt_ids, row.answer_ids = [0] * len(row.prompt_ids), [0] * len(row.answer_ids)
    return whole and _is_blanked(row)


def _is_blanked(row: AnswerRow) -> bool:
    return any(BLANK in text for name in _WORDS for text in texts_in(getattr(row, name)))


def _resting(s: Session, answer_ids: Sequence[str], ids: Sequence[int]) -> _Resting:
    """The segments of each answer that rest on one of the statements."""
    found: _Resting = defaultdict(set)
    citing = select(AttributionRow.answer_id, CitationRow.segment).join(
        CitationRow, CitationRow.attribution_id == AttributionRow.id
    )
    backed = (
        select(AttributionRow.answer_id, SupportSetRow.segment)
        .join(SupportSetRow, SupportSetRow.attribution_id == AttributionRow.id)
        .join(SupportMemberRow, SupportMemberRow.support_set_id == SupportSetRow.id)
        .where(SupportSetRow.relation != "also")
    )
    final = select(AttributionRow.answer_id).where(AttributionRow.tier == "final")
    open_ = select(SegmentRow.answer_id, SegmentRow.position).where(
        SegmentRow.answer_id.in_(answer_ids), SegmentRow.answer_id.not_in(final)
    )
    these = AttributionRow.answer_id.in_(answer_ids)
    for query in (
        citing.where(these, CitationRow.statement_id.in_(ids)),
        backed.where(these, SupportMemberRow.statement_id.in_(ids)),
        open_,
    ):
        for answer_id, segment in s.execute(query):
            found[answer_id].add(segment)
    return found
