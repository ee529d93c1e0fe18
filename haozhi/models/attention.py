"""Attention of single rows seen while SDPA runs, without a full attention map.

SDPA returns no weights. The registered function runs it unchanged and, while a capture is open,
also computes the softmax of the wanted rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

NAME = "haozhi_sdpa"


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
    """While open, each layer appends a [len(spans)] tensor: attention from the last `rows` query
    rows to the columns of each span, mean over heads and rows (batch row 0)."""
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
        wanted.seen.append(_on_spans(wanted, query, key, attention_mask, kwargs.get("scaling")))
    output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **kwargs)
    return output, None


def _on_spans(
    wanted: _Wanted,
    query: "torch.Tensor",
    key: "torch.Tensor",
    mask: "torch.Tensor | None",
    scaling: float | None,
) -> "torch.Tensor":
    """query: [batch, heads, rows, width]; key: [batch, key heads, columns, width]."""
    import torch

    rows = query[0, :, -wanted.rows :].float()
    keys = key[0].float().repeat_interleave(len(rows) // key.shape[1], dim=0)
    logits = rows @ keys.transpose(-1, -2) * (scaling or query.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits + mask[0, :, -wanted.rows :, : keys.shape[-2]].float()
    weights = logits.softmax(-1).mean((0, 1))  # [columns]
    return torch.stack([weights[start:end].sum() for start, end in wanted.spans])
