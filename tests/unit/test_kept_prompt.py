"""One prompt's keys and values are kept, and nobody can tell whether they were."""

import numpy as np
import pytest
import torch

from haozhi.attribution.shapley import subsets
from haozhi.attribution.values import ValueFunction
from haozhi.models.generation import Sampling, generate
from haozhi.models.generator import Generator
from haozhi.models.prefix import prefill, score
from tests.tiny import scored, tiny

ALL = subsets(range(4))


@pytest.fixture(params=["llama", "gemma"])
def generator(request: pytest.FixtureRequest) -> Generator:
    """A fresh one, with nothing kept; the gemma has a window of 8 tokens in one layer."""
    return tiny(request.param)


def _counted(generator: Generator) -> list[int]:
    """The number of tokens of each run of the base model from now on."""
    seen: list[int] = []
    embed = generator.model.get_input_embeddings()
    embed.register_forward_pre_hook(lambda _, given: seen.append(given[0].shape[1]))
    return seen


def _say(generator: Generator, ids: tuple[int, ...]) -> list[int]:
    return generate(generator, ids, max_new_tokens=3, sampling=Sampling(), ends=lambda _: False)


def test_generation_quotation_and_attribution_share_one_prefill(generator: Generator) -> None:
    """The prompt runs once; whatever comes after it runs only its own tokens."""
    given = scored(generator)
    seen = _counted(generator)
    _say(generator, given.prompt_ids)
    assert seen == [len(given.prompt_ids) - 1, 1, 1, 1]
    seen.clear()
    score(generator, prefill(generator, given.prompt_ids[:-1]), given.prompt_ids[-1], [[5, 6]])
    ValueFunction(generator, given).totals([])
    assert seen == [2, 2 * len(given.tail_ids)]  # v(none) and v(all)


def test_values_after_a_crash_are_bit_for_bit_those_of_the_kept_prompt(
    generator: Generator,
) -> None:
    """What a fresh process computes is what the answering one did, to the last bit."""
    given = scored(generator)
    _say(generator, given.prompt_ids)
    ValueFunction(generator, given).totals(ALL)  # whoever went on after it wrote nothing into it
    kept = ValueFunction(generator, given).token_values(ALL)
    generator.kept.clear()
    assert np.array_equal(kept, ValueFunction(generator, given).token_values(ALL))


def test_only_the_last_prompt_is_kept(generator: Generator) -> None:
    """Another prompt takes its place: the memory is that of one prompt."""
    first = prefill(generator, [1, 5, 6])
    assert prefill(generator, (1, 5, 6)) is first
    prefill(generator, [1, 5])
    assert list(generator.kept) == [(1, 5)]
    assert prefill(generator, [1, 5, 6]) is not first


def test_a_cut_prefix_is_what_its_tokens_alone_give(generator: Generator) -> None:
    """Later tokens change no earlier key or value."""
    whole, short = prefill(generator, range(1, 30)), prefill(generator, range(1, 13))
    for cut, alone in zip(whole.cut(12).layers, short.layers, strict=True):
        for a, b in zip(cut, alone, strict=True):
            assert torch.allclose(a, b, atol=1e-5)
