"""Methods as points: what they cost, on a logarithmic axis, against how faithful they are."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from haozhi.reports.charts.figure import Bar, Figure, Label, Mark, Rule
from haozhi.reports.words import width_em

WIDTH, PANEL = 720, 330
LEFT, RIGHT, TOP, BOTTOM = 56, 600, 40, 280
SMALL = 11
POINT = 8
#: A method that costs less stands at the edge.
CHEAPEST = 0.001


@dataclass(frozen=True)
class _Point:
    name: str
    cost: float
    value: float
    low: float
    high: float


def picture(methods: Mapping[str, Mapping[str, Any]], heading: str) -> Figure:
    """Two planes, LDS and TV to removal, each over the cost as a ratio to the answer's own."""
    marks: list[Mark] = []
    told: list[str] = []
    for number, (name, title) in enumerate(
        (("lds", "LDS (higher is better)"), ("tv_removal", "TV to removal (lower is better)"))
    ):
        points = [_point(method, m, name) for method, m in methods.items() if _shown(method, m)]
        if points:
            marks += _panel(points, title, number * PANEL)
            told += [f"{p.name}: {name} {p.value:.3f} at {p.cost:.3g} answers" for p in points]
    return Figure("attribution", "en", heading, "; ".join(told), WIDTH, 2 * PANEL, tuple(marks))


def _shown(name: str, figures: Mapping[str, Any]) -> bool:
    return name != "removal" and {"lds", "tv_removal", "cost_ratio"} <= figures.keys()


def _point(method: str, figures: Mapping[str, Any], name: str) -> _Point:
    low, high = figures["intervals"][name]
    return _Point(method, figures["cost_ratio"], figures[name], low, high)


def _panel(points: Sequence[_Point], title: str, y: float) -> Iterator[Mark]:
    def across(cost: float) -> float:
        powers = math.log10(dearest) - math.log10(CHEAPEST)
        part = (math.log10(max(cost, CHEAPEST)) - math.log10(CHEAPEST)) / powers
        return LEFT + part * (RIGHT - LEFT)

    def up(value: float) -> float:
        return y + BOTTOM + (min(max(value, 0.0), 1.0)) * (TOP - BOTTOM)

    dearest = 10.0 ** math.ceil(math.log10(max(2.0, *(p.cost for p in points))))
    yield Label(LEFT - 40, y + 20, title)
    yield from _axes(across, up, dearest, y)
    for point in points:
        yield from _drawn(point, across(point.cost), up)
    yield from _names(points, across, up)


def _axes(
    across: Callable[[float], float], up: Callable[[float], float], dearest: float, y: float
) -> Iterator[Mark]:
    for fifth in range(6):
        height = up(fifth / 5)
        yield Rule(LEFT, height, RIGHT, height, faint=fifth > 0)
        yield Label(LEFT - 8, height + 4, f"{fifth / 5:.1f}", "end", SMALL, faint=True)
    cost = CHEAPEST
    while cost <= dearest * 1.01:
        yield Rule(across(cost), y + TOP, across(cost), y + BOTTOM)
        least = "≤ " if cost == CHEAPEST else ""
        text = f"{least}{cost:.3g}"
        yield Label(across(cost), y + BOTTOM + 16, text, "middle", SMALL, faint=True)
        cost *= 10
    words = "cost: processor seconds / those of the answer's own prefill and decoding"
    yield Label(RIGHT, y + BOTTOM + 34, words, "end", SMALL, faint=True)


def _drawn(point: _Point, x: float, up: Callable[[float], float]) -> Iterator[Mark]:
    ours = not point.name.startswith(("contextcite", "retrieval"))
    note = f"{point.name}: {point.value:.3f} ({point.low:.3f}..{point.high:.3f})"
    yield Rule(x, up(point.low), x, up(point.high), faint=False)
    tone = "series-1" if ours else "series-2"
    yield Bar(x - POINT / 2, up(point.value) - POINT / 2, POINT, POINT, tone, note)


def _names(
    points: Sequence[_Point], across: Callable[[float], float], up: Callable[[float], float]
) -> Iterator[Mark]:
    """Each name beside its point, lower where another stands already."""
    taken: list[tuple[float, float, float]] = []
    for point in sorted(points, key=lambda p: (up(p.value), p.cost)):
        x, y = across(point.cost) + POINT, up(point.value) + 4
        text = f"{point.name} {point.value:.2f}"
        width = width_em(text) * SMALL
        while any(abs(y - t) < SMALL + 1 and x < b and a < x + width for a, b, t in taken):
            y += 1
        taken.append((x, x + width, y))
        yield Label(x, y, text, size=SMALL)
