"""The second opinion of a share: the same statements, read in reversed order.

A prompt's order moves the truth itself: what stands first or last is read otherwise.
"""

from dataclasses import replace

from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.generator import Generator
from haozhi.models.prefix import extend


def reversed_order(scored: Scored) -> Scored:
    """The same prompt with its statements (each with what follows it) in reversed order.

    The statements keep their numbers.
    """
    order = sorted(range(len(scored.spans)), key=lambda i: scored.spans[i])
    starts = [scored.spans[i][0] for i in order]
    ends = dict(zip(order, [*starts[1:], scored.tail_start], strict=True))
    ids = list(scored.prompt_ids[: starts[0]])
    spans: dict[int, tuple[int, int]] = {}
    for i in reversed(order):
        start, end = scored.spans[i]
        spans[i] = (len(ids), len(ids) + end - start)
        ids += scored.prompt_ids[start : ends[i]]
    prompt = (*ids, *scored.prompt_ids[scored.tail_start :])
    return replace(scored, prompt_ids=prompt, spans=tuple(spans[i] for i in range(len(order))))


def read_backwards(generator: Generator, given: ValueFunction) -> ValueFunction:
    """The values of the reversed order: only the statements are read again, not what opens them."""
    scored = reversed_order(given.scored)
    opening = _opening(given.scored)
    statements = scored.prompt_ids[opening : scored.tail_start]
    prefix = extend(generator, given.prefix.cut(opening), statements)
    return ValueFunction(generator, scored, given.vocabulary, prefix)


def reading_passes(scored: Scored) -> int:
    """What reading the statements again costs, in passes of the tail, rounded up."""
    return -(-(scored.tail_start - _opening(scored)) // len(scored.tail_ids))


def _opening(scored: Scored) -> int:
    """The number of tokens before the first statement."""
    return min(start for start, _ in scored.spans)
