"""Scales, axes and slots that the charts share."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from haozhi.language import Language
from haozhi.reports.charts.figure import Figure, Label, Mark, Rule
from haozhi.reports.words import width_em, words

WIDTH = 640
#: The plane of a chart with a vertical value axis.
LEFT, RIGHT, TOP, BOTTOM = 76, WIDTH, 28, 248
SMALL = 11


@dataclass(frozen=True)
class Scale:
    """Where an integer value in low..high stands between two px positions."""

    low: int
    high: int
    start: float
    end: float

    def __call__(self, value: int) -> float:
        """The position of a value in px."""
        span = (value - self.low) / (self.high - self.low)
        return self.start + span * (self.end - self.start)


def ticks(low: int, high: int, most: int = 5) -> range:
    """Round values (1, 2 or 5 times a power of ten apart) that reach from low to high; low <= high.

    Zero is always among them, for bars stand on it.
    """
    low, high = min(low, 0), max(high, 0)
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            first, last = low // step * step, -(-high // step) * step
            if (last - first) // step <= most:
                return range(first, max(last, first + step) + 1, step)
        power *= 10


def value_axis(
    low: int, high: int, written: Callable[[int], str], unit: str
) -> tuple[Scale, list[Mark]]:
    """A vertical scale for bars from low to high, with its grid, numbers and unit."""
    values = ticks(low, high)
    scale = Scale(values[0], values[-1], BOTTOM, TOP)
    marks: list[Mark] = [Label(0, 12, unit, size=SMALL, faint=True)]
    for value in values:
        y = scale(value)
        marks.append(Rule(LEFT, y, RIGHT, y, faint=value != 0))
        marks.append(Label(LEFT - 8, y + 4, written(value), "end", SMALL, faint=True))
    return scale, marks


def slots(count: int, gap: float) -> Iterator[tuple[float, float]]:
    """(left, width) of bars side by side; `gap` is the part of a slot that stays free."""
    pitch = (RIGHT - LEFT) / count
    width = min(pitch * (1 - gap), 64)
    for number in range(count):
        yield LEFT + pitch * (number + 0.5) - width / 2, width


def slot_axis(names: Sequence[str], title: str) -> Iterator[Mark]:
    """The names below the slots, as many as have room, and what they count."""
    pitch = (RIGHT - LEFT) / len(names)
    room = max(width_em(name) for name in names) * SMALL + 8
    every = -int(-room // pitch)
    for number in range(0, len(names), every):
        x = LEFT + pitch * (number + 0.5)
        yield Label(x, BOTTOM + 16, names[number], "middle", SMALL, faint=True)
    yield Label(RIGHT, BOTTOM + 34, title, "end", SMALL, faint=True)


def empty(name: str, language: Language) -> Figure:
    """The figure of a chart that has nothing to show, and says so."""
    say = words(language)
    text = Label(WIDTH / 2, 44, say["empty"], "middle", faint=True)
    return Figure(name, language, say["titles"][name], say["empty"], WIDTH, 80, (text,))
