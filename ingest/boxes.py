"""Where a part of a text stands on its pages."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ingest.documents import Box
from store.records.corpus import Rectangle


def rectangles(boxes: Sequence[Box], start: int, end: int) -> tuple[Rectangle, ...]:
    """The rectangles of code points `start`..`end`, one for each piece of a line, in order.

    The boxes come in the order of the text and do not overlap in it.
    """
    first = max(0, bisect_right(boxes, start, key=lambda box: box.start) - 1)
    return tuple(_rectangles(boxes, first, start, end))


def _rectangles(boxes: Sequence[Box], first: int, start: int, end: int) -> Iterator[Rectangle]:
    for index in range(first, len(boxes)):
        box = boxes[index]
        if box.start >= end:
            return
        low, high = max(start, box.start) - box.start, min(end, box.end) - box.start
        if low < high:
            sides = sorted((box.edges[low], box.edges[high]))
            if box.vertical:
                yield Rectangle(box.page, box.left, sides[0], box.right, sides[1])
            else:
                yield Rectangle(box.page, sides[0], box.bottom, sides[1], box.top)
