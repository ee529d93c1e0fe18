"""v(S) = log p(answer | question, statements S) in nats, by masking the cached prompt.

The prompt up to the last statement is run once and its keys and values are kept. A coalition S is
evaluated by running only the tail (the question's end and the answer), with the columns of the
statements outside S masked for the tail's rows. Many coalitions run as one batch. This is the game
`masked-v1`: original positions, and statements still see each other in the cached part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haozhi.models.attention import capture
from haozhi.models.generator import Generator

if TYPE_CHECKING:
    import torch

#: Rows of (coalitions x tail tokens) that run as one batch; bounds the memory.
BATCH_ROWS = 1024

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Scored:
    """A prompt with a fixed answer. `spans[i]` are the half-open prompt tokens of statement i.

    The tail `prompt_ids[tail_start:]` comes after every span and is not empty; its last token
    predicts the first answer token.
    """

    prompt_ids: tuple[int, ...]
    answer_ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    tail_start: int

    def __post_init__(self) -> None:
        last = max((end for _, end in self.spans), default=0)
        if not 0 < last <= self.tail_start < len(self.prompt_ids) and self.spans:
            raise ValueError("the tail must follow all statements and hold a token of the prompt")
        if not self.answer_ids:
            raise ValueError("there is no answer to score")

    @property
    def tail_ids(self) -> tuple[int, ...]:
        """What runs per coalition: the prompt's tail and all of the answer but its last token."""
        return (*self.prompt_ids[self.tail_start :], *self.answer_ids[:-1])


class ValueFunction:
    """Log-probabilities of the answer's tokens per coalition, each coalition evaluated once."""

    def __init__(self, generator: Generator, scored: Scored) -> None:
        """Runs the prompt up to the tail once; one prefill, kept for the life of this object."""
        self.scored = scored
        self.passes = 0
        self._generator = generator
        self._prefix = _prefill(generator, scored.prompt_ids[: scored.tail_start])
        self._known: dict[frozenset[int], NDArray[np.float64]] = {}

    def token_values(self, coalitions: Sequence[frozenset[int]]) -> Matrix:
        """[len(coalitions), len(answer_ids)] float64 nats: log p of each token given S.

        A coalition is a set of statement numbers (positions in `scored.spans`).
        """
        new = list(dict.fromkeys(c for c in coalitions if c not in self._known))
        for batch in _batches(new, len(self.scored.tail_ids)):
            rows = self._evaluate(batch)
            self._known.update(zip(batch, rows, strict=True))
            self.passes += len(batch)
        return np.stack([self._known[c] for c in coalitions])

    def totals(self, coalitions: Sequence[frozenset[int]]) -> NDArray[np.float64]:
        """[len(coalitions)] nats: v(S), the sum over the answer's tokens."""
        return np.asarray(self.token_values(coalitions).sum(axis=1))

    def _evaluate(self, batch: Sequence[frozenset[int]]) -> Matrix:
        import torch

        with torch.inference_mode():
            values = log_probs(self._generator, self._hidden(batch), self.scored.answer_ids)
        return np.asarray(values.double().cpu())

    def _hidden(self, batch: Sequence[frozenset[int]]) -> "torch.Tensor":
        import torch

        keep = torch.ones(len(batch), self.scored.tail_start, dtype=torch.bool)
        for row, coalition in enumerate(batch):
            for number, (start, end) in enumerate(self.scored.spans):
                keep[row, start:end] = number in coalition
        bias = torch.zeros(keep.shape).masked_fill(~keep, float("-inf"))
        return answer_hidden(self._generator, self._prefix, self.scored, bias)

    def attention(self) -> tuple[float, ...]:
        """Per statement, 0..1: the part of the answer tokens' attention that falls on its tokens.

        The mean over layers, heads and answer tokens at full context; what is left of 1 falls on
        the rest of the prompt and on the answer itself.
        """
        import torch

        rows = len(self.scored.answer_ids)
        with torch.inference_mode(), capture(rows, self.scored.spans) as seen:
            self._hidden([frozenset(range(len(self.scored.spans)))])
        return tuple(float(part) for part in torch.stack(seen).mean(0))

    def gradients(self) -> tuple[float, ...]:
        """d v / d keep-bias of each statement at full context, in nats per unit of bias.

        The bias is added to the attention logits of the statement's columns for the tail's rows,
        in every head and layer.
        """
        import torch

        with torch.enable_grad():
            biases = torch.zeros(len(self.scored.spans), requires_grad=True)
            columns = torch.zeros(len(self.scored.spans), self.scored.tail_start)
            for number, (start, end) in enumerate(self.scored.spans):
                columns[number, start:end] = 1
            bias = (biases @ columns)[None]
            hidden = answer_hidden(self._generator, self._prefix, self.scored, bias)
            value = log_probs(self._generator, hidden, self.scored.answer_ids).sum()
            (found,) = torch.autograd.grad(value, biases)
        return tuple(float(g) for g in found)


