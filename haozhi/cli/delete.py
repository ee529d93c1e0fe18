"""`haozhi delete`: take statements, a work, or all that an author said out for good."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.delete_text import deletion_json, deletion_lines, plan_json, plan_lines
from haozhi.cli.opened import opened, reading
from haozhi.cli.options import AuthorArgument, ByOption
from haozhi.cli.output import JsonOption, counting, say, show
from haozhi.times import whole_ms
from store.errors import UsageError

if TYPE_CHECKING:
    from haozhi.deleting import Plan
    from store.deletions import Kind

commands = typer.Typer(
    no_args_is_help=True,
    help="Delete texts for good: found nowhere, shown nowhere. Credit and proofs stay.",
)
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; kept with the deletion.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask, delete.")]
DryOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")]
LaterOption = Annotated[
    bool,
    typer.Option(
        "--no-compact", help="Leave old bytes in SQLite's file until the next deletion: faster."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="delete")


@commands.command()
def statement(
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Ids of statements.")],
    by: ByOption,
    reason: ReasonOption,
    yes: YesOption = False,
    dry_run: DryOption = False,
    no_compact: LaterOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete statements, wherever they stand."""
    how = _How(by, reason, yes, dry_run, not no_compact, as_json)
    _delete("statement", ids, how)


@commands.command()
def work(
    work: Annotated[str, typer.Argument(help="A work's id, or its exact title or path.")],
    by: ByOption,
    reason: ReasonOption,
    yes: YesOption = False,
    dry_run: DryOption = False,
    no_compact: LaterOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a work: its text, its name, and the statements that stand nowhere else."""
    how = _How(by, reason, yes, dry_run, not no_compact, as_json)
    _delete("work", [work], how)


@commands.command()
def author(
    author: AuthorArgument,
    by: ByOption,
    reason: ReasonOption,
    yes: YesOption = False,
    dry_run: DryOption = False,
    no_compact: LaterOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete all that an author alone said; `haozhi author erase` deletes who that is."""
    how = _How(by, reason, yes, dry_run, not no_compact, as_json)
    _delete("author", [author], how)


@commands.command()
def resume(no_compact: LaterOption = False, as_json: JsonOption = False) -> None:
    """Finish deletions that were stopped; exit 1 if something of them can still be found."""
    from haozhi.deleting import resume as resume_deletions

    app = opened()
    with counting("deleting") as progress:
        done = resume_deletions(
            app.engine, app.settings.index_dir, compact=not no_compact, progress=progress
        )
    lines = [line for each in done for line in deletion_lines(each)] or ["no deletion was stopped"]
    show({"deletions": [deletion_json(each) for each in done]}, lines, as_json=as_json)
    if any(each.left for each in done):
        raise typer.Exit(1)


@commands.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List what was deleted, for whom and why, oldest first."""
    from store.deletions import list_deletions

    with reading() as session:
        found = list_deletions(session)
    rows = [
        {
            "id": each.id,
            "kind": each.kind,
            "subject": each.subject,
            "by": each.requested_by,
            "reason": each.reason,
            "removed": dict(each.removed),
            "created_ms": each.created_us // 1000,
            "finished_ms": whole_ms(each.finished_us),
        }
        for each in found
    ]
    lines = [
        f"{row['id']}  {row['kind']} {row['subject']}, by {row['by']}: {row['reason']}"
        + ("" if row["finished_ms"] else " (stopped: haozhi delete resume)")
        for row in rows
    ]
    show({"deletions": rows}, lines or ["nothing was deleted"], as_json=as_json)


@dataclass(frozen=True)
class _How:
    """The options that all deletions take."""

    by: str
    reason: str
    yes: bool
    dry_run: bool
    compact: bool
    as_json: bool


def _delete(kind: "Kind", names: Sequence[str], how: _How) -> None:
    from haozhi.deleting import delete, plan

    app = opened()
    planned = plan(app.engine, kind, names)
    if how.dry_run or planned.covered.is_nothing:
        result = {"plan": plan_json(planned), "deletion": None}
        show(result, plan_lines(planned), as_json=how.as_json)
        return
    if not how.yes:
        _agree(planned)
    with counting("deleting") as progress:
        done = delete(
            app.engine,
            app.settings.index_dir,
            kind,
            names,
            by=how.by,
            reason=how.reason,
            compact=how.compact,
            progress=progress,
        )
    if done is None:
        raise UsageError("somebody else has deleted it meanwhile: haozhi delete list")
    result = {"plan": plan_json(planned), "deletion": deletion_json(done)}
    show(result, deletion_lines(done), as_json=how.as_json)
    if done.left:
        raise typer.Exit(1)


def _agree(planned: "Plan") -> None:
    """Show what goes and ask; without a terminal nobody can say yes."""
    for line in plan_lines(planned):
        say(line)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("nothing was deleted: add --yes to delete it")
    typer.confirm("Delete this for good?", abort=True, err=True)
