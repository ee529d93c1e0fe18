"""The one table of `haozhi eval attribution`, for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from haozhi.evaluation.attribution.summary import BY_MEAN

COLUMNS = {
    "lds": "LDS",
    "tv": "TV",
    "tv_removal": "TV removal",
    "top1_drop": "top-1 drop",
    "top3_drop": "top-3 drop",
    "author_f1": "author F1",
    "citation_p": "cite P",
    "citation_r": "cite R",
    "seconds": "CPU s",
    "cost_ratio": "/ answer",
    "cost_of_contextcite_32": "/ CC-32",
}


def table(methods: Mapping[str, Mapping[str, Any]], orders: Mapping[str, Any]) -> Iterator[str]:
    """A row per method, one with its 95 % intervals; then the orders, and LDS per group."""
    shown = {n: title for n, title in COLUMNS.items() if any(n in m for m in methods.values())}
    yield _row("", "n", list(shown.values()))
    for name, figures in methods.items():
        yield _row(name, str(figures["n"]), [_number(figures.get(each)) for each in shown])
        yield _row("", "", [_interval(figures["intervals"].get(each)) for each in shown])
    means = ", ".join(title for name, title in shown.items() if name in BY_MEAN)
    yield f"Medians over items (means: {means}) with 95 % bootstrap intervals."
    yield "TV to exact Shapley of the masked game, and of the game that removes text."
    yield "Seconds are the processor's; / answer: to the answer's own prefill and decoding."
    if orders:
        yield "Two random orders of the context, averaged with their reverse or not: " + ", ".join(
            f"TV {_number(orders[f'tv{way}'])} ({_interval(orders['intervals'][f'tv{way}'])}),"
            f" {_number(orders[f'seconds{way}'])} s"
            for way in ("_averaged", "")
        )
    yield from _by("by_language", methods)
    yield from _by("by_kind", methods)


def _by(groups: str, methods: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """LDS per group, a row per method."""
    names = sorted({name for figures in methods.values() for name in figures[groups]})
    if any("lds" in group for figures in methods.values() for group in figures[groups].values()):
        yield ""
        yield _row("LDS", "", names)
        for name, figures in methods.items():
            cells = [_number(figures[groups].get(group, {}).get("lds")) for group in names]
            yield _row(name, "", cells)


def _row(title: str, count: str, cells: Sequence[str]) -> str:
    return f"{title:16}{count:>3}" + "".join(f"{cell:>12}" for cell in cells)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if abs(value) >= 10 else f"{value:.3f}"


def _interval(interval: Sequence[float] | None) -> str:
    if interval is None:
        return ""
    return "..".join(f"{value:.2f}" if value < 100 else f"{value:.0f}" for value in interval)
