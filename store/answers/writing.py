"""Writing answers and attributions: whole, or not at all."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from store.answers.reading import get_answer
from store.records.answers import Answer, Attribution, SupportSet
from store.schema import (
    AnswerRow,
    AttributionRow,
    Base,
    CitationRow,
    ContextRow,
    PairRow,
    SegmentRow,
    SignalRow,
    SupportMemberRow,
    SupportSetRow,
)
from store.validation import answer_problems, attribution_problems


def add_answer(s: Session, answer: Answer) -> None:
    """Write an answer with its context and segments (T1). ValueError: it breaks a rule."""
    _require_none(f"answer {answer.id}", list(answer_problems(answer)))
    row = dict(vars(answer))
    context, segments = row.pop("context"), row.pop("segments")
    s.execute(insert(AnswerRow), [row])
    _insert_parts(s, ContextRow, context, answer_id=answer.id)
    _insert_parts(s, SegmentRow, segments, answer_id=answer.id)


def add_attribution(s: Session, attribution: Attribution) -> int:
    """Write the next version of an answer's attribution and return its row id.

    Support sets read back with ascending statement ids, citations by (segment, statement).
    ValueError: it breaks a rule, is not the next version, or would follow a final one.
    """
    answer = get_answer(s, attribution.answer_id)
    written = select(AttributionRow.tier).where(AttributionRow.answer_id == answer.id)
    tiers = s.scalars(written).all()
    problems = list(attribution_problems(attribution, answer))
    if attribution.version != len(tiers) + 1:
        problems.append(f"version {attribution.version} does not follow {len(tiers)}")
    if "final" in tiers:
        problems.append("the answer has a final attribution")
    _require_none(f"attribution of {answer.id}", problems)
    return _insert_attribution(s, attribution)


def _insert_attribution(s: Session, attribution: Attribution) -> int:
    row = dict(vars(attribution))
    unattributed, supports = row.pop("unattributed"), row.pop("supports")
    parts = {SignalRow: row.pop("signals"), PairRow: row.pop("pairs")}
    parts[CitationRow] = row.pop("citations")
    row["unattributed_ppb"] = unattributed.total
    row |= {f"{cause}_ppb": part for cause, part in vars(unattributed).items()}
    added = s.execute(insert(AttributionRow).returning(AttributionRow.id), [row]).scalar_one()
    for table, records in parts.items():
        _insert_parts(s, table, records, attribution_id=added)
    _insert_supports(s, supports, added)
    return added


def _insert_supports(s: Session, supports: Sequence[SupportSet], attribution_id: int) -> None:
    rows = [{**vars(support), "attribution_id": attribution_id} for support in supports]
    if not rows:
        return
    members = [row.pop("statement_ids") for row in rows]
    new_ids = insert(SupportSetRow).returning(SupportSetRow.id, sort_by_parameter_order=True)
    added = s.scalars(new_ids, rows).all()
    pairs = [(i, member) for i, ids in zip(added, members, strict=True) for member in ids]
    s.execute(
        insert(SupportMemberRow), [{"support_set_id": i, "statement_id": m} for i, m in pairs]
    )


def _insert_parts(s: Session, table: type[Base], parts: Sequence[object], **parent: Any) -> None:
    """One row per part: a record's fields are named as its columns."""
    if parts:
        s.execute(insert(table), [{**vars(part), **parent} for part in parts])


def _require_none(subject: str, problems: Sequence[str]) -> None:
    if problems:
        raise ValueError(f"{subject}: {'; '.join(problems)}")
