"""What an answer shows of its statements before the value of any coalition is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.attention import capture
from haozhi.models.generator import Generator

Array = NDArray[np.float64]

#: Where the one pass of the soft mask is run: at the middle of its way from none to all.
_KEPT = 0.5


@dataclass(frozen=True)
class Signals:
    """Three views of one answer, and the two values that are known of it.

    attention: [answer tokens, layers x heads, statements] 0..1, what each token's row pays to each
    statement's tokens (the rest falls on the rest of the prompt and on the answer);
    retrieval: [statements] cosine to the question;
    gradient: [statements] nats, the slope of v in the middle of the soft mask, where half of each
    statement is kept;
    none, full: [answer tokens] nats, v without any statement and with all.
    """

    attention: Array
    retrieval: Array
    gradient: Array
    none: Array
    full: Array

    def features(self, start: int, end: int) -> Array:
        """[statements, layers x heads + 2]: what a fit sees of the answer tokens start..end.

        Attention is the mean over the tokens. Retrieval counts against the prompt's mean and the
        gradient as a part of all gradients (of a nat, where they are less), so that neither an
        embedder's usual cosine nor the length of an answer matters.
        """
        retrieval = self.retrieval - self.retrieval.mean()
        gradient = self.gradient / max(float(np.abs(self.gradient).sum()), 1.0)
        return np.column_stack([self.attention[start:end].mean(0).T, retrieval, gradient])


def read_signals(generator: Generator, scored: Scored, retrieval: Sequence[float]) -> Signals:
    """The signals of an answer whose prompt is still kept.

    Its tail runs once for v(none) and v(all), where its attention is seen, and once with its
    gradient. The final answer is read again since those tokens that were generated had the model's
    own markers in them, and a quotation was never generated.
    """
    import torch

    values, everyone = ValueFunction(generator, scored), frozenset(range(len(scored.spans)))
    with capture(len(scored.answer_ids), scored.spans) as seen:
        none, full = values.token_values([frozenset(), everyone])  # all: the batch's last row
    rows = torch.cat(seen)  # [layers x heads, answer tokens, statements]
    return Signals(
        attention=np.asarray(rows.transpose(0, 1).double().cpu()),
        retrieval=np.array(retrieval),
        gradient=values.gradients([_KEPT])[0] / _KEPT,  # d v / d t, from d v / d log t
        none=none,
        full=full,
    )
