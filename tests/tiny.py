"""Tiny decoders with random weights and a tokenizer of single characters, for unit tests."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig, LlamaForCausalLM

from haozhi.attribution.values import Scored
from haozhi.models.attention import register
from haozhi.models.generator import Generator

END = 0
_CHARACTERS = [
    "",
    "",
    "\n",
    *map(chr, range(32, 127)),
    *"资料问题答案：，。？等于加一二三猫叫团子我的",
]
VOCABULARY = len(_CHARACTERS)


class Characters:
    """The part of a tokenizer that a Generator uses: one token per character, two special ones."""

    bos_token_id = 1
    eos_token_id = END
    chat_template = None

    def __call__(self, text: str, **options: bool) -> Any:
        """The tokens of a text, without special ones."""
        assert not options["add_special_tokens"]
        return type("Encoded", (), {"input_ids": [_CHARACTERS.index(c, 2) for c in text]})

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        """The characters of tokens; special tokens have none."""
        assert skip_special_tokens
        return "".join(_CHARACTERS[i] for i in ids)


_SIZES = json.loads("""{"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "bos_token_id": 1,
    "eos_token_id": 0, "pad_token_id": 0, "initializer_range": 0.3}""")


def tiny(kind: str, attention: str | None = None) -> Generator:
    """A `llama` (full attention) or a `gemma` (one layer of 2 with a window of 8 tokens)."""
    torch.manual_seed(7)
    register()
    common = {**_SIZES, "vocab_size": VOCABULARY, "max_position_embeddings": 512}
    if kind == "llama":
        model: Any = LlamaForCausalLM(LlamaConfig(**common))
    else:
        layers = ["sliding_attention", "full_attention"]
        config = Gemma3TextConfig(**common, sliding_window=8, layer_types=layers)
        model = Gemma3ForCausalLM(config)
    model.set_attn_implementation(attention or register())
    model.eval().requires_grad_(False)
    return Generator(f"tiny-{kind}", kind, model, Characters(), torch.device("cpu"), 512)


def scored(generator: Generator, apart: str = "") -> Scored:
    """Two statements, `apart`, two more, a question, and an answer of some length."""
    ids, spans = [*generator.opening, *generator.encode("Sources:\n")], []
    for text, after in (
        ("3 + 1 = 4", "\n"),
        ("1 + 1 = 2", apart + "\n"),
        ("the sea is deep", "\n"),
        ("2 + 1 = 3", "\n"),
    ):
        tokens = generator.encode(text)
        spans.append((len(ids), len(ids) + len(tokens)))
        ids += [*tokens, *generator.encode(after)]
    start = len(ids)
    ids += generator.encode("Question: 1 + 1 + 1 = ?\nAnswer:")
    answer = generator.encode(" 1 + 1 = 2, and 2 + 1 = 3. The answer is 3.")
    return Scored(tuple(ids), tuple(answer), tuple(spans), start)


class Parrot:
    """A model that says given tokens, whatever it reads."""

    def __init__(self, says: Sequence[int], ends: object) -> None:
        self._says = list(says)
        self.generation_config = SimpleNamespace(eos_token_id=ends)

    def base_model(self, *_: object, **__: object) -> None:
        """What it reads leaves nothing behind."""

    def __call__(self, *_: object, **__: object) -> SimpleNamespace:
        """One row of logits for the next token."""
        logits = torch.full((1, 1, VOCABULARY), -5.0)
        logits[0, 0, self._says.pop(0)] = 5.0
        return SimpleNamespace(logits=logits)


def parrot(says: Sequence[int], ends: object = END) -> Generator:
    """A generator that says these tokens to every prompt."""
    model = Parrot(says, ends)
    return Generator("parrot", "parrot", model, Characters(), torch.device("cpu"), 512)
