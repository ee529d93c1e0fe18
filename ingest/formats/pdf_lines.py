"""Lines of a PDF page with the place of each character, in reading order.

Everything about reading is in two coordinates that do not depend on the writing: `along` the line,
and `across` the lines in the order in which they are read. Vertical Chinese and Japanese run
downwards in columns from right to left; turned Latin text keeps the order of the file.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ingest.drafts import printable

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top."""

MAX_CHARACTERS = 200_000
"""Most characters of one page that are read; a book page has 3,000."""

_HYPHENS = "\x02\ufffe\u00ad"  # how pdfium marks a hyphen that only ends a line …
_LINE_ENDS = "\r\n\x02\ufffe"  # … behind which it then puts no line break


@dataclass(frozen=True)
class Line:
    """A line of a page; `edges` has one more entry than `text` has code points.

    `frame` is where it stands on the page as shown, `along` and `across` are (first, last) in
    reading coordinates of the page as written. `hyphenated`: its last word goes on in the next one.
    """

    text: str
    page: int
    frame: Rectangle
    edges: tuple[float, ...]
    along: Point
    across: Point
    direction: str = "right"
    hyphenated: bool = False
    confidence: float | None = None

    @property
    def size(self) -> float:
        """The height of its characters, in points."""
        return max(self.across[1] - self.across[0], 0.1)


@dataclass(frozen=True)
class _Character:
    text: str
    frame: Rectangle


def lines_of(textpage: Any, page: int, shown: Callable[[Point], Point]) -> list[Line]:
    """The lines of a page; `shown` takes a point of the page as written to the page as shown."""
    lines = [_line(chars, page, shown) for chars in _groups(textpage)]
    return _columns_from_the_right([line for line in lines if line is not None])


def _groups(textpage: Any) -> Iterator[list[_Character]]:
    """The characters between line ends, which pdfium has put in."""
    group: list[_Character] = []
    for text, frame in _characters(textpage):
        if text not in "\r\n":
            group.append(_Character(text, frame))
        if text in _LINE_ENDS:
            yield group
            group = []
    yield group


def _characters(textpage: Any) -> Iterator[tuple[str, Rectangle]]:
    from pypdfium2 import raw

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    high = 0
    for index in range(min(raw.FPDFText_CountChars(textpage), MAX_CHARACTERS)):
        code = raw.FPDFText_GetUnicode(textpage, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00 if high else 0
        high = 0
        raw.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
        if code:
            yield chr(code), (left.value, bottom.value, right.value, top.value)


def _line(group: list[_Character], page: int, shown: Callable[[Point], Point]) -> Line | None:
    """The line of a group without outer space; None when nothing in it can be seen."""
    while group and not printable(group[-1].text).strip() and group[-1].text not in _HYPHENS:
        group = group[:-1]
    hyphenated = bool(group) and group[-1].text in _HYPHENS
    chars = [c for c in group if printable(c.text) or c.text == "\t"]
    while chars and chars[0].text.isspace():
        chars = chars[1:]
    if hyphenated:
        chars = [c for c in chars if c.text not in _HYPHENS]
    if not chars:
        return None
    direction = _direction(chars)
    frames = [c.frame for c in chars if not c.text.isspace()]
    frame = (min(f[0] for f in frames), min(f[1] for f in frames),
             max(f[2] for f in frames), max(f[3] for f in frames))  # fmt: skip
    along, across = _reading(frame, direction)
    corners = shown((frame[0], frame[1])), shown((frame[2], frame[3]))
    return Line(
        "".join(c.text for c in chars),
        page,
        _around(*corners),
        tuple(_edges(chars, direction, shown)),
        along,
        across,
        direction,
        hyphenated,
    )


def _direction(chars: list[_Character]) -> str:
    """Where the line runs on the page as written: right, left, down or up."""
    first, last = _middle(chars[0].frame), _middle(chars[-1].frame)
    dx, dy = last[0] - first[0], last[1] - first[1]
    if abs(dx) >= abs(dy):
        return "right" if dx >= 0 else "left"
    return "up" if dy > 0 else "down"


def _reading(frame: Rectangle, direction: str) -> tuple[Point, Point]:
    left, bottom, right, top = frame
    match direction:
        case "down":
            return (-top, -bottom), (-right, -left)
        case "up":
            return (bottom, top), (left, right)
        case "left":
            return (-right, -left), (-top, -bottom)
        case _:
            return (left, right), (-top, -bottom)


def _edges(
    chars: list[_Character], direction: str, shown: Callable[[Point], Point]
) -> Iterator[float]:
    """The position before each character and behind the last, along the line as it is shown.

    A space begins where the character before it ends; its own frame may be anything.
    """
    first, last = {"right": (0, 2), "left": (2, 0), "down": (3, 1), "up": (1, 3)}[direction]
    upright = direction in ("down", "up")
    origin, unit = shown((0.0, 0.0)), shown((0.0, 1.0) if upright else (1.0, 0.0))
    axis = 1 if abs(unit[1] - origin[1]) > abs(unit[0] - origin[0]) else 0

    def position(frame: Rectangle, side: int) -> float:
        x, y = _middle(frame)
        return round(shown((x, frame[side]) if upright else (frame[side], y))[axis], 1)

    before = chars[0].frame
    for char in chars:
        yield position(before, last) if char.text.isspace() else position(char.frame, first)
        before = before if char.text.isspace() else char.frame
    yield position(before, last)


def _columns_from_the_right(lines: list[Line]) -> list[Line]:
    """Columns of upright characters in their order: tier by tier from the top, right to left.

    pdfium gives them from left to right. Only a page of which most is so written is put in order.
    """
    columns = [line for line in lines if line.direction == "down" and len(line.text) > 1]
    if sum(len(line.text) for line in columns) * 2 < sum(len(line.text) for line in lines):
        return lines
    tiers: list[list[Line]] = []
    bottom = 0.0
    for line in sorted(lines, key=lambda line: -line.frame[3]):
        if not tiers or line.frame[3] <= bottom:
            tiers.append([])
            bottom = line.frame[1]
        tiers[-1].append(line)
        bottom = min(bottom, line.frame[1])
    return [line for tier in tiers for line in sorted(tier, key=lambda line: -line.frame[2])]


def usual_size(lines: Sequence[Line]) -> float:
    """The character height of most lines, in points."""
    return median(line.size for line in lines) if lines else 1.0


def _middle(frame: Rectangle) -> Point:
    return (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2


def _around(a: Point, b: Point) -> Rectangle:
    return (round(min(a[0], b[0]), 1), round(min(a[1], b[1]), 1),
            round(max(a[0], b[0]), 1), round(max(a[1], b[1]), 1))  # fmt: skip
