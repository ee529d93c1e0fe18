"""What only a GPU can show: the same code on CUDA in bfloat16."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.estimators import paired, soft_mask
from haozhi.attribution.final import attribute_finally
from haozhi.attribution.shapley import subsets
from haozhi.attribution.values import ValueFunction
from haozhi.models.generation import Sampling, generate
from haozhi.models.generator import Generator, load_generator
from haozhi.models.prefix import log_probs
from haozhi.settings import load_settings
from tests.cases import a_case, backed, by
from tests.tiny import scored

NAMES = ["builtin:gemma3-270m", "builtin:smollm2-135m"]
ALL = subsets(range(4))


def _both(name: str, model_dir: Path) -> list[Generator]:
    """The model on the CPU in float32, and on CUDA in bfloat16."""
    kinds = (("cpu", "float32"), ("cuda", "bfloat16"))
    chosen = [{"device": device, "dtype": dtype} for device, dtype in kinds]
    return [
        load_generator(load_settings(model_dir=model_dir, generator=name, **each))
        for each in chosen
    ]


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_values_on_cuda_rank_coalitions_as_those_of_the_cpu(name: str, model_dir: Path) -> None:
    """In bfloat16 a token moves by less than a nat, and the same statement matters most."""
    functions = [ValueFunction(each, scored(each)) for each in _both(name, model_dir)]
    cpu, cuda = (function.token_values(ALL) for function in functions)
    assert np.abs(cpu - cuda).max() < 1.0
    assert spearmanr(cpu.sum(axis=1), cuda.sum(axis=1)).statistic > 0.9
    found = [np.argmax(paired(4, function.totals).influence) for function in functions]
    assert found[0] == found[1]
    alone = [frozenset({i}) for i in range(4)]
    assert np.isfinite(soft_mask(functions[1], alone).influence).all()


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_log_probabilities_are_float32_on_cuda(name: str, model_dir: Path) -> None:
    """The model is in bfloat16, what is summed up and normalised is not."""
    _, generator = _both(name, model_dir)
    width = generator.model.lm_head.weight.shape[1]
    hidden = torch.zeros(1, 2, width, dtype=torch.bfloat16, device=generator.device)
    targets = torch.tensor([[5, 6]], device=generator.device)
    vocabulary = ValueFunction(generator, scored(generator)).vocabulary
    assert vocabulary is not None
    assert vocabulary.weight.dtype == torch.float32
    assert log_probs(generator, hidden, targets).dtype == torch.float32


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_on_cuda_is_attributed_the_same_again(name: str, model_dir: Path) -> None:
    """Generation and both orders of the final tier run, and a second run agrees."""
    _, generator = _both(name, model_dir)
    prompt = scored(generator)
    said = generate(
        generator,
        prompt.prompt_ids,
        max_new_tokens=4,
        sampling=Sampling(),
        ends=lambda _: False,
    )
    assert said
    case = a_case([by(author) for author in "ABCD"], [backed((1.0, (11,)), (0.9, (13,)))])
    case = replace(case, scored=prompt, segments=((0, len(prompt.answer_ids)),))
    rules = ShareRules(support_ppm=500_000, noise_floor_ppb=0)
    first = attribute_finally(generator, "an1", case, rules, 0)
    generator.kept.clear()
    assert attribute_finally(generator, "an1", case, rules, 0).pairs == first.pairs
