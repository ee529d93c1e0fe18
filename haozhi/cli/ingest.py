"""`haozhi ingest`: files become author-tagged statements."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.options import given_path
from haozhi.cli.output import JsonOption, counted, on_terminal, say, show

if TYPE_CHECKING:
    from ingest.batches import Progress
    from ingest.documents import Rejected
    from ingest.options import IngestOptions
    from ingest.pipeline import IngestReport

REJECTED = 4


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(ingest)


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files, and folders with files.", parser=given_path)
    ],
    author: Annotated[str | None, typer.Option(help="The author of every statement.")] = None,
    author_id: Annotated[str | None, typer.Option(help="The same, by id.")] = None,
    namespace: Annotated[
        str, typer.Option(help="A corpus in which, you vouch, one name is one person.")
    ] = "default",
    speaker_lines: Annotated[
        bool, typer.Option("--speaker-lines", help='Read `A said: "…"` as a statement by A.')
    ] = False,
    title: Annotated[str | None, typer.Option(help="The title of every work.")] = None,
    published_on: Annotated[
        str | None, typer.Option(metavar="DATE", help="YYYY, YYYY-MM or YYYY-MM-DD.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(help="The licence of every work, as SPDX says it.")
    ] = None,
    sync: Annotated[
        bool,
        typer.Option("--sync", help="Take out the works of files that are gone from a folder."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done, file by file.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read texts, tables, office files, PDF, web pages, mail, zip; same bytes change nothing.

    A file that changed keeps what stays in it; what is gone from it is retrieved no more.
    """
    from ingest.options import IngestOptions

    options = IngestOptions(
        author, author_id, namespace, "public", speaker_lines, title, published_on, licence, sync
    )
    if dry_run:
        _show_plan(paths, options, as_json=as_json)
    else:
        _ingest(paths, options, as_json=as_json)


def _ingest(paths: list[Path], options: "IngestOptions", *, as_json: bool) -> None:
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from ingest.pipeline import ingest as ingest_files
    from store.vectors.catch_up import catch_up

    app = open_app(load_settings())
    index = app.index  # one that cannot be used must be told before anything is stored
    with progress_bars() as progress:
        report = ingest_files(
            paths, engine=app.engine, embedder=app.embedder, options=options, progress=progress
        )
    catch_up(app.engine, index)
    if (options.author or options.author_id) and report.duplicates:
        say("what was stored before keeps its author; the author given counts for new text only")
    show_report(report, as_json=as_json)


def _show_plan(paths: list[Path], options: "IngestOptions", *, as_json: bool) -> None:
    from haozhi.app import open_to_plan
    from haozhi.cli.plan_text import plan_lines, plan_view, totals
    from haozhi.settings import load_settings
    from ingest.pipeline import plan

    with open_to_plan(load_settings()) as engine:
        views, is_whole = [], True
        for each in plan(paths, engine=engine, options=options):
            _say_rejected(each.rejected)
            is_whole = is_whole and not each.rejected
            views.append(plan_view(each))
    if not options.sync and any(view["action"] == "removed" for view in views):
        say("a work whose file is gone stays as it is without --sync")
    width = shutil.get_terminal_size((160, 0)).columns
    show({"plan": views, **totals(views)}, plan_lines(views, width), as_json=as_json)
    if not is_whole:
        raise typer.Exit(REJECTED)


def show_report(report: "IngestReport", *, as_json: bool) -> None:
    """Print what a run did; exit code 4 when something was rejected."""
    _say_rejected(report.rejected)
    for skipped in report.skipped:
        if skipped.note:
            say(f"skipped {skipped.path}: {skipped.note}")
    for remark in report.remarks:
        say(f"{remark.path}: {remark.note}")
    result = {
        "job_id": report.job_id,
        "works": report.works,
        "statements": report.statements,
        "duplicates": report.duplicates,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "skipped": [dict(vars(skipped)) for skipped in report.skipped],
        "rejected": [dict(vars(rejected)) for rejected in report.rejected],
        "notes": [dict(vars(remark)) for remark in report.remarks],
    }
    show(result, [summary(report)], as_json=as_json)
    if report.rejected:
        raise typer.Exit(REJECTED)


def _say_rejected(found: Iterable["Rejected"]) -> None:
    for rejected in found:
        line = "" if rejected.line is None else f":{rejected.line}"
        say(f"rejected {rejected.path}{line}: {rejected.reason}")


def summary(report: "IngestReport") -> str:
    """What a run did, in one line."""
    if report.duplicates and not (report.works or report.removed or report.rejected):
        is_stored = not any(skipped.note for skipped in report.skipped)
        return "nothing to do" + (", all of it is stored already" if is_stored else "")
    line = ", ".join(
        (
            counted(report.works, "work"),
            counted(report.statements, "new statement"),
            counted(report.duplicates, "duplicate"),
        )
    )
    if report.unchanged or report.removed:
        line += f", {report.unchanged} unchanged, {report.removed} removed"
    return line


@contextmanager
def progress_bars() -> Iterator["Progress"]:
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
