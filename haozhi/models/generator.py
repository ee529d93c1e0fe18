"""The local decoder with its tokenizer, loaded as settings say."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from haozhi.models.attention import register
from haozhi.models.device import choose_device, choose_dtype
from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.settings import Settings
from store.errors import BadInput

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Generator:
    """A decoder-only model with its tokenizer; evaluation mode, no gradients on the weights.

    `window` is the most tokens that prompt and answer may have together. `kept` holds the prompt
    that ran last (`haozhi.models.prefix.prefill`).
    """

    name: str
    fingerprint: str
    model: Any
    tokenizer: Any
    device: "torch.device"
    window: int
    kept: dict[tuple[int, ...], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def encode(self, text: str) -> list[int]:
        """The tokens of a piece of text; `<eos>` or `<|im_start|>` in it are plain characters.

        What people said and ask goes through here: it must not end a turn or open another.
        """
        tokens = self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)
        return list(tokens.input_ids)

    def encode_template(self, text: str) -> list[int]:
        """The tokens of our own words, in which the model's control tokens count as such."""
        tokens = self.tokenizer(text, add_special_tokens=False, split_special_tokens=False)
        return list(tokens.input_ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens, special tokens left out."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    @property
    def opening(self) -> tuple[int, ...]:
        """The tokens that open every prompt (the model's beginning of sequence, if it has one)."""
        first = self.tokenizer.bos_token_id
        return () if first is None else (int(first),)

    @property
    def stops(self) -> frozenset[int]:
        """The tokens that end a text."""
        ends = self.model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        return frozenset(int(e) for e in [*ends, self.tokenizer.eos_token_id] if e is not None)


def load_generator(settings: Settings) -> Generator:
    """Load the generator that settings name. ModelMissing, UsageError: one line says what to do."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    folder = resolve_model(settings.generator, settings)
    device = choose_device(settings.device)
    dtype = choose_dtype(settings.dtype, device)
    torch.set_num_threads(settings.threads)
    disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, attn_implementation=register()
        )
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(f"{settings.generator} in {folder} cannot be loaded as a decoder") from error
    module: Any = model  # transformers' own annotations of to() and eval() are incomplete
    module.to(device).eval().requires_grad_(False)
    longest = int(model.config.get_text_config().max_position_embeddings)
    window = min(settings.context_tokens or longest, longest)
    fingerprint = f"{model_fingerprint(settings.generator, folder)}/{_short(dtype)}"
    return Generator(settings.generator, fingerprint, model, tokenizer, device, window)


def _short(dtype: "torch.dtype") -> str:
    return str(dtype).removeprefix("torch.")
