"""Where a part of a text stands on its pages."""

import pytest

from ingest.boxes import rectangles
from ingest.documents import Box

# "我家猫叫团子。" on a line of 12 points a character, its last two on the next page.
FIRST = Box(10, 15, 1, 72, 700, 132, 712, (72, 84, 96, 108, 120, 132))
SECOND = Box(15, 17, 2, 72, 700, 96, 712, (72, 84, 96))
DOWNWARDS = Box(20, 22, 1, 500, 676, 512, 700, (700, 688, 676), vertical=True)
BOXES = (FIRST, SECOND, DOWNWARDS)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((10, 15), [(1, 72, 700, 132, 712)]),
        ((12, 14), [(1, 96, 700, 120, 712)]),
        ((13, 16), [(1, 108, 700, 132, 712), (2, 72, 700, 84, 712)]),
        ((21, 22), [(1, 500, 676, 512, 688)]),
        ((0, 10), []),
        ((17, 20), []),
        ((30, 40), []),
    ],
)
def test_a_span_has_a_rectangle_for_each_piece_of_a_line(
    span: tuple[int, int], expected: list[tuple[float, ...]]
) -> None:
    """Only the characters of the span, on each page that it is on; nothing where none is known."""
    assert [tuple(each) for each in rectangles(BOXES, *span)] == expected
    assert rectangles((), *span) == ()
