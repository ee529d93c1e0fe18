"""Attention of single rows seen while SDPA runs, without a full attention map.

SDPA returns no weights. The registered function runs it unchanged and, while a capture is open,
also computes the softmax of the wanted rows and keeps its sums over the wanted columns.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

NAME = "haozhi_sdpa"

#: Weights (heads x rows x columns) that exist at once, float32; bounds the memory to 16 MiB.
MOST_WEIGHTS = 2**22


@dataclass(frozen=True)
class _Wanted:
    rows: int
    spans: Sequence[tuple[int, int]]
    seen: list["torch.Tensor"]


_wanted: ContextVar[_Wanted | None] = ContextVar("wanted", default=None)


def register() -> str:
    """Make the attention function known to transformers; returns the name to load models with."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(NAME, _attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    return NAME


@contextmanager
def capture(rows: int, spans: Sequence[tuple[int, int]]) -> Iterator[list["torch.Tensor"]]:
    """While open, each layer appends [heads, rows, len(spans)] float32: the attention of the last
    `rows` query rows, summed over the columns of each span (of the batch's last row).

    For passes with explicit masks, as `continue_hidden` makes them.
    """
    wanted = _Wanted(rows, spans, [])
    token = _wanted.set(wanted)
    try:
        yield wanted.seen
    finally:
        _wanted.reset(token)


def _attention(
    module: Any,
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    attention_mask: "torch.Tensor | None",
    **kwargs: Any,
) -> tuple["torch.Tensor", None]:
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    wanted = _wanted.get()
    if wanted:
        assert attention_mask is not None, "a capture needs an explicit mask"
        scaling = kwargs.get("scaling") or query.shape[-1] ** -0.5
        wanted.seen.append(_on_spans(wanted, query[-1], key[-1], attention_mask[-1], scaling))
    output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **kwargs)
    return output, None


def _on_spans(
    wanted: _Wanted,
    query: "torch.Tensor",
    key: "torch.Tensor",
    mask: "torch.Tensor",
    scaling: float,
) -> "torch.Tensor":
    """query: [heads, tail, width]; key: [key heads, columns, width]; mask: additive
    [1 or heads, tail, columns]."""
    import torch

    (heads, tail, width), (key_heads, columns, _) = query.shape, key.shape
    keys = key.float().transpose(-1, -2)
    chosen = torch.zeros(columns, len(wanted.spans), device=key.device)
    for number, (start, end) in enumerate(wanted.spans):
        chosen[start:end, number] = 1
    found = []
    step = max(1, MOST_WEIGHTS // (heads * columns))
    for start in range(tail - wanted.rows, tail, step):
        rows = slice(start, start + step)
        # The heads of a group share their keys: their rows stand below each other.
        grouped = (query[:, rows].float() * scaling).reshape(key_heads, -1, width)
        logits = (grouped @ keys).view(heads, -1, columns) + mask[:, rows].float()
        found.append(logits.softmax(-1) @ chosen)  # [heads, up to step rows, spans]
    return torch.cat(found, dim=1)
