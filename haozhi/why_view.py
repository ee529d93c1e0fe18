"""Why an answer is as it is: all that is stored of how it came about and was attributed."""

from typing import Any

from haozhi.times import whole_ms
from store.answers import find_attribution, get_answer
from store.engine import Session
from store.ledger import entries_for_answer
from store.records.answers import Answer, Attribution

Json = dict[str, Any]

_KEPT = ("version", "way", "seed", "temperature", "top_p", "embedder")


def why_view(session: Session, answer_id: str) -> Json:
    """What `answer_view` leaves out: tokens, fingerprints, each attribution, the ledger's entries.

    `tokens_in_order` are the statements in the order of the prompt with the tokens that each takes;
    what is not measured or was not kept is null. NotFound: no such answer.
    """
    answer = get_answer(session, answer_id)
    tiers = (find_attribution(session, answer_id, tier=tier) for tier in ("provisional", "final"))
    return {
        "id": answer.id,
        "created_ms": answer.created_us // 1000,
        "tokens": _tokens(answer),
        "tokens_in_order": _in_order(answer),
        "attributions": [_attribution(found) for found in tiers if found],
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


def _attribution(found: Attribution) -> Json:
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
        "passes": found.detail.get("passes"),
        "coalitions": found.detail.get("coalitions"),
        "created_ms": found.created_us // 1000,
    }
