"""A prompt run once and kept: its keys and values serve many continuations at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from haozhi.models.generator import Generator

if TYPE_CHECKING:
    import torch

#: Tokens that run at once where there can be many: bounds the masks to [MOST_ROWS, columns].
MOST_ROWS = 512


@dataclass(frozen=True)
class Prefix:
    """Per layer (keys, values), each [1, heads, length, width]; no window has dropped a column.

    They are shared by all who asked for the prompt, so nobody writes into them.
    """

    length: int
    layers: tuple[tuple["torch.Tensor", "torch.Tensor"], ...]

    def cut(self, length: int) -> "Prefix":
        """Its first `length` tokens."""
        return Prefix(length, tuple((k[:, :, :length], v[:, :, :length]) for k, v in self.layers))

    def cache(self) -> Any:
        """A cache of transformers that goes on after it; what is added stays out of the prefix."""
        from transformers import DynamicCache

        return DynamicCache(list(self.layers))  # Without its configuration no layer drops columns.


def prefill(generator: Generator, ids: Sequence[int]) -> Prefix:
    """The keys and values of a prompt, run once; the one asked for last stays with the generator.

    Generation, quotation and attribution of an answer ask for the same tokens, its prompt without
    the last one. What is kept is what running them again would give, bit by bit.
    """
    import torch

    key = tuple(ids)
    kept: Prefix | None = generator.kept.get(key)
    if kept is not None:
        return kept
    cache = Prefix(0, ()).cache()
    if key:
        with torch.no_grad():
            tokens = torch.tensor([key], device=generator.device)
            generator.model.base_model(tokens, cache=cache, use_cache=True)
    found = Prefix(len(key), tuple((layer.keys, layer.values) for layer in cache.layers))
    generator.kept.clear()  # One prompt at a time: its keys and values can be large.
    generator.kept[key] = found
    return found


def extend(generator: Generator, prefix: Prefix, ids: Sequence[int]) -> Prefix:
    """Run more tokens (at least one) after a kept prefix, which is not changed."""
    import torch

    cache, length = prefix.cache(), prefix.length
    for start in range(0, len(ids), MOST_ROWS):
        tokens = torch.tensor([list(ids[start : start + MOST_ROWS])], device=generator.device)
        _run(generator, cache, tokens, torch.zeros(1, length))
        length += tokens.shape[1]
    return Prefix(length, tuple((layer.keys, layer.values) for layer in cache.layers))


def continue_hidden(
    generator: Generator, prefix: Prefix, tails: "torch.Tensor", bias: "torch.Tensor"
) -> "torch.Tensor":
    """[batch, tail, width]: the last layer over `tails` [batch, tail], at their real positions.

    bias: [batch, prefix.length] float32, added to the attention logits of the prefix's columns for
    the tail's rows (0 keeps, -inf removes); gradients flow into it. The prefix is not changed.
    """
    return _run(generator, prefix.cache(), tails, bias)


def _run(
    generator: Generator, cache: Any, tails: "torch.Tensor", bias: "torch.Tensor"
) -> "torch.Tensor":
    """The tails stand one after the other in one row, each blind to the others: the keys and values
    of the prefix are not copied per tail, and are as large as those of one prompt."""
    import torch

    size, length = tails.shape
    first = bias.shape[1]
    positions = torch.arange(first, first + length, device=generator.device).repeat(size)
    hidden: torch.Tensor = generator.model.base_model(
        tails.reshape(1, -1),
        attention_mask=_masks(generator, positions, bias),
        position_ids=positions[None],
        cache=cache,
        use_cache=True,
    ).last_hidden_state
    return hidden.view(size, length, -1)


@dataclass(frozen=True)
class Vocabulary:
    """Tokens that log-probabilities are normalised over: `tokens` [n] ascending, with the rows of
    the model's output layer in float32, `weight` [n, width] and `bias` [n] or None."""

    tokens: "torch.Tensor"
    weight: "torch.Tensor"
    bias: "torch.Tensor | None"


