"""`haozhi.why` as JSON, with how the answer came about and what the ledger has of it."""

from typing import Any

from haozhi.times import whole_ms
from haozhi.why import Tier, why_of
from store.engine import Session
from store.ledger import entries_for_answer
from store.records.answers import Answer

Json = dict[str, Any]

_KEPT = ("version", "way", "seed", "temperature", "top_p", "embedder")


def why_view(session: Session, answer_id: str) -> Json:
    """What `answer_view` leaves out: tokens, fingerprints, each attribution, the ledger's entries.

    `tokens_in_order` are the statements in the order of the prompt with the tokens that each takes;
    `moved_ppb` is how far the tiers are apart. What is not measured or was not kept is null.
    NotFound: no such answer.
    """
    why = why_of(session, answer_id)
    answer = why.answer
    return {
        "id": answer.id,
        "created_ms": answer.created_us // 1000,
        "tokens": _tokens(answer),
        "tokens_in_order": _in_order(answer),
        "attributions": [_attribution(tier) for tier in (why.provisional, why.final) if tier],
        "moved_ppb": why.moved_ppb,
        "moved_much": why.moved_much,
        "model_fingerprint": answer.model_fingerprint,
        "prompt_fingerprint": answer.prompt_fingerprint,
        "policy_version": answer.policy_version,
        "options": {name: answer.options.get(name) for name in _KEPT},
        "entries": [
            {
                "id": entry.key,
                "seq": entry.seq,
                "hash": entry.hash,
                "created_ms": whole_ms(entry.created_us),
            }
            for entry in entries_for_answer(session, answer_id)
        ],
    }


def _in_order(answer: Answer) -> list[Json]:
    placed = [
        (entry.token_start, entry.token_end, entry.statement_id)
        for entry in answer.context
        if entry.token_start is not None and entry.token_end is not None
    ]
    return [{"statement_id": i, "tokens": end - start} for start, end, i in sorted(placed)]


def _tokens(answer: Answer) -> Json | None:
    """The tokens of the prompt by what they are; None for an answer without a prompt."""
    if not answer.prompt_ids:
        return None
    statements = sum(each["tokens"] for each in _in_order(answer))
    return {
        "prompt": len(answer.prompt_ids),
        "statements": statements,
        "rest": answer.tail_start - statements,
        "tail": len(answer.prompt_ids) - answer.tail_start,
        "answer": len(answer.answer_ids),
    }


def _attribution(tier: Tier) -> Json:
    found = tier.found
    return {
        "version": found.version,
        "tier": found.tier,
        "rule": found.rule,
        "method": found.method,
        "v_none": found.v_none,
        "v_all": found.v_all,
        "grounding": found.grounding,
        "residual": found.residual,
        "order_spread": found.order_spread,
        **vars(tier.spent),
        "influence_method": tier.influence_method,
        "influence": [vars(each) for each in tier.influence],
        "supports": [
            vars(each) | {"statement_ids": [*each.statement_ids]} for each in tier.supports
        ],
        "coalitions": None
        if tier.coalitions is None
        else [{"statement_ids": [*c.statement_ids], "nats": c.nats} for c in tier.coalitions],
        "calibration": tier.calibration,
        "no_calibration": tier.no_calibration,
        "created_ms": found.created_us // 1000,
    }
