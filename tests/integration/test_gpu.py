"""What only a GPU can show: the same code on CUDA in bfloat16."""

from pathlib import Path

import numpy as np
import pytest

from haozhi.attribution.values import ValueFunction
from haozhi.models.generation import Sampling, generate
from haozhi.models.generator import load_generator
from haozhi.settings import load_settings
from tests.tiny import scored


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["builtin:gemma3-270m", "builtin:smollm2-135m"])
def test_values_on_cuda_are_near_those_of_the_cpu(name: str, model_dir: Path) -> None:
    """In bfloat16 a token's log-probability moves by less than a nat, and text is generated."""
    values = {}
    for device, dtype in (("cpu", "float32"), ("cuda", "bfloat16")):
        settings = load_settings(model_dir=model_dir, generator=name, device=device, dtype=dtype)
        generator = load_generator(settings)
        prompt = scored(generator)
        function = ValueFunction(generator, prompt)
        everyone = frozenset(range(len(prompt.spans)))
        values[device] = function.token_values([frozenset(), everyone])
        assert len(function.gradients()[0]) == len(prompt.spans)
        assert generate(
            generator,
            prompt.prompt_ids,
            max_new_tokens=4,
            sampling=Sampling(),
            ends=lambda _: False,
        )
    assert np.abs(values["cpu"] - values["cuda"]).max() < 1.0
