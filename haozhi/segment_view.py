"""The parts of an answer as others read them: whom each cites, who denies it, who also says so."""

from collections.abc import Mapping, Sequence
from typing import Any

from haozhi.display import shown_texts
from haozhi.policies import policy_of
from store.engine import Session
from store.people import author_names
from store.records.answers import Answer, Attribution, SupportSet
from store.statements import get_statements

Json = dict[str, Any]


def segment_view(answer: Answer, found: Attribution, k: int) -> Json:
    """A segment: its span, where it comes from, who is cited, who backs, denies or also says it."""
    segment = answer.segments[k]
    sets = [s for s in found.supports if s.segment == k]
    by = {relation: [s for s in sets if s.relation == relation] for relation in _RELATIONS}
    cited = [c for c in found.citations if c.segment == k]
    return {
        "start": segment.start,
        "end": segment.end,
        "weight": segment.weight_ppb / 10**9,
        "state": _state(by, sum(c.share_ppb for c in cited), found.tier),
        "citations": [{"statement_id": c.statement_id, "share_ppb": c.share_ppb} for c in cited],
        "supports": [
            {"set": list(s.statement_ids), "strength": s.strength, "method": s.method}
            for s in by["supports"]
        ],
        "contradicts": [i for s in by["contradicts"] for i in s.statement_ids],
        "also": [i for s in by["also"] for i in s.statement_ids],
    }


_RELATIONS = ("supports", "contradicts", "also")


def _state(by: Mapping[str, Sequence[SupportSet]], credited_ppb: int, tier: str) -> str:
    """Where a segment comes from, as far as what is stored says.

    disagree: a statement denies it; memory: nothing backs it; known: statements back it and are
    credited nothing, once shares are final; else context.
    """
    if by["contradicts"]:
        return "disagree"
    if not by["supports"]:
        return "memory"
    return "context" if credited_ppb or tier != "final" else "known"


def also_view(session: Session, found: Attribution) -> list[Json]:
    """The statements outside the context that say what a segment says, by id.

    Where the newest policy limits how much of a work is shown there is no text: it would not be
    counted.
    """
    ids = sorted({i for s in found.supports if s.relation == "also" for i in s.statement_ids})
    statements = get_statements(session, ids)
    places = [s.occurrences[0] if s.occurrences else None for s in statements]
    texts = [(s.text, p.id if p else None) for s, p in zip(statements, places, strict=True)]
    names = author_names(session, {a.author_id for p in places if p for a in p.authors})
    limited = policy_of(session).display_budget_chars is not None
    return [
        {
            "statement_id": statement.id,
            "text": None if limited else shown.text,
            "display": "not_counted" if limited and shown.text else shown.display,
            "authors": [
                {"id": a.author_id, "name": names.get(a.author_id), "share_ppm": a.ppm}
                for a in (place.authors if place else ())
            ],
            "work": {"id": place.work_id, "title": place.work_title} if place else None,
        }
        for statement, place, shown in zip(
            statements, places, shown_texts(session, texts), strict=True
        )
    ]
