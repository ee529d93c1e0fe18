"""The words that a statement shares with what an answer says, to be marked where both are read."""

import re
from collections.abc import Iterator

from haozhi.attribution.support.tokens import is_han, tokens_of

#: A run of Han characters that two texts share says something from this length on.
LEAST_HAN = 2

_PIECE = re.compile(r"[㐀-鿿]+|[^\W㐀-鿿]+(?:['’.]\w+)*")


def marked(text: str, answer: str) -> tuple[tuple[str, bool], ...]:
    """The text in stretches, each with whether the answer has these words too.

    English words are compared by their stems, without function words; Han runs by common parts.
    """
    pieces = {token.piece for token in tokens_of(answer) if token.piece}
    stretches: list[tuple[str, bool]] = []
    for stretch, shared in _stretches(text, pieces, answer):
        if stretches and stretches[-1][1] == shared:
            stretches[-1] = (stretches[-1][0] + stretch, shared)
        elif stretch:
            stretches.append((stretch, shared))
    return tuple(stretches)


def _stretches(text: str, pieces: set[str], answer: str) -> Iterator[tuple[str, bool]]:
    done = 0
    for match in _PIECE.finditer(text):
        yield text[done : match.start()], False
        if is_han(match[0]):
            yield from _common_runs(match[0], answer)
        else:
            own = {token.piece for token in tokens_of(match[0]) if token.piece}
            yield match[0], bool(own & pieces)
        done = match.end()
    yield text[done:], False


def _common_runs(run: str, answer: str) -> Iterator[tuple[str, bool]]:
    """The run from left to right, the longest part that the answer has at each place marked."""
    at = 0
    while at < len(run):
        end = at
        while end < len(run) and run[at : end + 1] in answer:
            end += 1
        shared = end - at >= LEAST_HAN
        yield run[at : end if shared else at + 1], shared
        at = end if shared else at + 1
