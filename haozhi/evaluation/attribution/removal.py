"""v(S) by removing text: the prompt is written anew with the statements of S alone.

This is the yardstick of evaluation, slower than the ledger's masked game: positions close up, and
no statement has seen one that was left out. What two coalitions have in common at the front of
their prompts runs once; the whole vocabulary is normalised over.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.shapley import Coalition
from haozhi.attribution.values import Scored
from haozhi.models.generator import Generator
from haozhi.models.prefix import Prefix, extend, prefill, token_log_probs


class RemovalFunction:
    """Log-probabilities of the answer's tokens per coalition, each evaluated once, as in
    `ValueFunction`.
    """

    def __init__(self, generator: Generator, scored: Scored) -> None:
        """Runs what stands before the statements; kept for the life of this object."""
        self.scored = scored
        self.passes = 0
        self._generator = generator
        self._known: dict[Coalition, list[float]] = {}
        self._blocks = blocks(scored)
        self._opening = prefill(generator, opening(scored))

    def token_values(self, coalitions: Sequence[Coalition]) -> NDArray[np.float64]:
        """[len(coalitions), len(answer_ids)] float64 nats: log p of each token given S."""
        new = {tuple(n for n in self._blocks if n in c): c for c in coalitions}
        path: list[tuple[int, Prefix]] = []
        for members in sorted(new, key=self._places):
            if new[members] not in self._known:
                self._known[new[members]] = self._evaluate(members, path)
        return np.array([self._known[c] for c in coalitions])

    def totals(self, coalitions: Sequence[Coalition]) -> NDArray[np.float64]:
        """[len(coalitions)] nats: v(S), the sum over the answer's tokens."""
        return np.asarray(self.token_values(coalitions).sum(axis=1))

    def _places(self, members: Sequence[int]) -> list[int]:
        """Sorts coalitions so that those with the same first statements are neighbours."""
        order = list(self._blocks)
        return [order.index(number) for number in members]

    def _evaluate(self, members: Sequence[int], path: list[tuple[int, Prefix]]) -> list[float]:
        """`path` holds the statements run last, each with all before it; it is brought to S."""
        same = 0
        while same < min(len(path), len(members)) and path[same][0] == members[same]:
            same += 1
        del path[same:]
        for number in members[same:]:
            before = path[-1][1] if path else self._opening
            path.append((number, extend(self._generator, before, self._blocks[number])))
        prefix = path[-1][1] if path else self._opening
        self.passes += 1
        tail = self.scored.prompt_ids[self.scored.tail_start :]
        return token_log_probs(self._generator, prefix, tail, self.scored.answer_ids)


def every_coalition(statements: int) -> list[Coalition]:
    """All 2^n coalitions; the b-th holds statement i where bit i of b is set."""
    return [
        frozenset(i for i in range(statements) if bits >> i & 1) for bits in range(2**statements)
    ]


def opening(scored: Scored) -> tuple[int, ...]:
    """The tokens before the first statement; the whole prompt up to the tail, if there is none."""
    first = min((start for start, _ in scored.spans), default=scored.tail_start)
    return scored.prompt_ids[:first]


def blocks(scored: Scored) -> dict[int, tuple[int, ...]]:
    """The tokens of each statement with what follows it, by number, in the prompt's order."""
    order = sorted(range(len(scored.spans)), key=lambda number: scored.spans[number])
    starts = [scored.spans[number][0] for number in order]
    bounds = pairwise([*starts, scored.tail_start])
    return {n: scored.prompt_ids[a:b] for n, (a, b) in zip(order, bounds, strict=True)}


def without(scored: Scored, coalition: Coalition) -> tuple[int, ...]:
    """The prompt's tokens with the statements outside the coalition removed."""
    kept = [ids for number, ids in blocks(scored).items() if number in coalition]
    tail = scored.prompt_ids[scored.tail_start :]
    return (*opening(scored), *(token for ids in kept for token in ids), *tail)
