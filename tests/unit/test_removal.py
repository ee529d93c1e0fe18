"""v(S) by removing text is what a plain run of the shorter prompt gives."""

from collections.abc import Sequence

import numpy as np
import pytest

from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.removal import (
    RemovalFunction,
    blocks,
    every_coalition,
    opening,
    without,
)
from haozhi.models.generator import Generator
from tests.naive import naive_token_values
from tests.tiny import scored, tiny


@pytest.fixture(scope="module", params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """Two layers of full attention, or one of them with a window of 8 tokens."""
    return tiny(request.param)


def _naive(generator: Generator, given: Scored, coalition: frozenset[int]) -> Sequence[float]:
    ids = without(given, coalition)
    tail = len(given.prompt_ids) - given.tail_start
    plain = Scored(ids, given.answer_ids, (), len(ids) - tail)
    return naive_token_values(generator, plain, frozenset())


def test_removed_values_equal_a_plain_run_of_the_shorter_prompt(generator: Generator) -> None:
    """Every coalition's value of every token, to a thousandth of a nat, whatever ran before."""
    given = scored(generator)
    every = every_coalition(4)
    found = RemovalFunction(generator, given).token_values(every)
    naive = np.array([_naive(generator, given, coalition) for coalition in every])
    assert np.abs(found - naive).max() < 1e-3
    assert found.std(axis=0).max() > 0.01  # the statements matter to these weights


def test_numbers_need_not_follow_the_order_in_the_prompt(generator: Generator) -> None:
    """Statement i is the one at spans[i], wherever that stands."""
    given = scored(generator)
    turned = Scored(given.prompt_ids, given.answer_ids, given.spans[::-1], given.tail_start)
    ours = RemovalFunction(generator, turned).totals([frozenset({0, 1}), frozenset({3})])
    theirs = RemovalFunction(generator, given).totals([frozenset({2, 3}), frozenset({0})])
    assert np.allclose(ours, theirs, atol=1e-6)


def test_each_coalition_runs_once(generator: Generator) -> None:
    """A second question for the same coalition costs no pass and gives the same."""
    values = RemovalFunction(generator, scored(generator))
    first = values.totals([frozenset({1}), frozenset({1})])
    assert (values.totals([frozenset({1})]) == first[:1]).all()
    assert values.passes == 1


def test_the_prompt_is_its_opening_its_blocks_and_its_tail(generator: Generator) -> None:
    """Nothing of the prompt is lost when nothing is left out, and what is left out is gone."""
    given = scored(generator)
    assert without(given, frozenset(range(4))) == given.prompt_ids
    text = generator.decode(without(given, frozenset({0, 2})))
    assert text == "Sources:\n3 + 1 = 4\nthe sea is deep\nQuestion: 1 + 1 + 1 = ?\nAnswer:"
    assert len(opening(given)) + sum(map(len, blocks(given).values())) == given.tail_start


def test_coalitions_are_numbered_by_their_bits() -> None:
    """The b-th coalition holds statement i where bit i of b is set."""
    assert every_coalition(2) == [frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})]
