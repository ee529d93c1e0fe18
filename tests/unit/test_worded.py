"""An answer in words: segments over text and tokens."""

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
    said = worded(generator, ids)
    assert said.text == "1 + 1 = 2, and 2 + 1 = 3. It is 3."
    assert said.texts == ("1 + 1 = 2,", "and 2 + 1 = 3.", "It is 3.")
    tokens = [generator.decode(ids[s.token_start : s.token_end]) for s in said.segments]
    assert tokens == [" 1 + 1 = 2,", " and 2 + 1 = 3.", " It is 3."]
    assert all(a.token_end == b.token_start for a, b in pairwise(said.segments))
    weights = [s.weight_ppb for s in said.segments]
    assert sum(weights) == 10**9
    assert max(weights) - min(weights) <= 1


def test_outer_space_is_in_no_segment(generator: Generator) -> None:
    """The text has none; the tokens of what leads up to a segment belong to it."""
    said = worded(generator, generator.encode("  It is 3.  "))
    assert said.text == "It is 3."
    assert [(s.start, s.end, s.token_start) for s in said.segments] == [(0, 8, 0)]


def test_no_words_no_segments(generator: Generator) -> None:
    """White space alone is no answer."""
    assert worded(generator, generator.encode(" \n ")).segments == ()