def likely_tokens(
    generator: Generator, hidden: "torch.Tensor", targets: "torch.Tensor", most: int
) -> Vocabulary:
    """The `most` likeliest tokens of each row of `hidden` [batch, n, width], and the targets."""
    import torch

    head = generator.model.lm_head
    logits = head(hidden)
    top = logits.topk(min(most, logits.shape[-1]), dim=-1).indices
    chosen = sorted({*top.flatten().tolist(), *targets.flatten().tolist()})
    tokens = torch.tensor(chosen, device=hidden.device)
    bias = None if head.bias is None else head.bias[tokens].float()
    return Vocabulary(tokens, head.weight[tokens].float(), bias)


def log_probs(
    generator: Generator,
    hidden: "torch.Tensor",
    targets: "torch.Tensor",
    among: Vocabulary | None = None,
) -> "torch.Tensor":
    """[batch, n] float32: log p of each target [batch, n], over the whole vocabulary by default.

    hidden: [batch, n, width], the rows that predict the targets, which are among the tokens.
    """
    import torch

    if among is None:
        logits = generator.model.lm_head(hidden).float()
    else:
        logits = torch.nn.functional.linear(hidden.float(), among.weight, among.bias)
        targets = torch.searchsorted(among.tokens, targets.contiguous())
    chosen: torch.Tensor = logits.gather(-1, targets[..., None])[..., 0] - logits.logsumexp(-1)
    return chosen


def score(
    generator: Generator, prefix: Prefix, last: int, texts: Sequence[Sequence[int]]
) -> list[float]:
    """log p per token of each continuation, in nats: the mean over its tokens.

    `last` is the token after the prefix that predicts the first token of every continuation.
    """
    import torch

    longest = max(map(len, texts))
    ids = torch.zeros(len(texts), longest, dtype=torch.long)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
    ids = ids.to(generator.device)
    first = torch.full((len(texts), 1), last, device=generator.device)
    with torch.inference_mode():
        bias = torch.zeros(len(texts), prefix.length)
        tails = torch.cat([first, ids[:, :-1]], dim=1)
        found = log_probs(generator, continue_hidden(generator, prefix, tails, bias), ids)
    return [float(found[row, : len(text)].mean()) for row, text in enumerate(texts)]


def token_log_probs(
    generator: Generator, prefix: Prefix, tail_ids: Sequence[int], answer_ids: Sequence[int]
) -> list[float]:
    """log p of each answer token in nats, after the prefix and the tail (at least one token)."""
    import torch

    ids = torch.tensor([[*tail_ids, *answer_ids[:-1]]], device=generator.device)
    answer = torch.tensor([list(answer_ids)], device=generator.device)
    with torch.inference_mode():
        hidden = continue_hidden(generator, prefix, ids, torch.zeros(1, prefix.length))
        found = log_probs(generator, hidden[:, -len(answer_ids) :], answer)
    return [float(value) for value in found[0]]


def _masks(generator: Generator, positions: "torch.Tensor", bias: "torch.Tensor") -> Any:
    """Additive masks [1, 1, rows, prefix + rows], one per kind of layer that the model has.

    `positions` [rows] are those of len(bias) tails of one length, one after the other.
    """
    import torch

    config = generator.model.config.get_text_config()
    dtype, device = generator.model.dtype, generator.device
    (size, prefix), rows = bias.shape, len(positions)
    columns = torch.cat([torch.arange(prefix, device=device), positions])
    distance = positions[:, None] - columns[None]  # [rows, prefix + rows]
    tail = torch.arange(size, device=device).repeat_interleave(rows // size)
    unseen = distance < 0
    unseen[:, prefix:] |= tail[:, None] != tail[None]
    padded = torch.nn.functional.pad(bias.to(device), (0, rows)).repeat_interleave(rows // size, 0)

    def mask(window: int | None) -> torch.Tensor:
        hidden = unseen if window is None else unseen | (distance >= window)
        floor = torch.finfo(dtype).min
        return padded.masked_fill(hidden, floor).clamp(min=floor).to(dtype)[None, None]

    kinds = set(getattr(config, "layer_types", None) or ())
    window = getattr(config, "sliding_window", None)
    if "sliding_attention" in kinds:
        return {k: mask(window if k == "sliding_attention" else None) for k in sorted(kinds)}
    return mask(window if getattr(config, "use_sliding_window", window is not None) else None)
