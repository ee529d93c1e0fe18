"""The attention that is seen beside SDPA is the one that a full map shows, head by head."""

from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import LlamaConfig, LlamaForCausalLM

from haozhi.attribution.signals import read_signals
from haozhi.models import attention
from haozhi.models.attention import capture, register
from haozhi.models.generator import Generator
from haozhi.models.prefix import Prefix, continue_hidden
from tests.tiny import Characters, scored, tiny


@pytest.mark.parametrize("kind", ["llama", "gemma"])
def test_every_head_sees_what_eager_attention_shows(kind: str) -> None:
    """Each layer, head, answer token and statement, grouped keys and sliding windows: to 2e-6."""
    given = scored(tiny(kind))
    whole = torch.tensor([[*given.prompt_ids, *given.answer_ids[:-1]]])
    maps = tiny(kind, "eager").model(whole, output_attentions=True, use_cache=False).attentions
    rows = torch.cat([layer[0, :, -len(given.answer_ids) :] for layer in maps])
    expected = torch.stack([rows[..., a:b].sum(-1) for a, b in given.spans], -1).transpose(0, 1)
    found = torch.tensor(read_signals(tiny(kind), given, [0.0] * 4).attention)
    assert found.shape == (len(given.answer_ids), 2 * 4, 4)
    assert (found - expected).abs().max() < 2e-6
    assert found.max() > 0.05


def test_no_number_of_rows_at_once_changes_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the weights of few rows fit, the rows are computed in turns, with the same sums."""
    generator = tiny("gemma")
    at_once = read_signals(generator, scored(generator), [0.0] * 4).attention
    monkeypatch.setattr(attention, "MOST_WEIGHTS", 1)
    in_turns = read_signals(generator, scored(generator), [0.0] * 4).attention
    assert in_turns == pytest.approx(at_once, abs=1e-7)


class _Largest(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves it untyped
    """Remembers the bytes of the largest tensor that any operation makes."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        self.bytes = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation and measure what it makes."""
        made = func(*args, **(kwargs or {}))
        for each in made if isinstance(made, (tuple, list)) else [made]:
            if isinstance(each, torch.Tensor):
                self.bytes = max(self.bytes, each.numel() * each.element_size())
        return made


def test_no_full_map_is_made_at_the_shapes_of_8b_models() -> None:
    """32 layers x 32 heads x 4,096 columns: no tensor is over 16 MiB; one layer's map is 2 GiB."""
    columns, answer = 4096, 24
    config = LlamaConfig(
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        head_dim=4,
        vocab_size=64,
        max_position_embeddings=8192,
    )
    model: Any = LlamaForCausalLM(config)
    model.set_attn_implementation(register())
    model.eval().requires_grad_(False)
    generator = Generator("deep", "deep", model, Characters(), torch.device("cpu"), 8192)
    kept = torch.randn(1, 8, columns, 4)
    prefix = Prefix(columns, ((kept, kept),) * 32)
    tails, bias = torch.ones(1, answer, dtype=torch.long), torch.zeros(1, columns)
    spans = [(start, start + 256) for start in range(0, columns, 256)]
    with torch.inference_mode(), _Largest() as largest, capture(answer, spans) as seen:
        continue_hidden(generator, prefix, tails, bias)
    assert [tuple(layer.shape) for layer in seen] == [(32, answer, 16)] * 32
    assert largest.bytes <= 16 * 2**20
    assert torch.stack(seen).sum(-1).max() <= 1
