"""What can be seen of an answer without asking for the value of any coalition."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.values import Scored
from haozhi.models.attention import capture
from haozhi.models.generator import Generator
from haozhi.models.prefix import continue_hidden, prefill

if TYPE_CHECKING:
    import torch


def attention_sums(generator: Generator, scored: Scored) -> NDArray[np.float64]:
    """[answer tokens, layers x heads, statements] 0..1: attention of each token's row on each
    statement's tokens; what is left of 1 falls on the rest of the prompt and the answer.

    One pass of the answer over the kept prompt. The answer's final tokens are read again, since
    those generated had the model's own markers in them; a quotation was never generated.
    """
    import torch

    prefix = prefill(generator, scored.prompt_ids[:-1])
    tail = torch.tensor([[scored.prompt_ids[-1], *scored.answer_ids[:-1]]], device=generator.device)
    with (
        torch.inference_mode(),
        capture(len(scored.answer_ids), scored.spans) as seen,
    ):
        continue_hidden(generator, prefix, tail, torch.zeros(1, prefix.length))
    rows: torch.Tensor = torch.cat(seen)  # [layers x heads, answer tokens, statements]
    return np.asarray(rows.transpose(0, 1).double().cpu())
