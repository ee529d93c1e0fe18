"""Generation: the same tokens each time, an end where one is due, and nothing after a cancel."""

from collections.abc import Callable

import pytest
import torch

from haozhi.models.generation import Sampling, generate
from haozhi.models.generator import Generator
from tests.tiny import END, parrot, tiny

GREEDY = Sampling()
PROMPT = "Question: 1 + 1 = ?\nAnswer:"


@pytest.fixture(scope="module", params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """Random weights; the gemma has a window of 8 tokens in one of its layers."""
    return tiny(request.param)


def never(_: str) -> bool:
    """No text is complete."""
    return False


def _generated(
    generator: Generator,
    sampling: Sampling = GREEDY,
    ends: Callable[[str], bool] = never,
    count: int = 24,
) -> list[int]:
    ids = [*generator.opening, *generator.encode(PROMPT)]
    return generate(generator, ids, max_new_tokens=count, sampling=sampling, ends=ends)


def _one_by_one(generator: Generator, count: int) -> list[int]:
    """Greedy, the whole text anew for each token."""
    ids = [*generator.opening, *generator.encode(PROMPT)]
    for _ in range(count):
        logits = generator.model(torch.tensor([ids]), use_cache=False).logits
        ids.append(int(logits[0, -1].argmax()))
    return ids[-count:]


def test_greedy_tokens_are_the_likeliest_ones(generator: Generator) -> None:
    """With a kept cache each token is the one that a full forward likes best, whatever the seed."""
    expected = _one_by_one(generator, 24)
    expected = expected[: expected.index(END)] if END in expected else expected
    assert len(expected) > 8
    assert _generated(generator) == expected
    assert _generated(generator, Sampling(seed=5)) == expected


def test_a_seed_gives_the_same_sample_again(generator: Generator) -> None:
    """With a temperature the seed decides: equal seeds agree, others differ."""
    samples = [_generated(generator, Sampling(1.0, 0.9, seed)) for seed in (1, 1, 2, 3)]
    assert samples[0] == samples[1]
    assert len({tuple(sample) for sample in samples}) > 1


def test_a_nucleus_of_one_token_is_greedy(generator: Generator) -> None:
    """top_p so small that only the likeliest token is in it leaves nothing to chance."""
    assert _generated(generator, Sampling(1.0, 1e-9, 3)) == _generated(generator)


def test_generation_ends_when_the_text_is_complete(generator: Generator) -> None:
    """`ends` sees all the text so far, after each token, and the token it accepts is the last."""
    seen: list[str] = []

    def four(text: str) -> bool:
        seen.append(text)
        return len(text) >= 4

    found = _generated(generator, ends=four)
    assert generator.decode(found) == seen[-1]
    assert [len(text) for text in seen] == [1, 2, 3, 4]
    assert found == _generated(generator, count=4)


def test_a_cancelled_generation_returns_what_there_is(generator: Generator) -> None:
    """`cancelled` is asked before each token."""
    asked: list[int] = []

    def third() -> bool:
        asked.append(1)
        return len(asked) > 3

    ids = [*generator.opening, *generator.encode(PROMPT)]
    found = generate(generator, ids, max_new_tokens=9, sampling=GREEDY, ends=never, cancelled=third)
    assert found == _generated(generator, count=3)


@pytest.mark.parametrize("ends", [END, [7, END], [END]])
def test_a_stop_token_ends_the_text_and_is_no_part_of_it(ends: object) -> None:
    """Whether the configuration names one or several of them, or the tokenizer its own."""
    generator = parrot([4, 5, END, 6], ends)
    assert END in generator.stops
    assert generate(generator, [1], max_new_tokens=9, sampling=GREEDY, ends=never) == [4, 5]
