"""Rules that every stored answer and attribution keeps; one broken rule gives one sentence."""

from dataclasses import replace
from typing import Any

import pytest

from store.records.answers import Citation, Pair, Segment, SupportSet, Unattributed
from store.validation import answer_problems, attribution_problems
from tests.books import a_refusal, an_answer, an_attribution

SHARES: dict[tuple[int, str | None], int] = {(1, "a"): 400_000_000, (2, "b"): 350_000_000}
FIRST, SECOND = an_answer().segments
RANKED = an_answer().context


def test_whole_answers_and_attributions_break_no_rule() -> None:
    """An answered, a refused and a `who` answer are whole, so are their attributions."""
    for answer in (an_answer(), a_refusal(), an_answer(kind="who", claim="1 = 1", fee_micro=0)):
        assert list(answer_problems(answer)) == []
        assert list(attribution_problems(an_attribution({}, answer), answer)) == []
    assert list(attribution_problems(an_attribution(SHARES), an_answer())) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"fee_micro": -1}, "the fee is -1"),
        ({"fee_micro": 2**53}, "the fee is 9007199254740992"),
        ({"kind": "who", "claim": "x"}, "has a fee"),
        ({"claim": "x"}, "claim 'x' disagree"),
        ({"refusal": "low_similarity"}, "refusal low_similarity disagree"),
        ({"text": "1 + 1"}, "leaves the text"),
        ({"segments": (FIRST, replace(SECOND, start=9))}, "overlaps another"),
        ({"segments": (FIRST, replace(SECOND, position=2))}, "segment positions"),
        ({"segments": (FIRST, replace(SECOND, token_end=5))}, "tokens of segment 1"),
        ({"segments": (FIRST,)}, "sum to 500000000"),
        ({"segments": ()}, "sum to 0"),
        ({"tail_start": 9}, "tail starts at 9"),
        ({"context": RANKED[1:]}, "context positions"),
        ({"context": (RANKED[0], replace(RANKED[1], statement_id=1))}, "twice"),
        ({"context": (replace(RANKED[0], token_end=None),)}, "no tokens in the prompt"),
        ({"context": (replace(RANKED[0], included=False),)}, "no tokens in the prompt"),
        ({"context": (replace(RANKED[0], token_end=9),)}, "no tokens in the prompt"),
    ],
)
def test_broken_answers_say_what_is_wrong(changes: dict[str, Any], problem: str) -> None:
    """Each broken rule of an answer is named."""
    assert any(problem in found for found in answer_problems(an_answer(**changes)))


def test_negative_weights_cannot_balance_each_other() -> None:
    """A weight above the whole is not made good by one below zero."""
    weights = (replace(FIRST, weight_ppb=1_500_000_000), replace(SECOND, weight_ppb=-500_000_000))
    assert "a segment weight is negative" in list(answer_problems(an_answer(segments=weights)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"answer_id": "other"}, "it attributes other"),
        ({"unattributed": Unattributed(unsupported=250_000_001)}, "not to 10^9"),
        ({"unattributed": Unattributed(-1, 250_000_001)}, "negative"),
        ({"citations": (Citation(0, 1, 400_000_000),)}, "sum to its pairs"),
        ({"citations": (Citation(0, 1, 400_000_000), Citation(5, 2, 350_000_000))}, "segments [5]"),
        ({"signals": ()}, "signals do not show"),
        ({"supports": (SupportSet(3, "supports", (1,), 1.0, "m"),)}, "segments [3]"),
        ({"supports": (SupportSet(0, "supports", (), 1.0, "m"),)}, "empty"),
        ({"supports": (SupportSet(0, "supports", (1, 1), 1.0, "m"),)}, "twice"),
    ],
)
def test_broken_attributions_say_what_is_wrong(changes: dict[str, Any], problem: str) -> None:
    """Each broken rule of an attribution is named."""
    attribution = an_attribution(SHARES, **changes)
    assert any(problem in found for found in attribution_problems(attribution, an_answer()))


def test_only_statements_in_the_context_are_credited() -> None:
    """A statement that was not retrieved, or did not fit, has no share."""
    left_out = replace(RANKED[2], included=False, token_start=None, token_end=None)
    answer = an_answer(context=(*RANKED[:2], left_out))
    for statement_id in (3, 99):
        found = list(attribution_problems(an_attribution({(statement_id, "a"): 5}, answer), answer))
        assert "a credited statement was not in the context" in found


def test_share_lies_inside_its_interval() -> None:
    """low <= share <= high, all between nothing and the whole."""
    for low, high in ((6, 9), (0, 4), (-1, 9), (0, 10**9 + 1)):
        pairs = (Pair(1, "a", 5, low, high),)
        attribution = an_attribution({(1, "a"): 5}, pairs=pairs)
        assert list(attribution_problems(attribution, an_answer())) == [
            "a share lies outside its interval"
        ]


def test_segment_without_tokens_is_whole() -> None:
    """Words of the system (a preface, a given claim) have no tokens of their own."""
    segments = (Segment(0, 0, 10, 0, 0, 500_000_000), replace(SECOND, token_start=0))
    assert list(answer_problems(an_answer(segments=segments))) == []
