"""`haozhi eval copies` and `haozhi eval setting`: credit of copies, sentences with pronouns."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from haozhi.cli.output import JsonOption, say, show


def copies(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A folder with file_information.csv (File, Task, Category) and the files.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Ingest originals and copies for real and count where credit reaches the original."""
    import tempfile

    from haozhi.app import open_app
    from haozhi.evaluation.copies import measure_copies
    from haozhi.settings import load_settings

    settings = load_settings()
    with tempfile.TemporaryDirectory(prefix="haozhi-eval-") as temporary:
        url = f"sqlite:///{temporary}/haozhi.db"
        here = {"data_dir": Path(temporary), "database_url": url}
        app = open_app(settings.model_copy(update=here))
        found = measure_copies(app, data, lambda n, count: say(f"ingested {n}/{count} authors"))
        app.engine.dispose()
    result = {"data": str(data), "embedder": settings.embedder}
    kinds = {kind: dict(vars(figures)) for kind, figures in found.items()}
    show(result | {"categories": kinds}, _copies_table(kinds), as_json=as_json)


def setting(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A file of SQuAD's shape, zh or en.")
    ],
    most: Annotated[int, typer.Option(min=10, help="Statements that are searched.")] = 1000,
    as_json: JsonOption = False,
) -> None:
    """Search for sentences that open with a pronoun, embedded alone and in their setting."""
    from haozhi.evaluation.settings import load_setting_set, measure_setting
    from haozhi.models.embedders import load_embedder
    from haozhi.settings import load_settings

    settings = load_settings()
    loaded = load_setting_set(data, most)
    found = measure_setting(load_embedder(settings), loaded)
    counts = {
        "statements": len(loaded.statements),
        "questions": len(loaded.questions),
        "pronoun_questions": sum(each.points_back for each in loaded.questions),
    }
    ways = {
        way: {name: dict(vars(figure)) for name, figure in figures.items()}
        for way, figures in found.items()
    }
    result = {"data": str(data), "embedder": settings.embedder, **counts, "ways": ways}
    rows = [", ".join(f"{count} {name}" for name, count in counts.items())]
    for way, figures in found.items():
        cells = [f"{name} {figures[name].mean:.3f}" for name in ("recall@1", "recall@10", "mrr")]
        rows.append(f"{way:20}{'   '.join(cells)}")
    show(result, rows, as_json=as_json)


def _copies_table(kinds: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A row per figure, a column per category."""
    yield _row("", kinds)
    for title, name in (
        ("files", "files"),
        ("holding its text", "holding"),
        ("credit reaches it", "reached"),
        ("statements", "statements"),
        ("reaching it", "statements_reached"),
        ("merged with others", "statements_others"),
    ):
        yield _row(title, (str(kind[name]) for kind in kinds.values()))
    for name, kind in kinds.items():
        for missed in kind["missed"]:
            yield f"{name}: credit does not reach the original from {missed}"


def _row(title: str, cells: Iterable[str]) -> str:
    return (f"{title:23}" + "".join(f"{cell:10}" for cell in cells)).rstrip()
