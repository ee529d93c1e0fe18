"""`haozhi jobs`: runs of ingestion, what became of each file, ending them and going on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.output import JsonOption, show
from haozhi.times import utc_text

if TYPE_CHECKING:
    from store.job_files import JobFile
    from store.jobs import Job

commands = typer.Typer(no_args_is_help=True, help="Runs of ingestion: list, show, cancel, resume.")
JobArgument = Annotated[str, typer.Argument(metavar="ID", help="A job's id.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="jobs")


@commands.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the newest jobs; an interrupted one can be resumed."""
    from store.jobs import list_jobs

    with reading() as session:
        found = list_jobs(session, "ingest", limit)
    show({"jobs": [_view(job) for job in found]}, map(_line, found), as_json=as_json)


@commands.command("show")
def show_(job_id: JobArgument, as_json: JsonOption = False) -> None:
    """Show a job with each of its files: state, counts, what was rejected, pages without text."""
    from store.job_files import list_files
    from store.jobs import get_job

    with reading() as session:
        job, files = get_job(session, job_id), list_files(session, job_id)
    result = {**_view(job), "files": [dict(vars(file)) for file in files]}
    show(result, _lines(job, files), as_json=as_json)


@commands.command()
def cancel(job_id: JobArgument, as_json: JsonOption = False) -> None:
    """End a job at its next file or batch; what it stored stays."""
    from store.engine import write
    from store.jobs import cancel_job

    with write(opened().engine) as session:
        job = cancel_job(session, job_id)
    show(_view(job), [_line(job)], as_json=as_json)


@commands.command()
def resume(job_id: JobArgument, as_json: JsonOption = False) -> None:
    """Go on with a job that was interrupted, cancelled or failed."""
    from haozhi.cli.ingest import progress_bars, show_report
    from ingest.pipeline import resume as resume_job
    from store.vectors.catch_up import catch_up

    app = opened()
    index = app.index  # one that cannot be used must be told before anything is stored
    with progress_bars() as progress:
        report = resume_job(job_id, engine=app.engine, embedder=app.embedder, progress=progress)
    catch_up(app.engine, index)
    show_report(report, as_json=as_json)


def _view(job: "Job") -> dict[str, Any]:
    return {
        "id": job.id,
        "state": job.state,
        "cancelling": job.cancelling,
        "paths": job.payload.get("paths", []),
        "options": job.payload.get("options", {}),
        "attempts": job.attempts,
        "created_ms": job.created_us // 1000,
        "updated_ms": job.updated_us // 1000,
        "result": job.result,
        "error": job.error,
    }


def _line(job: "Job") -> str:
    state = "cancelling" if job.cancelling else job.state
    paths = " ".join(job.payload.get("paths", []))
    return f"{job.id}  {utc_text(job.created_us)}  {state:18}  {paths}"


def _lines(job: "Job", files: "tuple[JobFile, ...]") -> Iterator[str]:
    yield _line(job)
    if job.error:
        yield f"  {job.error}"
    for file in files:
        yield f"  {file.state:18}  {file.path}" + (f"  {file.work_id}" if file.work_id else "")
        yield from (f"      {line}" for line in _details(file.result))
    if job.state in ("interrupted", "cancelled") and "options" in job.payload:
        yield f"go on with: haozhi jobs resume {job.id}"


def _details(result: dict[str, Any]) -> Iterator[str]:
    from ingest.reports import notes_of

    counts = result.get("statements", {})
    if any(counts.values()):
        yield "statements: " + ", ".join(f"{n} {name}" for name, n in counts.items() if n)
    yield from notes_of(result)
    for each in result.get("rejected", ()):
        line = "" if each["line"] is None else f"line {each['line']}: "
        yield f"rejected: {line}{each['reason']}"
    more = result.get("rejected_count", 0) - len(result.get("rejected", ()))
    if more > 0:
        yield f"and {more} more"
