"""Where a part of an answer comes from, as far as what is stored says."""

from typing import Any

import pytest

from haozhi.segment_view import segment_view
from store.records.answers import Answer, Attribution, Citation, Segment, SupportSet, Unattributed

UNKNOWN: dict[str, Any] = dict.fromkeys(
    ("v_none", "v_all", "grounding", "residual", "order_spread")
)
SAYS = SupportSet(0, "supports", (1,), 0.9, "terms")
DENIES = SupportSet(0, "contradicts", (2,), 1.0, "number")
ALSO = SupportSet(0, "also", (3,), 0.9, "terms")
ELSEWHERE = SupportSet(1, "supports", (4,), 1.0, "verbatim")


def _answer() -> Answer:
    segments = (Segment(0, 0, 3, 0, 1, 5 * 10**8), Segment(1, 4, 7, 1, 2, 5 * 10**8))
    return Answer(
        **dict.fromkeys(
            ("id", "asker_id", "question", "preface", "language", "model", "model_fingerprint"), ""
        ),
        kind="ask",
        state="answered",
        claim=None,
        text="One. Two.",
        prompt_fingerprint="",
        prompt_ids=(),
        tail_start=0,
        answer_ids=(),
        options={},
        refusal=None,
        policy_version=1,
        fee_micro=0,
        timings_ms={},
        created_us=0,
        context=(),
        segments=segments,
    )


def _attribution(sets: list[SupportSet], cited_ppb: int, tier: str) -> Attribution:
    return Attribution(
        answer_id="",
        version=1,
        tier=tier,
        rule="",
        method="",
        **UNKNOWN,
        unattributed=Unattributed(),
        supports=(*sets, ELSEWHERE),
        signals=(),
        pairs=(),
        citations=(Citation(0, 1, cited_ppb),) if cited_ppb else (),
        created_us=0,
    )


@pytest.mark.parametrize(
    ("sets", "cited_ppb", "tier", "state"),
    [
        ([SAYS], 1, "final", "context"),
        ([SAYS], 0, "final", "known"),
        ([SAYS], 0, "provisional", "context"),
        ([], 0, "final", "memory"),
        ([ALSO], 0, "final", "memory"),
        ([SAYS, DENIES], 0, "final", "disagree"),
        ([DENIES], 0, "provisional", "disagree"),
    ],
)
def test_a_part_says_where_it_comes_from(
    sets: list[SupportSet], cited_ppb: int, tier: str, state: str
) -> None:
    """Denied, unbacked, backed but credited nothing, or from the sources; what else says so is no
    source of it."""
    view = segment_view(_answer(), _attribution(sets, cited_ppb, tier), 0)
    assert view["state"] == state
    assert view["supports"] == [{"set": [1], "strength": 0.9, "method": "terms"}] * (SAYS in sets)
    assert view["contradicts"] == [2] * (DENIES in sets)
    assert view["also"] == [3] * (ALSO in sets)
