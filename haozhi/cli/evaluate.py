"""`haozhi eval`: measure answers on a development set, and retrieval on data with known answers."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from haozhi.cli.evaluate_attribution import attribution
from haozhi.cli.evaluate_authors import authors
from haozhi.cli.evaluate_fairness import bias, fairness
from haozhi.cli.measure import copies, setting
from haozhi.cli.output import JsonOption, say, show
from haozhi.credits import credits_text

if TYPE_CHECKING:
    from haozhi.evaluation.retrieval_figures import Figure
    from haozhi.evaluation.run_answers import Asked
    from haozhi.ranking import Mode

commands = typer.Typer(no_args_is_help=True, help="Measure answers and retrieval.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    commands.command()(attribution)
    commands.command()(authors)
    commands.command()(bias)
    commands.command()(copies)
    commands.command()(fairness)
    commands.command()(setting)
    app.add_typer(commands, name="eval")


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


@commands.command()
def retrieval(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A folder with statements.jsonl (sid, text; author, source, title, published_at)"
            " and questions.jsonl (question, gold_sids; gold_authors), or a file of SQuAD's,"
            " HotpotQA's or MuSiQue's shape.",
        ),
    ],
    distractors: Annotated[
        list[Path] | None, typer.Option(help="JSON lines with more texts that answer nothing.")
    ] = None,
    mode: Annotated[
        Literal["dense", "lexical", "rrf", "hybrid"] | None,
        typer.Option(help="Only this way to search; default: all side by side."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keep the vectors here for the next run.")
    ] = None,
    half: Annotated[
        Literal["dev", "heldout"] | None,
        typer.Option(help="Every second question: to choose by, or for figures to publish."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only so many questions, spread evenly.")
    ] = None,
    simplified: Annotated[
        bool, typer.Option("--simplified", help="Ask in simplified characters.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Search for every question and compare with what answers it, in each mode side by side."""
    import tempfile

    from haozhi.evaluation.retrieval import measure_retrieval
    from haozhi.evaluation.retrieval_data import load_retrieval_set
    from haozhi.settings import load_settings

    settings = load_settings()
    loaded = load_retrieval_set(
        data, distractors or (), half=half, limit=limit, ask_simplified=simplified
    )
    modes: tuple[Mode, ...] = (mode,) if mode else ("dense", "lexical", "rrf", "hybrid")
    with tempfile.TemporaryDirectory(prefix="haozhi-eval-") as temporary:
        found = measure_retrieval(settings, loaded, folder or Path(temporary), modes, _embedded)
    result = {
        "data": str(data),
        "embedder": settings.embedder,
        "passages": len(loaded.passages),
        "questions": len(loaded.questions),
        "modes": {
            name: {each: dict(vars(figure)) for each, figure in figures.items()}
            for name, figures in found.items()
        },
    }
    heading = f"{len(loaded.questions)} questions, {len(loaded.passages)} passages"
    show(result, [heading, *_retrieval_table(found)], as_json=as_json)


def _embedded(done: int, count: int) -> None:
    say(f"embedded {done}/{count}")


def _retrieval_table(found: Mapping["Mode", Mapping[str, "Figure"]]) -> Iterator[str]:
    """A row per figure with its 95 % bootstrap interval, a column per mode."""
    yield _row("", list(found))
    for name in next(iter(found.values())):
        figures = [modes[name] for modes in found.values()]
        yield _row(name, [f"{f.mean:.3f} ({f.low:.3f}..{f.high:.3f})" for f in figures])
