"""An answer's segments: its sentences and, inside a worked sum, its steps."""

import re
from collections.abc import Iterator

from haozhi.sums import equations_in
from ingest.segmentation import sentences

# A comma of 1,000 divides nothing.
_CUT = re.compile(r"[，、；;]|,(?!\d{3}(?!\d))|(?<=\d)\s+(?=(?:and|so|then)\b)", re.IGNORECASE)
_RESULT = re.compile(r"(?:answer|result|答案|结果|等于|equals?)\D*\d|=\s*[-\d]", re.IGNORECASE)


def split_segments(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open code-point spans, in order, without outer space; together all that is not space.

    `1 + 1 = 2, and 2 + 1 = 3. The answer is 3.` has three segments.
    """
    return tuple(span for start, end in sentences(text) for span in _steps(text, start, end))


def _steps(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cuts after an equation where a result follows; the punctuation stays left of the cut."""
    low = start
    for match in _CUT.finditer(text, start, end):
        cut = match.end() if match[0].strip() else match.start()
        if equations_in(text[low:cut]) and _RESULT.search(text[cut:end]):
            yield from _trimmed(text, low, cut)
            low = cut
    yield from _trimmed(text, low, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
