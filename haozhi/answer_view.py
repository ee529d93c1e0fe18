"""An answer as others read it: the stable JSON of the command line and the API."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from haozhi.attribution.context import authors_of
from haozhi.display import Shown, shown_texts
from haozhi.provenance import opened
from haozhi.segment_view import also_view, segment_view
from store.answers import get_answer, get_attribution
from store.engine import Session
from store.ledger import entries_for_answer
from store.people import author_names
from store.records.answers import Answer, Attribution, ContextEntry
from store.records.corpus import Statement
from store.statements import get_statements

Json = dict[str, Any]

_STEPS = ("retrieve", "prompt", "generate", "attribute", "look_up", "store")


def answer_view(session: Session, answer_id: str) -> Json:
    """The stored answer with its newest attribution and what was posted. NotFound: no such answer.

    Shares, citations and causes are integers in parts per billion that sum to 10^9. A statement's
    text is as its grants let it be shown now; `display` says so, and why where it is null. The
    statements of `also` say what a segment says too, were not in the context and are not paid.
    `moved_ppb` is how far final shares are from the provisional ones, null before.
    """
    answer = opened(session, get_answer(session, answer_id))
    found = get_attribution(session, answer_id)
    entries = entries_for_answer(session, answer_id)
    rest = found.unattributed
    return {
        "id": answer.id,
        "kind": answer.kind,
        "state": answer.state,
        "refusal": answer.refusal,
        "question": answer.question,
        "claim": answer.claim,
        "text": answer.text,
        "language": answer.language,
        "model": answer.model,
        "segments": [segment_view(answer, found, k) for k in range(len(answer.segments))],
        "context": _measured(context_view(session, answer.context), found),
        "also": also_view(session, found),
        "over_budget": answer.options.get("over_budget", []),
        "shares": _shares(session, answer, found),
        "unattributed_ppb": rest.total,
        "unattributed": {
            "unsupported": rest.unsupported,
            "already_known": rest.already_known,
            "below_noise": rest.below_noise,
            "disagree": rest.disagree,
        },
        "grounding": found.grounding,
        "rule": found.rule,
        "tier": found.tier,
        "moved_ppb": found.detail.get("moved_ppb"),
        "fee_micro": answer.fee_micro,
        "entry_id": entries[0].key if entries else None,
        "postings": [
            {
                "from": t.debit,
                "account": t.credit,
                "amount_micro": t.amount_micro,
                "reason": t.reason,
            }
            for entry in entries
            for t in entry.transfers
        ],
        "timings_ms": {
            **dict.fromkeys(_STEPS, 0),
            **answer.timings_ms,
            **found.detail.get("timings_ms", {}),
        },
    }


def context_view(session: Session, context: Sequence[ContextEntry]) -> list[Json]:
    """The statements of a context by rank, before anything is measured of them."""
    statements = get_statements(session, [c.statement_id for c in context])
    authors = {a.author_id for c in context for a in authors_of(c.player)}
    names = author_names(session, authors)
    texts = zip((s.text for s in statements), (c.occurrence_id for c in context), strict=True)
    return [
        _entry(entry, statement, shown, names)
        for entry, statement, shown in zip(
            context, statements, shown_texts(session, texts), strict=True
        )
    ]


def _measured(context: list[Json], found: Attribution) -> list[Json]:
    """The context with what the attribution says of each statement; null is not measured."""
    signals = {signal.position: signal for signal in found.signals}
    names = ("attention", "gradient", "influence_nats", "support")
    return [
        entry
        | {name: getattr(signals.get(position), name, None) for name in names}
        | {"share_ppb": signals[position].share_ppb if position in signals else 0}
        for position, entry in enumerate(context)
    ]


def _entry(entry: ContextEntry, statement: Statement, shown: Shown, names: dict[str, str]) -> Json:
    place = next((o for o in statement.occurrences if o.id == entry.occurrence_id), None)
    return {
        "statement_id": entry.statement_id,
        "text": shown.text,
        "display": shown.display,
        "authors": [
            {"id": a.author_id, "name": names.get(a.author_id), "share_ppm": a.ppm}
            for a in authors_of(entry.player)
        ],
        "player": entry.player,
        "work": {"id": place.work_id, "title": place.work_title} if place else None,
        "start": place.start if place else None,
        "end": place.end if place else None,
        "included": entry.included,
        "retrieval": entry.retrieval,
    }


def _shares(session: Session, answer: Answer, found: Attribution) -> list[Json]:
    """A row per author, the greatest share first; the null id stands for unknown authors."""
    sums: dict[str | None, list[int]] = defaultdict(lambda: [0, 0, 0])
    relations: dict[str | None, set[str]] = defaultdict(set)
    told: dict[str, str] = answer.options.get("relations", {})
    for pair in found.pairs:
        for i, part in enumerate((pair.share_ppb, pair.low_ppb, pair.high_ppb)):
            sums[pair.author_id][i] += part
        if str(pair.statement_id) in told:
            relations[pair.author_id].add(told[str(pair.statement_id)])
    names = author_names(session, {author for author in sums if author})
    return [
        {
            "author_id": author,
            "name": names.get(author) if author else None,
            "share_ppb": share,
            "low_ppb": low,
            "high_ppb": high,
            "relation": next((r for r in _STANDINGS if r in relations[author]), None),
        }
        for author, (share, low, high) in sorted(
            sums.items(), key=lambda item: (-item[1][0], item[0] or "")
        )
    ]


_STANDINGS = ("first_stated", "stated", "derived")
