"""The prompt with its statements in reversed order, the second opinion of every share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.orders import read_backwards, reading_passes, reversed_order
from haozhi.attribution.shapley import subsets
from haozhi.attribution.values import Scored, ValueFunction
from tests.naive import naive_token_values
from tests.tiny import scored, tiny


@st.composite
def prompts(draw: st.DrawFn) -> Scored:
    """One to five statements in any order of numbers, with anything before and between them."""
    lengths = draw(
        st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), min_size=1, max_size=5)
    )
    at = draw(st.integers(1, 3))
    spans = []
    for length, between in lengths:
        spans.append((at, at + length))
        at += length + between
    tail = draw(st.integers(1, 3))
    tokens = tuple(range(at + tail))
    return Scored(tokens, (7,), tuple(draw(st.permutations(spans))), at)


@given(prompts())
def test_each_statement_keeps_its_number_and_its_tokens(prompt: Scored) -> None:
    """Only the order changes: no token is lost, opening and tail stay where they are."""
    found = reversed_order(prompt)
    assert sorted(found.prompt_ids) == sorted(prompt.prompt_ids)
    assert found.tail_start == prompt.tail_start
    assert found.prompt_ids[found.tail_start :] == prompt.prompt_ids[prompt.tail_start :]
    assert found.answer_ids == prompt.answer_ids

    def words(of: Scored) -> list[tuple[int, ...]]:
        return [of.prompt_ids[start:end] for start, end in of.spans]

    def order(of: Scored) -> list[int]:
        return sorted(range(len(of.spans)), key=lambda i: of.spans[i])

    assert words(found) == words(prompt)
    assert order(found) == order(prompt)[::-1]
    assert reversed_order(found) == prompt


@pytest.mark.parametrize("kind", ["llama", "gemma"])
def test_values_of_the_reversed_order_are_those_of_that_prompt(kind: str) -> None:
    """Read on from what opens both, the second order has the values of a full forward."""
    generator = tiny(kind)
    backwards = reversed_order(scored(generator))
    some = subsets(range(4))[::5]
    values = read_backwards(generator, ValueFunction(generator, scored(generator), likely=None))
    found = values.token_values(some)
    naive = [naive_token_values(generator, backwards, coalition) for coalition in some]
    assert np.abs(found - np.array(naive)).max() < 1e-3


def test_reading_again_is_counted_in_passes() -> None:
    """Statements of 5 tokens after one of opening, tails of 2: three passes, rounded up."""
    prompt = Scored(tuple(range(8)), (9,), ((1, 3), (3, 6)), 6)
    assert len(prompt.tail_ids) == 2
    assert reading_passes(prompt) == 3
