"""An answer's segments: spans of its text, and the tokens that they came from."""

from collections.abc import Sequence
from dataclasses import dataclass

from haozhi.accounting.split import WHOLE_PPB, split
from haozhi.attribution.support.segments import split_segments
from haozhi.models.generator import Generator
from store.records.answers import Segment


@dataclass(frozen=True)
class Worded:
    """An answer in words: text without outer spaces, and its segments over text and `ids`."""

    ids: tuple[int, ...]
    text: str
    segments: tuple[Segment, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each segment."""
        return tuple(self.text[s.start : s.end] for s in self.segments)


def worded(generator: Generator, ids: Sequence[int]) -> Worded:
    """The text of the answer's tokens, cut into segments of equal weight.

    A token belongs to the segment that its first character lies in or leads up to.
    """
    raw = generator.decode(ids)
    body = raw.strip()
    lead = len(raw) - len(raw.lstrip())
    ends = [len(generator.decode(ids[: n + 1])) - lead for n in range(len(ids))]
    spans = split_segments(body)
    keys = [f"{k:06}" for k in range(len(spans))]
    weights = split(WHOLE_PPB, [(key, 1) for key in keys], "segments") if spans else {}
    found, first = [], 0
    for k, (start, end) in enumerate(spans):
        last = len(ids) if k == len(spans) - 1 else sum(e <= end for e in ends)
        found.append(Segment(k, start, end, first, last, weights[keys[k]]))
        first = last
    return Worded(tuple(ids), body, tuple(found))
