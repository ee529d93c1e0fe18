"""`haozhi eval`: measure the answers on a development set."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from haozhi.cli.output import JsonOption, say, show
from haozhi.credits import credits_text

if TYPE_CHECKING:
    from haozhi.evaluation.run_answers import Asked

commands = typer.Typer(no_args_is_help=True, help="Measure the answers on a development set.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="eval")


# A group of one command would otherwise be that command.
@commands.callback()
def _group() -> None:
    pass


@commands.command()
def answers(
    folder: Annotated[
        Path, typer.Option(help="Holds dev.jsonl, heldout.jsonl and corpora/.")
    ] = Path("tests/devset"),
    half: Annotated[
        Literal["dev", "heldout"], typer.Option(help="To tune on, or for figures to publish.")
    ] = "dev",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only so many questions, spread evenly.")
    ] = None,
    out: Annotated[
        typer.FileTextWrite | None,
        typer.Option(encoding="utf-8", lazy=False, help="Write the JSON to this file as well."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask every question for real and count what is right, refused and paid for wrong answers."""
    from haozhi.evaluation.devset import load_devset
    from haozhi.evaluation.metrics import summarise
    from haozhi.evaluation.run_answers import chosen, run_answers
    from haozhi.settings import load_settings

    settings = load_settings()
    devset = load_devset(folder, half)
    items = chosen(devset, limit)
    asked: list[Asked] = []
    for number, each in enumerate(run_answers(settings, devset, items), start=1):
        asked.append(each)
        say(f"{number}/{len(items)} {_line(each)}")
    figures = summarise([each.result for each in asked])
    result = {
        "half": half,
        "generator": settings.generator,
        "embedder": settings.embedder,
        "languages": figures,
        "items": [each.to_json() for each in asked],
    }
    if out:
        json.dump(result, out, ensure_ascii=False, indent=1)
    show(result, _table(figures), as_json=as_json)


def _line(asked: "Asked") -> str:
    """What became of one question."""
    result = asked.result
    mark = "right" if result.right else "WRONG"
    seconds = sum(asked.view["timings_ms"].values()) / 1000
    return f"{mark} {result.item.id} {seconds:.1f} s: {result.item.question} -> {result.text}"


_ROWS = ("accuracy", "refusals", "false_refusals")
_TITLES = {
    "accuracy": "answerable, right",
    "refusals": "unanswerable, refused",
    "false_refusals": "answerable, refused",
}


def _table(languages: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Counts and rates with their 95 % Wilson intervals, a column per language."""
    yield _row("", list(languages))
    for name in _ROWS:
        yield _row(_TITLES[name], [_rate(figures[name]) for figures in languages.values()])
    for kind in sorted({kind for figures in languages.values() for kind in figures["by_kind"]}):
        rates = [figures["by_kind"].get(kind) for figures in languages.values()]
        yield _row(f"  {kind}, right", [_rate(rate) if rate else "none" for rate in rates])
    for title, name in (("fees", "fee_micro"), ("for wrong answers", "wrong_fee_micro")):
        yield _row(title, [credits_text(figures[name]) for figures in languages.values()])


def _row(title: str, cells: list[str]) -> str:
    return (f"{title:23}" + "".join(f"{cell:30}" for cell in cells)).rstrip()


def _rate(rate: Mapping[str, Any]) -> str:
    if not rate["n"]:
        return "none asked"
    low, high = round(100 * rate["low"]), round(100 * rate["high"])
    return f"{rate['k']} of {rate['n']}  {100 * rate['rate']:.1f} % ({low}..{high})"
