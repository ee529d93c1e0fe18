"""From rows to the figures of every method: over all items, per kind and per language."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from haozhi.evaluation.attribution.citations import citation_scores, evidence_of
from haozhi.evaluation.attribution.figures import (
    Figure,
    figure,
    lds,
    named_by,
    precision_recall_f1,
    shares_of,
    top_drop,
    total_variation,
)
from haozhi.evaluation.attribution.methods import ORDERS
from haozhi.evaluation.attribution.posing import Posed
from haozhi.evaluation.attribution.rows import Row
from haozhi.evaluation.attribution.run import Measured

#: These are shares of few statements, 0 or 1 for many items: their mean says more than the median.
BY_MEAN = frozenset({"author_p", "author_r", "author_f1", "citation_p", "citation_r"})
#: What TV is measured to: `tv` to the exact values of the masked game.
YARDSTICKS = {"tv": "exact", "tv_removal": "removal"}


def item_figures(posed: Posed, row: Row, beside: Mapping[str, Row]) -> dict[str, float]:
    """The figures of one method on one item; those whose yardstick is not measured are absent."""
    found: dict[str, float] = {"seconds": row.cpu_s}
    shares = shares_of(row.influence)
    for name, yardstick in YARDSTICKS.items():
        if yardstick in beside:
            found[name] = total_variation(shares, shares_of(beside[yardstick].influence))
    if "removal" in beside:
        values = beside["removal"].values
        found["lds"] = lds(row.influence, values)
        found |= {f"top{k}_drop": top_drop(row.influence, values, k) for k in (1, 3)}
        if "contextcite-256" in beside:
            found["lds_beside_256"] = found["lds"]  # on the items that both are measured on
    if posed.item.relevant:
        named = named_by(shares)
        scores = precision_recall_f1(named, posed.item.relevant)
        found |= dict(zip(("author_p", "author_r", "author_f1"), scores, strict=True))
        cited = citation_scores([named], [evidence_of(posed.item)])
        found |= {"citation_p": cited.precision, "citation_r": cited.recall}
    found["cost_ratio"] = row.cpu_s / row.answer_cpu_s
    found["cost_ratio_wall"] = row.wall_s / row.answer_wall_s
    if "contextcite-32" in beside:
        found["cost_of_contextcite_32"] = row.cpu_s / beside["contextcite-32"].cpu_s
    return found


def summarise(posed: Sequence[Posed], measured: Measured) -> dict[str, dict[str, Any]]:
    """Per method: `NAME: number` (median, or mean for author and citation figures), `intervals`,
    `means`, `medians`, `n`, and the same numbers per kind and language.
    """
    methods: dict[str, dict[str, Any]] = {}
    for name, rows in measured.items():
        if name == ORDERS:
            continue
        found = [
            (each, item_figures(each, rows[each.key], _beside(measured, each.key)))
            for each in posed
            if each.key in rows
        ]
        if found:
            methods[name] = _summary([numbers for _, numbers in found]) | {
                "by_kind": _grouped(found, lambda p: p.item.kind),
                "by_language": _grouped(found, lambda p: p.item.language),
            }
    return methods


def summarise_orders(posed: Sequence[Posed], measured: Measured) -> dict[str, Any]:
    """How far two random orders of a context are apart, with the cost as ratios to the answer."""
    rows = [measured[ORDERS][each.key] for each in posed if each.key in measured[ORDERS]]
    if not rows:
        return {}
    return _summary([{n: float(v) for n, v in row.detail.items()} for row in rows])


def _beside(measured: Measured, key: str) -> dict[str, Row]:
    return {name: rows[key] for name, rows in measured.items() if key in rows}


def _summary(items: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    figures = {name: figure(values) for name, values in _columns(items).items()}
    return {
        "n": len(items),
        **{name: headline(name, each) for name, each in figures.items()},
        "intervals": {name: _interval(name, each) for name, each in figures.items()},
        "medians": {name: each.median for name, each in figures.items()},
        "means": {name: each.mean for name, each in figures.items()},
    }


def headline(name: str, found: Figure) -> float:
    """The one number of a figure."""
    return found.mean if name in BY_MEAN else found.median


def _interval(name: str, found: Figure) -> tuple[float, float]:
    return found.mean_interval if name in BY_MEAN else found.median_interval


def _columns(items: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = defaultdict(list)
    for numbers in items:
        for name, value in numbers.items():
            columns[name].append(value)
    return columns


def _grouped(
    found: Sequence[tuple[Posed, Mapping[str, float]]], group: Callable[[Posed], str]
) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for posed, numbers in found:
        groups[group(posed)].append(numbers)
    return {
        name: {"n": len(items)}
        | {each: headline(each, figure(v)) for each, v in _columns(items).items()}
        for name, items in sorted(groups.items())
    }
