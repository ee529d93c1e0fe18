"""`haozhi eval attribution`: every method of attribution and ContextCite on the same answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.output import JsonOption, say, show

if TYPE_CHECKING:
    from haozhi.evaluation.attribution.items import Item
    from haozhi.settings import Settings

Output = Annotated[
    typer.FileTextWrite | None,
    typer.Option(encoding="utf-8", lazy=False, help="Write the JSON to this file as well."),
]


def attribution(
    data: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DATA",
            help="Files or folders of questions: HotpotQA's, MuSiQue's or MaxShapley's shape,"
            " questions.jsonl with statements.jsonl, maxims.jsonl."
            " Default: what is below HAOZHI_EVAL_DATA.",
        ),
    ] = None,
    synthetic: Annotated[
        bool, typer.Option(help="Add made facts with words that no model has read.")
    ] = True,
    count: Annotated[
        int, typer.Option("--items", min=1, help="Items, spread over languages and kinds.")
    ] = 24,
    dear: Annotated[
        int, typer.Option("--items-256", min=0, help="Of these, for ContextCite-256.")
    ] = 12,
    only: Annotated[
        list[str] | None, typer.Option(metavar="METHOD", help="Measure only these methods.")
    ] = None,
    again: Annotated[
        list[str] | None, typer.Option(metavar="METHOD", help="Measure these methods anew.")
    ] = None,
    statement_tokens: Annotated[
        int, typer.Option(min=8, help="Statements are cut to so many tokens.")
    ] = 40,
    prompt_tokens: Annotated[
        int, typer.Option(min=64, help="They are cut further until the prompt has so few.")
    ] = 300,
    rows: Annotated[
        Path | None,
        typer.Option(help="Measurements, kept for the next run; default: in the data folder."),
    ] = None,
    out: Output = None,
    drawing: Annotated[
        typer.FileTextWrite | None,
        typer.Option(
            "--picture", encoding="utf-8", lazy=False, help="Draw cost and fidelity (SVG)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Attribute the same answers in every way and compare fidelity and cost; can be resumed."""
    from haozhi.evaluation.attribution.picture import picture
    from haozhi.evaluation.attribution.posing import Cuts
    from haozhi.evaluation.attribution.table import table
    from haozhi.settings import load_settings

    settings = load_settings()
    items = _items(data, synthetic=synthetic)
    path = rows or settings.data_dir / "eval" / "attribution.jsonl"
    cuts = Cuts(statement_tokens, prompt_tokens)
    result = _measured(settings, items, path, cuts, (count, dear), only or (), again or ())
    if out:
        json.dump(result, out, ensure_ascii=False, indent=1)
    heading = f"{result['items']} items, {result['model']}, rows in {path}"
    if drawing:
        drawing.write(picture(result["methods"], heading).svg())
    show(result, [heading, *table(result["methods"], result["orders"])], as_json=as_json)


def _items(data: Sequence[Path] | None, *, synthetic: bool) -> "list[Item]":
    """The items of the data and made ones. UsageError: there is neither."""
    import os

    from haozhi.evaluation.attribution.sources import load_items
    from haozhi.evaluation.attribution.synthetic import synthetic_items
    from store.errors import UsageError

    known = os.environ.get("HAOZHI_EVAL_DATA")
    paths = data or ([Path(known)] if known else [])
    found = [item for path in paths for item in load_items(path)]
    found += synthetic_items() if synthetic else ()
    if not found:
        raise UsageError("name DATA, set HAOZHI_EVAL_DATA, or leave out --no-synthetic")
    return found


def _measured(
    settings: "Settings",
    items: "Sequence[Item]",
    path: Path,
    cuts: Any,
    counts: tuple[int, int],
    only: Sequence[str],
    again: Sequence[str],
) -> dict[str, Any]:
    from haozhi.evaluation.attribution.rows import open_rows
    from haozhi.evaluation.attribution.run import check_methods, measure, pose_items
    from haozhi.evaluation.attribution.summary import summarise, summarise_orders
    from haozhi.models.embedders import load_embedder
    from haozhi.models.generator import load_generator

    check_methods([*only, *again])
    count, dear = counts
    with open_rows(path) as kept:
        generator, embedder = load_generator(settings), load_embedder(settings)
        posed = pose_items(generator, embedder, items, count, cuts, say)
        most = {"contextcite-256": dear}
        measured = measure(generator, posed, kept, most=most, only=only, again=again, say=say)
    return {
        "items": len(posed),
        "model": generator.name,
        "fingerprint": generator.fingerprint,
        "methods": summarise(posed, measured),
        "orders": summarise_orders(posed, measured),
        "answers": [
            {
                "id": p.item.id,
                "kind": p.item.kind,
                "language": p.item.language,
                "question": p.item.question,
                "answer": p.text,
                "prompt_tokens": len(p.scored.prompt_ids),
                "answer_tokens": len(p.scored.answer_ids),
            }
            for p in posed
        ],
    }
