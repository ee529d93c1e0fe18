"""v(S) = log p(answer | question, statements S) in nats, by masking the cached prompt.

The prompt up to the last statement is run once and its keys and values are kept. A coalition S is
evaluated by running only the tail (the question's end and the answer), with the columns of the
statements outside S masked for the tail's rows. Many coalitions run as one batch. This is the game
`masked-v2` (haozhi.attribution.final): original positions, and statements still see each other in
the cached part.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.shapley import Coalition
from haozhi.models.generator import Generator
from haozhi.models.prefix import (
    MOST_ROWS,
    Prefix,
    Vocabulary,
    continue_hidden,
    likely_tokens,
    log_probs,
    prefill,
)

if TYPE_CHECKING:
    import torch

#: Likeliest tokens per place that probabilities are normalised over.
LIKELY_TOKENS = 400

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
        if not max(last, 1) <= self.tail_start < len(self.prompt_ids):
            raise ValueError("the tail must follow all statements and hold a token of the prompt")
        if not self.answer_ids:
            raise ValueError("there is no answer to score")

    @property
    def tail_ids(self) -> tuple[int, ...]:
        """What runs per coalition: the prompt's tail and all of the answer but its last token."""
        return (*self.prompt_ids[self.tail_start :], *self.answer_ids[:-1])


class ValueFunction:
    """Log-probabilities of the answer's tokens per coalition, each coalition evaluated once."""

    def __init__(
        self,
        generator: Generator,
        scored: Scored,
        likely: int | Vocabulary | None = LIKELY_TOKENS,
        prefix: Prefix | None = None,
    ) -> None:
        """The prompt that was answered is still kept; else it runs once, with the same result.

        Probabilities are normalised over the answer's tokens and the `likely` likeliest of each
        place, with all statements and with none; None: over the whole vocabulary. A vocabulary
        found before is used as it is, and `prefix` is the prompt up to the tail where it was read.
        """
        self.scored = scored
        self.passes = 0
        self._generator = generator
        self.prefix = prefix or prefill(generator, scored.prompt_ids[:-1]).cut(scored.tail_start)
        self.vocabulary = likely if isinstance(likely, Vocabulary) else None
        self._likely = likely if isinstance(likely, int) else None
        self._known: dict[Coalition, NDArray[np.float64]] = {}

    @property
    def known(self) -> dict[Coalition, float]:
        """v(S) in nats of each coalition that was evaluated, in that order."""
        return {coalition: float(row.sum()) for coalition, row in self._known.items()}

    def unknown(self, coalitions: Iterable[Coalition]) -> int:
        """The passes that asking for these coalitions would take."""
        return len(self._new(coalitions))

    def token_values(self, coalitions: Sequence[Coalition]) -> Matrix:
        """[len(coalitions), len(answer_ids)] float64 nats: log p of each token given S.

        A coalition is a set of statement numbers (positions in `scored.spans`). The first time,
        v(none) and v(all) are found too: every question about an answer needs them.
        """
        import torch

        for batch in _batches(self._new(coalitions), len(self.scored.tail_ids)):
            with torch.no_grad():  # not inference mode: gradients go through the vocabulary
                self._learn(batch, self._hidden(batch))
        found = np.array([self._known[c] for c in coalitions])
        return found.reshape(len(coalitions), len(self.scored.answer_ids))

    def totals(self, coalitions: Sequence[Coalition]) -> NDArray[np.float64]:
        """[len(coalitions)] nats: v(S), the sum over the answer's tokens."""
        return np.asarray(self.token_values(coalitions).sum(axis=1))

    @property
    def _answer(self) -> "torch.Tensor":
        import torch

        return torch.tensor([self.scored.answer_ids], device=self._generator.device)

    @property
    def _ends(self) -> list[Coalition]:
        return list(dict.fromkeys([frozenset[int](), frozenset(range(len(self.scored.spans)))]))

    def _new(self, coalitions: Iterable[Coalition]) -> list[Coalition]:
        """Those not evaluated yet, v(none) and v(all) first."""
        return [c for c in dict.fromkeys([*self._ends, *coalitions]) if c not in self._known]

    def _learn(self, batch: Sequence[Coalition], hidden: "torch.Tensor") -> None:
        if self._likely is not None and self.vocabulary is None:
            ends = hidden[: len(self._ends)]
            self.vocabulary = likely_tokens(self._generator, ends, self._answer, self._likely)
        rows = self._log_probs(hidden).double().cpu()
        self._known.update(zip(batch, np.asarray(rows), strict=True))
        self.passes += len(batch)

    def _hidden(self, batch: Sequence[Coalition]) -> "torch.Tensor":
        import torch

        keep = torch.ones(len(batch), self.prefix.length, dtype=torch.bool)
        for row, coalition in enumerate(batch):
            for number, (start, end) in enumerate(self.scored.spans):
                keep[row, start:end] = number in coalition
        bias = torch.zeros(keep.shape).masked_fill(~keep, float("-inf"))
        return self._biased(bias)

    def _biased(self, bias: "torch.Tensor") -> "torch.Tensor":
        """[batch, answer, width]: the rows that predict the answer's tokens."""
        import torch

        tail = torch.tensor([self.scored.tail_ids], device=self._generator.device)
        tails = tail.expand(len(bias), -1)
        hidden = continue_hidden(self._generator, self.prefix, tails, bias)
        return hidden[:, -len(self.scored.answer_ids) :]

    def _log_probs(self, hidden: "torch.Tensor") -> "torch.Tensor":
        answer = self._answer.expand(len(hidden), -1)
        return log_probs(self._generator, hidden, answer, self.vocabulary)

    def gradients(self, keeps: Sequence[float] = (1.0,)) -> Matrix:
        """[len(keeps), statements]: d v / d log keep of each statement, all kept by one `keep`.

        A statement kept by 0 < t <= 1 has log t added to the attention logits of its columns for
        the tail's rows, in every head and layer: 1 is full context, and towards 0 it vanishes.
        """
        import torch

        statements = len(self.scored.spans)
        if not statements:
            return np.zeros((len(keeps), 0))
        columns = torch.zeros(statements, self.prefix.length)
        for number, (start, end) in enumerate(self.scored.spans):
            columns[number, start:end] = 1
        self.token_values([])  # the vocabulary
        with torch.enable_grad():
            level = torch.tensor(keeps, dtype=torch.float32).log()[:, None]
            biases = level.repeat(1, statements).requires_grad_()
            value = self._log_probs(self._biased(biases @ columns)).sum()
            (found,) = torch.autograd.grad(value, biases)
        return np.asarray(found.double())


def _batches(new: Sequence[Coalition], tail: int) -> Iterator[Sequence[Coalition]]:
    size = max(2, MOST_ROWS // tail)  # v(none) and v(all) come in one batch
    for start in range(0, len(new), size):
        yield new[start : start + size]
