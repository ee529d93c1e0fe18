"""Reading answers and attributions, one or many, in the same fixed number of queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Row, Select, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.errors import NotFound
from store.records.answers import (
    Answer,
    Attribution,
    Citation,
    ContextEntry,
    Pair,
    Segment,
    Signal,
    SupportSet,
    Unattributed,
)
from store.records.making import made
from store.schema import (
    AnswerRow,
    AttributionRow,
    CitationRow,
    ContextRow,
    PairRow,
    SegmentRow,
    SignalRow,
    SupportMemberRow,
    SupportSetRow,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")


def get_answer(s: Session, answer_id: str) -> Answer:
    """The answer with this id. NotFound: there is none."""
    for answer in load_answers(s, [answer_id]):
        return answer
    raise NotFound(f"there is no answer {answer_id}")


def list_answers(s: Session, limit: int, before: str | None = None) -> tuple[Answer, ...]:
    """Up to `limit` answers, newest first; `before` is the id of the last one already seen."""
    place = (AnswerRow.created_us, AnswerRow.id)
    ids = select(AnswerRow.id).order_by(*(column.desc() for column in place)).limit(limit)
    if before is not None:
        last = get_answer(s, before)
        ids = ids.where(tuple_(*place) < tuple_(last.created_us, last.id))
    return load_answers(s, s.scalars(ids).all())


def unsettled(s: Session) -> tuple[str, ...]:
    """Ids of the answers without a final attribution, oldest first."""
    final = select(AttributionRow.answer_id).where(AttributionRow.tier == "final")
    ids = select(AnswerRow.id).where(AnswerRow.id.not_in(final))
    return tuple(s.scalars(ids.order_by(AnswerRow.created_us, AnswerRow.id)))


def find_attribution(
    s: Session, answer_id: str, *, version: int | None = None, tier: str | None = None
) -> Attribution | None:
    """The latest attribution of an answer, or of this version or tier; None when there is none."""
    query = _ATTRIBUTIONS.where(AttributionRow.answer_id == answer_id)
    if version is not None:
        query = query.where(AttributionRow.version == version)
    if tier is not None:
        query = query.where(AttributionRow.tier == tier)
    newest = query.order_by(AttributionRow.version.desc()).limit(1)
    return next(iter(_attributions(s, newest)), None)


def get_attribution(s: Session, answer_id: str, version: int | None = None) -> Attribution:
    """This version of an answer's attribution, by default the latest. NotFound: there is none."""
    found = find_attribution(s, answer_id, version=version)
    if found is None:
        which = "attribution" if version is None else f"attribution {version}"
        raise NotFound(f"there is no {which} of answer {answer_id}")
    return found


def load_answers(s: Session, ids: Sequence[str]) -> tuple[Answer, ...]:
    """The answers with these ids in this order; ids that are unknown are left out."""
    query = select(AnswerRow.__table__).where(AnswerRow.id.in_(ids))
    rows = {row.id: row for row in s.connection().execute(query)}
    context = _parts(s, ContextEntry, ContextRow.answer_id, ids)
    segments = _parts(s, Segment, SegmentRow.answer_id, ids)
    return tuple(_answer(rows[i], context[i], segments[i]) for i in ids if i in rows)


def load_final_attributions(s: Session, answer_ids: Sequence[str]) -> dict[str, Attribution]:
    """The final attributions of these answers, by answer id."""
    query = _ATTRIBUTIONS.where(AttributionRow.answer_id.in_(answer_ids))
    final = _attributions(s, query.where(AttributionRow.tier == "final"))
    return {attribution.answer_id: attribution for attribution in final}


# Rows of tables: as objects of the session they would take twice the time, and a check of the
# books reads every answer.
_ATTRIBUTIONS = select(AttributionRow.__table__)
_SUPPORTS = (
    select(SupportSetRow.__table__, SupportMemberRow.statement_id)
    .join(SupportMemberRow)
    .order_by(SupportSetRow.id, SupportMemberRow.statement_id)
)


def _answer(
    row: Row[Any], context: tuple[ContextEntry, ...], segments: tuple[Segment, ...]
) -> Answer:
    columns = _columns(row, Answer, "context", "segments", "prompt_ids", "answer_ids")
    return Answer(
        prompt_ids=tuple(row.prompt_ids),
        answer_ids=tuple(row.answer_ids),
        context=context,
        segments=segments,
        **columns,
    )


def _attributions(s: Session, query: Select[Any]) -> list[Attribution]:
    rows = s.connection().execute(query).all()
    ids = [row.id for row in rows]
    signals = _parts(s, Signal, SignalRow.attribution_id, ids)
    pairs = _parts(s, Pair, PairRow.attribution_id, ids)
    citations = _parts(s, Citation, CitationRow.attribution_id, ids)
    supports = _supports(s, ids)
    return [
        Attribution(
            unattributed=_unattributed(row),
            supports=supports[row.id],
            signals=signals[row.id],
            pairs=pairs[row.id],
            citations=citations[row.id],
            **_columns(
                row, Attribution, "unattributed", "supports", "signals", "pairs", "citations"
            ),
        )
        for row in rows
    ]


def _unattributed(row: Row[Any]) -> Unattributed:
    return Unattributed(**{f.name: getattr(row, f"{f.name}_ppb") for f in fields(Unattributed)})


def _supports(s: Session, ids: Sequence[int]) -> defaultdict[int, tuple[SupportSet, ...]]:
    rows = s.connection().execute(_SUPPORTS.where(SupportSetRow.attribution_id.in_(ids)))
    grouped: defaultdict[int, tuple[SupportSet, ...]] = defaultdict(tuple)
    for _, members in groupby(rows, key=attrgetter("id")):
        row, *others = members
        support = SupportSet(
            statement_ids=(row.statement_id, *(other.statement_id for other in others)),
            **_columns(row, SupportSet, "statement_ids"),
        )
        grouped[row.attribution_id] += (support,)
    return grouped


def _parts(
    s: Session, record: type[Record], parent: InstrumentedAttribute[Any], ids: Sequence[Any]
) -> defaultdict[Any, tuple[Record, ...]]:
    """The records of each parent in primary key order; their fields are named as the columns."""
    table = parent.class_
    names = _names(record, ())
    columns = [getattr(table, name) for name in names]
    query = select(parent, *columns).where(parent.in_(ids)).order_by(*table.__table__.primary_key)
    grouped: defaultdict[Any, tuple[Record, ...]] = defaultdict(tuple)
    for parent_id, *values in s.connection().execute(query).all():
        grouped[parent_id] += (made(record, names, values),)
    return grouped


def _columns(row: object, record: type[Record], *without: str) -> dict[str, Any]:
    """The columns of a row that are fields of the record."""
    return {name: getattr(row, name) for name in _names(record, without)}


@cache
def _names(record: type["DataclassInstance"], without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record) if field.name not in without)