def _batches(new: Sequence[frozenset[int]], tail: int) -> Iterator[Sequence[frozenset[int]]]:
    size = max(1, BATCH_ROWS // max(tail, 1))
    for start in range(0, len(new), size):
        yield new[start : start + size]


def _prefill(generator: Generator, ids: Sequence[int]) -> list[tuple["torch.Tensor", ...]]:
    """Per layer (keys, values), [1, heads, len(ids), width], no column dropped by any window."""
    import torch
    from transformers import DynamicCache

    cache: Any = DynamicCache()  # Without the config every layer keeps all columns.
    if ids:
        with torch.no_grad():
            tokens = torch.tensor([list(ids)], device=generator.device)
            generator.model.base_model(tokens, cache=cache, use_cache=True)
    return [(layer.keys, layer.values) for layer in cache.layers]


def answer_hidden(
    generator: Generator,
    prefix: Sequence[tuple["torch.Tensor", ...]],
    scored: Scored,
    bias: "torch.Tensor",
) -> "torch.Tensor":
    """[batch, len(answer_ids), width]: the last layer where each answer token is predicted.

    bias: [batch, tail_start] float32, added to the attention logits of the prefix's columns for
    the tail's rows (0 keeps, -inf removes); gradients flow into it.
    """
    import torch
    from transformers import DynamicCache

    size, device = bias.shape[0], generator.device
    tail = torch.tensor([scored.tail_ids], device=device).expand(size, -1)
    positions = torch.arange(scored.tail_start, scored.tail_start + tail.shape[1], device=device)
    hidden: torch.Tensor = generator.model.base_model(
        tail,
        attention_mask=_masks(generator, positions, bias),
        position_ids=positions[None].expand(size, -1),
        cache=DynamicCache([tuple(x.expand(size, -1, -1, -1) for x in layer) for layer in prefix]),
        use_cache=True,
    ).last_hidden_state
    return hidden[:, -len(scored.answer_ids) :]


def log_probs(
    generator: Generator, hidden: "torch.Tensor", answer_ids: Sequence[int]
) -> "torch.Tensor":
    """[batch, len(answer_ids)] float32: log p of each answer token over the whole vocabulary."""
    import torch

    logits = generator.model.lm_head(hidden).float()
    target = torch.tensor([answer_ids], device=hidden.device).expand(len(hidden), -1)
    chosen: torch.Tensor = logits.gather(-1, target[..., None])[..., 0] - logits.logsumexp(-1)
    return chosen


def _masks(generator: Generator, positions: "torch.Tensor", bias: "torch.Tensor") -> Any:
    """Additive masks [batch, 1, tail, prefix + tail], one per kind of layer that the model has."""
    import torch

    config = generator.model.config.get_text_config()
    dtype, device = generator.model.dtype, generator.device
    columns = torch.arange(int(positions[-1]) + 1, device=device)
    distance = positions[:, None] - columns[None]  # [tail, prefix + tail]
    padded = torch.nn.functional.pad(bias.to(device), (0, len(positions)))[:, None, None]

    def mask(window: int | None) -> torch.Tensor:
        hidden = (distance < 0) if window is None else (distance < 0) | (distance >= window)
        floor = torch.finfo(dtype).min
        return padded.masked_fill(hidden[None, None], floor).clamp(min=floor).to(dtype)

    kinds = set(getattr(config, "layer_types", None) or ())
    window = getattr(config, "sliding_window", None)
    if "sliding_attention" in kinds:
        return {k: mask(window if k == "sliding_attention" else None) for k in sorted(kinds)}
    return mask(None)
