"""v(S) by masking the kept prompt is what a plain full forward gives, for every kind of layer."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from haozhi.attribution import values
from haozhi.attribution.shapley import subsets
from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.generator import Generator
from haozhi.models.prefix import continue_hidden, log_probs, prefill, score
from tests.naive import naive_token_values
from tests.tiny import scored, tiny

ALL = subsets(range(4))


@pytest.fixture(scope="module", params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """Two layers of full attention, or one of them with a window of 8 tokens."""
    return tiny(request.param)


@pytest.fixture(scope="module")
def given(generator: Generator) -> Scored:
    """Four statements, a question and an answer."""
    return scored(generator)


@pytest.mark.parametrize(
    ("spans", "tail_start", "answer"),
    [
        (((2, 4),), 3, (5,)),  # the tail begins inside a statement
        (((2, 4),), 8, (5,)),  # the tail is empty
        ((), 0, (5,)),  # no prompt before the tail
        (((2, 4),), 4, ()),  # no answer
    ],
)
def test_a_prompt_that_cannot_be_scored_is_refused(
    spans: tuple[tuple[int, int], ...], tail_start: int, answer: tuple[int, ...]
) -> None:
    """The tail follows all statements and has a token; the answer has one too."""
    with pytest.raises(ValueError, match="tail|answer"):
        Scored(tuple(range(8)), answer, spans, tail_start)


def test_masked_values_equal_a_full_forward(generator: Generator, given: Scored) -> None:
    """Every coalition's value of every token is the naive one, to a thousandth of a nat."""
    found = ValueFunction(generator, given, likely=None).token_values(ALL)
    naive = [naive_token_values(generator, given, coalition) for coalition in ALL]
    assert np.abs(found - np.array(naive)).max() < 1e-3
    assert found.std(axis=0).max() > 0.01  # the statements matter to these weights


def test_the_likely_tokens_of_both_ends_are_enough(generator: Generator, given: Scored) -> None:
    """Normalising over part of the vocabulary only raises log p, and little where p is."""
    whole = ValueFunction(generator, given, likely=None).token_values(ALL)
    some = ValueFunction(generator, given, likely=20).token_values(ALL)
    every = ValueFunction(generator, given, likely=10_000).token_values(ALL)
    assert (some - whole).min() > -1e-5
    assert 1e-3 < np.abs(some - whole).max() < 1
    assert np.allclose(every, whole, atol=1e-5)


def test_no_size_of_batch_changes_a_value(
    generator: Generator, given: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One coalition at a time or all at once, each is evaluated once and gives the same."""
    together = ValueFunction(generator, given)
    at_once = together.token_values(ALL)
    assert together.passes == len(ALL)
    monkeypatch.setattr(values, "MOST_ROWS", 1)
    one_by_one = ValueFunction(generator, given)
    assert np.allclose(at_once, one_by_one.token_values(ALL), atol=1e-5)
    assert np.array_equal(one_by_one.token_values(ALL[::-1]), one_by_one.token_values(ALL)[::-1])
    assert one_by_one.passes == len(ALL)
    assert np.allclose(at_once.sum(axis=1), together.totals(ALL))


def test_a_statement_outside_every_window_has_no_value() -> None:
    """Where all layers see 8 tokens, a statement further back than they reach changes nothing."""
    generator = tiny("gemma")
    both = ["sliding_attention", "sliding_attention"]
    generator.model.config.layer_types = both
    for layer in generator.model.model.layers:
        layer.attention_type = "sliding_attention"
        layer.self_attn.sliding_window = 8
        layer.self_attn.is_sliding = True
    found = ValueFunction(generator, scored(generator)).totals(ALL)
    assert found.max() - found.min() < 1e-5


def test_gradients_equal_finite_differences(generator: Generator, given: Scored) -> None:
    """d v / d keep-bias is what a small bias on a statement's columns changes."""
    function = ValueFunction(generator, given)
    step = 1e-2

    def value(number: int, amount: float) -> float:
        prefix = prefill(generator, given.prompt_ids[: given.tail_start])
        bias = torch.zeros(1, given.tail_start)
        start, end = given.spans[number]
        bias[:, start:end] = amount
        tails = torch.tensor([given.tail_ids])
        hidden = continue_hidden(generator, prefix, tails, bias)[:, -len(given.answer_ids) :]
        return float(log_probs(generator, hidden, torch.tensor([given.answer_ids])).double().sum())

    found = function.gradients()[0]
    measured = [(value(n, step) - value(n, -step)) / (2 * step) for n in range(4)]
    assert np.allclose(found, measured, atol=5e-3, rtol=2e-2)
    assert max(map(abs, found)) > 0.01


def test_continuations_of_a_kept_prompt_score_as_each_alone(
    generator: Generator, given: Scored
) -> None:
    """Texts of several lengths in one batch get the mean log p that each has by itself."""
    texts = [generator.encode(text) for text in ("2", "1 + 1 = 2", "the sea")]
    prefix = prefill(generator, given.prompt_ids[:-1])
    found = score(generator, prefix, given.prompt_ids[-1], texts)
    alone = [
        np.mean(naive_token_values(generator, replace(given, answer_ids=tuple(text)), ALL[-1]))
        for text in texts
    ]
    assert found == pytest.approx(alone, abs=1e-3)
