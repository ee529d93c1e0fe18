"""Small whole answers and attributions for the tests of accounting; every invariant holds."""

from dataclasses import replace
from typing import Any

from haozhi.accounting.policy import Policy
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
from store.records.rights import Holdings

POLICY = Policy(1, "used-and-supported/1", 500_000, 0, "reserve:unattributed", "first")
NOBODY = Holdings(holders={}, grants={}, disputed=frozenset())


def an_answer(**changes: Any) -> Answer:
    """`1 + 1 = 2。答案是3。` resting on statements 1 and 2, with statement 3 as a distractor."""
    context = tuple(
        ContextEntry(
            i, i + 1, f"{i + 1:064x}", i + 1, f"p{i}", True, 2 * i, 2 * i + 2, 0.9 - i / 10
        )
        for i in range(3)
    )
    answer = Answer(
        id="answer-1",
        asker_id="local",
        kind="ask",
        state="answered",
        question="1+1+1 等于几？",
        claim=None,
        preface="",
        text="1 + 1 = 2。答案是3。",
        language="zh",
        model="builtin:tiny",
        model_fingerprint="m",
        prompt_fingerprint="p",
        prompt_ids=(1, 2, 3, 4, 5, 6, 7, 8),
        tail_start=6,
        answer_ids=(11, 12, 13, 14),
        options={"seed": None, "temperature": 0.0},
        refusal=None,
        policy_version=1,
        fee_micro=10_000,
        timings_ms={"retrieve": 3, "generate": 900},
        created_us=1_700_000_000_000_000,
        context=context,
        segments=(Segment(0, 0, 10, 0, 2, 500_000_000), Segment(1, 10, 15, 2, 4, 500_000_000)),
    )
    return replace(answer, **changes)


def a_refusal(**changes: Any) -> Answer:
    """A refused answer: no segments, no fee."""
    refused = {"state": "refused", "refusal": "low_similarity", "fee_micro": 0}
    return an_answer(**{"text": "", "answer_ids": (), "segments": ()} | refused | changes)


def an_attribution(
    shares: dict[tuple[int, str | None], int], answer: Answer | None = None, **changes: Any
) -> Attribution:
    """Pairs with these shares, all cited by segment 0, the rest of 10^9 *unsupported*."""
    answer = answer or an_answer()
    by_statement: dict[int, int] = {}
    for (statement_id, _), share_ppb in shares.items():
        by_statement[statement_id] = by_statement.get(statement_id, 0) + share_ppb
    credited = tuple(sorted(by_statement))
    attribution = Attribution(
        answer_id=answer.id,
        version=1,
        tier="final",
        rule="used-and-supported/1",
        method="exact",
        v_none=-3.5,
        v_all=-0.5,
        grounding=0.857,
        residual=0.0,
        order_spread=None,
        unattributed=Unattributed(unsupported=1_000_000_000 - sum(shares.values())),
        supports=(SupportSet(0, "supports", credited, 0.9, "equation"),) if credited else (),
        signals=tuple(
            Signal(c.position, 0.1, None, -0.25, 0.5, by_statement.get(c.statement_id, 0))
            for c in answer.context
        ),
        pairs=tuple(Pair(s, a, ppb, ppb, ppb) for (s, a), ppb in shares.items()),
        citations=tuple(Citation(0, s, ppb) for s, ppb in sorted(by_statement.items())),
        created_us=1_700_000_001_000_000,
        detail={"budget": {"passes": 4}},
    )
    return replace(attribution, **changes)
