"""Methods as points: what they cost, on a logarithmic axis, against how faithful they are."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from haozhi.reports.charts.figure import Bar, Figure, Label, Mark, Rule

WIDTH, PANEL = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 56, 470, 44, 284
LEGEND = RIGHT + 24
SMALL, LINE, POINT = 11, 17, 8
#: A method that costs less stands at the edge.
CHEAPEST = 0.01
PANELS = {"lds": "LDS (higher is better)", "tv_removal": "TV to removal (lower is better)"}


@dataclass(frozen=True)
class _Point:
    number: int
    name: str
    cost: float
    value: float
    low: float
    high: float

    @property
    def tone(self) -> str:
        return "series-2" if self.name.startswith(("contextcite", "retrieval")) else "series-1"

    @property
    def told(self) -> str:
        return f"{self.name} {self.value:.3f} at {self.cost:.2g}"


@dataclass(frozen=True)
class _Plane:
    """Where values stand: `up` from 0 to `highest`, `across` from CHEAPEST to `dearest`."""

    y: float
    lowest: float
    highest: float
    dearest: float

    def up(self, value: float) -> float:
        part = (min(max(value, self.lowest), self.highest) - self.lowest) / (
            self.highest - self.lowest
        )
        return self.y + BOTTOM + part * (TOP - BOTTOM)

    def across(self, cost: float) -> float:
        powers = math.log10(self.dearest / CHEAPEST)
        return LEFT + math.log10(max(cost, CHEAPEST) / CHEAPEST) / powers * (RIGHT - LEFT)


def picture(methods: Mapping[str, Mapping[str, Any]], heading: str) -> Figure:
    """Two planes, LDS and TV to removal, each over the cost as a ratio to the answer's own."""
    marks: list[Mark] = []
    told: list[str] = []
    shown = {
        name: figures
        for name, figures in methods.items()
        if name != "removal" and {*PANELS, "cost_ratio"} <= figures.keys()
    }
    for row, (name, title) in enumerate(PANELS.items()):
        points = [
            _Point(number, method, m["cost_ratio"], m[name], *m["intervals"][name])
            for number, (method, m) in enumerate(shown.items(), start=1)
        ]
        marks += _panel(points, title, row * PANEL)
        told += [f"{title}: " + ", ".join(point.told for point in points)]
    description = "; ".join(told)
    return Figure(
        "attribution", "en", heading, description, WIDTH, len(PANELS) * PANEL, tuple(marks)
    )


def _panel(points: Sequence[_Point], title: str, y: float) -> Iterator[Mark]:
    low, high = (f(p for point in points for p in (point.low, point.high)) for f in (min, max))
    tenth, tenths = math.floor(min(low, 0.9) * 10), math.ceil(max(high, 0.1) * 10)
    dearest = 10.0 ** math.ceil(math.log10(max(2.0, *(p.cost for p in points))))
    plane = _Plane(y, tenth / 10, tenths / 10, dearest)
    yield Label(LEFT - 40, y + 20, title)
    yield from _axes(plane, range(tenth, tenths + 1))
    for point in points:
        yield from _drawn(point, plane)
    yield from _numbers(points, plane)
    yield from _legend(points, y)


def _axes(plane: _Plane, tenths: range) -> Iterator[Mark]:
    for tenth in tenths:
        height = plane.up(tenth / 10)
        yield Rule(LEFT, height, RIGHT, height, faint=tenth > tenths[0])
        yield Label(LEFT - 8, height + 4, f"{tenth / 10:.1f}", "end", SMALL, faint=True)
    cost = CHEAPEST
    while cost <= plane.dearest * 1.01:
        x = plane.across(cost)
        yield Rule(x, plane.y + TOP, x, plane.y + BOTTOM)
        text = f"{'≤ ' if cost == CHEAPEST else ''}{cost:g}"
        yield Label(x, plane.y + BOTTOM + 16, text, "middle", SMALL, faint=True)
        cost *= 10
    words = "cost: processor seconds / those of the answer's own prefill and decoding"
    yield Label(RIGHT, plane.y + BOTTOM + 34, words, "end", SMALL, faint=True)


def _drawn(point: _Point, plane: _Plane) -> Iterator[Mark]:
    x = plane.across(point.cost)
    note = f"{point.told} ({point.low:.3f}..{point.high:.3f})"
    yield Rule(x, plane.up(point.low), x, plane.up(point.high), faint=False)
    yield Bar(x - POINT / 2, plane.up(point.value) - POINT / 2, POINT, POINT, point.tone, note)


def _numbers(points: Sequence[_Point], plane: _Plane) -> Iterator[Mark]:
    """Each point's number above its interval, higher where another stands already."""
    taken: list[tuple[float, float]] = []
    for point in points:
        x, y = plane.across(point.cost), plane.up(point.high) - 4
        while any(abs(x - a) < SMALL + 3 and abs(y - b) < SMALL for a, b in taken):
            y -= 1
        taken.append((x, y))
        yield Label(x, y, str(point.number), "middle", SMALL)


def _legend(points: Sequence[_Point], y: float) -> Iterator[Mark]:
    for place, point in enumerate(points):
        line = y + TOP + 4 + place * LINE
        yield Label(LEGEND + 12, line, str(point.number), "end", SMALL)
        yield Bar(LEGEND + 18, line - POINT, POINT, POINT, point.tone)
        yield Label(LEGEND + 32, line, point.name, size=SMALL)
        yield Label(WIDTH - 46, line, f"{point.value:.2f}", "end", SMALL)
        yield Label(WIDTH - 4, line, f"{_short(point.cost)} ×", "end", SMALL, faint=True)


def _short(cost: float) -> str:
    if cost < CHEAPEST:
        return f"≤ {CHEAPEST}"
    return f"{cost:.0f}" if cost >= 10 else f"{cost:.2g}"
