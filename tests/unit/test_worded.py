"""An answer in words: segments over text and tokens, without the model's own citations."""

from itertools import pairwise

import pytest

from haozhi.answering.segments import worded
from haozhi.models.generator import Generator
from tests.tiny import tiny


@pytest.fixture(scope="module")
def generator() -> Generator:
    """One token per character."""
    return tiny("llama")


def test_segments_share_out_tokens_and_weight(generator: Generator) -> None:
    """Each token belongs to one segment, in order, and the weights are equal and sum to 10^9."""
    ids = generator.encode(" 1 + 1 = 2, and 2 + 1 = 3. It is 3.")
    said = worded(generator, ids, preface="So: ")
    assert said.text == "So: 1 + 1 = 2, and 2 + 1 = 3. It is 3."
    assert said.texts == ("1 + 1 = 2,", "and 2 + 1 = 3.", "It is 3.")
    tokens = [generator.decode(ids[s.token_start : s.token_end]) for s in said.segments]
    assert tokens == [" 1 + 1 = 2,", " and 2 + 1 = 3.", " It is 3."]
    assert all(a.token_end == b.token_start for a, b in pairwise(said.segments))
    weights = [s.weight_ppb for s in said.segments]
    assert sum(weights) == 10**9
    assert max(weights) - min(weights) <= 1


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        (" It is 3 [2].", " It is 3."),
        (" It is 3.[12] 2 + 1 = 3 [1, 3].", " It is 3. 2 + 1 = 3."),
        ("等于3[1]。", "等于3。"),
        (" It is 3. [2]", " It is 3."),
        (" [1] It is 3.", " It is 3."),
    ],
)
def test_citations_that_the_model_writes_are_no_part_of_the_answer(
    generator: Generator, marked: str, bare: str
) -> None:
    """With or without a marker the text, its tokens and its segments are the same."""
    expected = worded(generator, generator.encode(bare))
    assert worded(generator, generator.encode(marked)) == expected
    assert expected.ids == tuple(generator.encode(bare))


def test_other_brackets_stay(generator: Generator) -> None:
    """[sic], (3) and an empty bracket cite nothing."""
    text = "It [sic] is (3) []."
    assert worded(generator, generator.encode(text)).text == text


def test_a_lone_marker_says_nothing(generator: Generator) -> None:
    """An answer that is nothing but a citation has no segment."""
    assert worded(generator, generator.encode(" [3]")).segments == ()
