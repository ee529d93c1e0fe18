"""When a worked answer counts as the claim that somebody asks about."""

from dataclasses import replace

import pytest

from haozhi.who import states
from store.records.answers import Segment
from tests.books import an_answer


@pytest.mark.parametrize(
    ("ending", "claim", "same"),
    [
        ("The answer is 3.", "1 + 1 + 1 = 3", True),
        ("答案是3。", "1+1+1=3", True),
        ("The answer is 13.", "1 + 1 + 1 = 3", False),
        ("The answer is 3.", "1 + 1 + 1 = 13", False),
        ("and 2 + 1 = 3.", "1 + 1 + 1 = 3", True),
        ("No number here.", "1 + 1 + 1 = 3", False),
    ],
)
def test_an_answer_states_a_claim_by_its_last_number(ending: str, claim: str, same: bool) -> None:
    """The whole number counts: 13 does not end in 3, or the wrong people would be named."""
    answer = replace(an_answer(), text=ending, segments=(Segment(0, 0, len(ending), 0, 1, 10**9),))
    assert states(answer, claim) == same
