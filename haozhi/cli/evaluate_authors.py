"""`haozhi eval authors`: whom answers name, held against whom people marked as relevant."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.output import JsonOption, say, show

if TYPE_CHECKING:
    from haozhi.evaluation.attribution.figures import Figure

Figures = Mapping[str, Mapping[str, Mapping[str, "Figure"]]]


def authors(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A file of questions with context and supporting_facts, as MaxShapley has them,"
            " or a folder of such files.",
        ),
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="METHOD", help="Measure these; default: all but contextcite-32."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only so many questions, spread evenly.")
    ] = None,
    rows: Annotated[
        Path | None,
        typer.Option(help="Measurements, kept for the next run; default: in the data folder."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Force the right answers over whole passages and compare who gets 10 % or more; resumable."""
    from haozhi.evaluation.attribution.author_f1 import (
        DEAR,
        METHODS,
        author_figures,
        measure_authors,
    )
    from haozhi.evaluation.attribution.marked import load_marked
    from haozhi.evaluation.attribution.rows import open_rows
    from haozhi.evaluation.made.posing import load_parts
    from haozhi.settings import load_settings
    from store.errors import UsageError

    methods = only or [name for name in METHODS if name not in DEAR]
    if unknown := sorted(set(methods) - METHODS.keys()):
        raise UsageError(f"no method {unknown[0]}: there are {', '.join(METHODS)}")
    settings, marked = load_settings(), load_marked(data)
    count = min(limit or len(marked), len(marked))
    chosen = [marked[i * len(marked) // count] for i in range(count)]
    with open_rows(rows or settings.data_dir / "eval" / "authors.jsonl") as kept:
        parts = load_parts(settings)
        found = author_figures(chosen, measure_authors(parts, chosen, kept, methods, say))
    result = {
        "questions": len(chosen),
        "model": parts.generator.name,
        "methods": {
            method: {
                dataset: {name: [each.mean, *each.mean_interval] for name, each in scores.items()}
                for dataset, scores in datasets.items()
            }
            for method, datasets in found.items()
        },
    }
    show(
        result,
        [f"{len(chosen)} questions, {parts.generator.name}", *_table(found)],
        as_json=as_json,
    )


def _table(figures: Figures) -> Iterator[str]:
    """Mean precision, recall and F1 per method and data set, F1 with its 95 % interval."""
    for method, datasets in figures.items():
        for dataset, scores in datasets.items():
            low, high = scores["f1"].mean_interval
            p, r, f1 = (scores[name].mean for name in ("precision", "recall", "f1"))
            yield (
                f"{method:22} {dataset:16} n {scores['f1'].n:3}  precision {p:.3f}"
                f"  recall {r:.3f}  F1 {f1:.3f} ({low:.3f}..{high:.3f})"
            )
