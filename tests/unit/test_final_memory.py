"""The memory that the final tier takes beside the prompt's keys and values, at 8B-class shapes."""

import weakref
from collections import Counter
from dataclasses import replace
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from transformers import LlamaConfig, LlamaForCausalLM

from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.final import attribute_finally
from haozhi.attribution.values import Scored
from haozhi.models.attention import register
from haozhi.models.generator import Generator
from haozhi.models.prefix import Prefix
from tests.cases import a_case, backed, by
from tests.tiny import Characters

LAYERS, HEADS, KEY_HEADS, WIDTH, COLUMNS = 32, 32, 8, 4, 4096


class _Peak(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves it untyped
    """The most bytes, all together, of what operations made and somebody still holds."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.bytes = 0
        self._held = Counter[int]()
        self._sizes: dict[int, int] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation and count the storages of what it makes."""
        made = func(*args, **(kwargs or {}))
        for each in tree_leaves(made):
            if torch.is_tensor(each):
                storage = each.untyped_storage()
                at = storage.data_ptr()
                self._held[at] += 1
                self._sizes[at] = storage.nbytes()
                weakref.finalize(each, self._let_go, at)
        self.bytes = max(self.bytes, sum(self._sizes.values()))
        return made

    def _let_go(self, at: int) -> None:
        self._held[at] -= 1
        if not self._held[at]:
            self._sizes.pop(at, None)


def _deep() -> Generator:
    """A llama as deep and with as many heads as one of 8B parameters, but narrow."""
    config = LlamaConfig(
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS,
        head_dim=WIDTH,
        vocab_size=64,
        max_position_embeddings=2 * COLUMNS,
    )
    model: Any = LlamaForCausalLM(config)
    model.set_attn_implementation(register())
    model.eval().requires_grad_(False)
    return Generator("deep", "deep", model, Characters(), torch.device("cpu"), 2 * COLUMNS)


def test_the_final_tier_makes_no_attention_map() -> None:
    """Masks of 512 rows and copies of the prompt's keys and values, where one layer's map is 2 GiB.

    Both orders, two authors who compete, paired influence of eight statements: 4,096 columns.
    """
    generator = _deep()
    spans = tuple((start, start + 60) for start in range(COLUMNS - 512, COLUMNS, 64))
    ids = tuple(i % 60 + 2 for i in range(COLUMNS + 8))
    prompt = Scored(ids, tuple(range(2, 26)), spans, COLUMNS)
    kept = torch.randn(1, KEY_HEADS, COLUMNS + 7, WIDTH)
    generator.kept[prompt.prompt_ids[:-1]] = Prefix(COLUMNS + 7, ((kept, kept),) * LAYERS)
    support = [backed((1.0, (10,)), (1.0, (17,)))]
    case = replace(a_case([by(a) for a in "ABCDEFGH"], support), scored=prompt, segments=((0, 24),))
    with _Peak() as peak:
        found = attribute_finally(generator, "an1", case, ShareRules(500_000, 0), 0)
    assert found.detail["orders"] == 2
    keys_and_values = 2 * LAYERS * KEY_HEADS * WIDTH * (COLUMNS + 512) * 4
    masks = 512 * (COLUMNS + 512) * (8 + 4 + 4 + 4 + 1 + 1)  # distances, biases, what is unseen
    assert keys_and_values < peak.bytes <= 3 * keys_and_values + masks < 200 * 2**20
    assert peak.bytes < HEADS * COLUMNS**2 * 4 / 10  # of one layer's map
