"""What the decoder says after a prompt, token by token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from haozhi.models.generator import Generator
from haozhi.models.prefix import prefill

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn; temperature 0 is greedy, and then the seed has no effect."""

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0


def generate(
    generator: Generator,
    prompt_ids: Sequence[int],
    *,
    max_new_tokens: int,
    sampling: Sampling,
    ends: Callable[[str], bool],
    cancelled: Callable[[], bool] = lambda: False,
) -> list[int]:
    """Continue one prompt token by token after its kept keys and values; the new tokens, no stops.

    `ends(text)` is asked after each token with all the text so far and says that it is complete.
    `cancelled()` is asked before each token; what was generated until then is returned.
    """
    import torch

    random = torch.Generator().manual_seed(sampling.seed)
    cache, last = prefill(generator, prompt_ids[:-1]).cache(), prompt_ids[-1]
    new: list[int] = []
    with torch.inference_mode():
        while len(new) < max_new_tokens and not cancelled():
            step = torch.tensor([[last]], device=generator.device)
            out = generator.model(step, cache=cache, use_cache=True, logits_to_keep=1)
            last = _drawn(out.logits[0, -1].float(), sampling, random)
            if last in generator.stops:
                break
            new.append(last)
            if ends(generator.decode(new)):
                break
    return new


def _drawn(logits: "torch.Tensor", sampling: Sampling, random: "torch.Generator") -> int:
    """logits: [vocabulary] float32. Nucleus sampling keeps the smallest set reaching top_p."""
    import torch

    if sampling.temperature == 0:
        return int(logits.argmax())
    p, order = torch.softmax(logits.cpu() / sampling.temperature, -1).sort(descending=True)
    p[p.cumsum(-1) - p > sampling.top_p] = 0
    return int(order[torch.multinomial(p, 1, generator=random)])
