"""`haozhi ingest`: files become author-tagged statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.output import JsonOption, on_terminal, say, show

if TYPE_CHECKING:
    from ingest.batches import Progress
    from ingest.pipeline import IngestReport

REJECTED = 4


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(ingest)


def _path(text: str) -> Path:
    """A path as given; an empty one would be the current folder, which `"$UNSET"` never meant."""
    if not text:
        raise typer.BadParameter("a path is empty")
    return Path(text)


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files, and folders with files.", parser=_path)
    ],
    author: Annotated[str | None, typer.Option(help="The author of every statement.")] = None,
    author_id: Annotated[str | None, typer.Option(help="The same, by id.")] = None,
    namespace: Annotated[
        str, typer.Option(help="The corpus in which author names are unique.")
    ] = "default",
    speaker_lines: Annotated[
        bool, typer.Option("--speaker-lines", help='Read `A said: "…"` as a statement by A.')
    ] = False,
    title: Annotated[str | None, typer.Option(help="The title of every work.")] = None,
    published_on: Annotated[
        str | None, typer.Option(metavar="DATE", help="YYYY, YYYY-MM or YYYY-MM-DD.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="The licence of every work.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Read texts, tables, office files, PDF, web pages, mail, zip; same bytes change nothing."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from ingest.options import IngestOptions
    from ingest.pipeline import ingest as ingest_files
    from store.vectors.catch_up import catch_up

    options = IngestOptions(
        author, author_id, namespace, "public", speaker_lines, title, published_on, licence
    )
    app = open_app(load_settings())
    with _progress() as progress:
        report = ingest_files(
            paths, engine=app.engine, embedder=app.embedder, options=options, progress=progress
        )
    catch_up(app.engine, app.index)
    for rejected in report.rejected:
        line = "" if rejected.line is None else f":{rejected.line}"
        say(f"rejected {rejected.path}{line}: {rejected.reason}")
    if (author or author_id) and report.duplicates:
        say("what was stored before keeps its author; the author given counts for new text only")
    result = {
        "works": report.works,
        "statements": report.statements,
        "duplicates": report.duplicates,
        "rejected": [dict(vars(rejected)) for rejected in report.rejected],
    }
    show(result, [summary(report)], as_json=as_json)
    if report.rejected:
        raise typer.Exit(REJECTED)


def summary(report: "IngestReport") -> str:
    """What a run did, in one line."""
    if report.duplicates and not (report.works or report.statements or report.rejected):
        return "nothing to do, all of it is stored already"
    return (
        f"{report.works} works, {report.statements} new statements, {report.duplicates} duplicates"
    )


@contextmanager
def _progress() -> Iterator["Progress"]:
    """A bar per file on a terminal's stderr; nothing elsewhere."""
    if not on_terminal():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks = {}

        def advance(path: str, done: int, total: int) -> None:
            if path not in tasks:
                tasks[path] = bars.add_task(path or "vectors", total=total)
            bars.update(tasks[path], completed=done, total=total)

        yield advance
