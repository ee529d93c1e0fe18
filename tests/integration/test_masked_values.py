"""The masked values of the builtin models are those of a plain forward, whatever their layers."""

from pathlib import Path

import numpy as np
import pytest

from haozhi.attribution.values import ValueFunction
from haozhi.models.generator import load_generator
from haozhi.settings import load_settings
from tests.naive import naive_token_values
from tests.tiny import scored


@pytest.mark.parametrize("name", ["builtin:gemma3-270m", "builtin:smollm2-135m"])
def test_masked_values_of_a_builtin_model_equal_a_full_forward(name: str, model_dir: Path) -> None:
    """To a thousandth of a nat, also where the edge of a window crosses a statement."""
    settings = load_settings(model_dir=model_dir, generator=name, device="cpu", dtype="float32")
    generator = load_generator(settings)
    prompt = scored(generator, apart="\nThe weather was mild." * 78)
    last_row = len(prompt.prompt_ids) + len(prompt.answer_ids) - 2
    assert prompt.tail_start - prompt.spans[1][0] < 512 < last_row - prompt.spans[1][0]
    some = [frozenset[int](), frozenset({1, 3}), frozenset(range(4))]
    found = ValueFunction(generator, prompt, likely=None).token_values(some)
    naive = [naive_token_values(generator, prompt, coalition) for coalition in some]
    assert np.abs(found - np.array(naive)).max() < 1e-3
    assert found[2].sum() > found[0].sum()  # the sources help
