"""`haozhi report` and `haozhi withdraw`: what an author earned; taking a statement out."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from haozhi.cli.opened import opened, reading
from haozhi.cli.output import JsonOption, say, show, working

DEFAULT = "show"


class WithDefault(TyperGroup):
    """A group whose first word may be left out: `haozhi report A` is `haozhi report show A`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As in click, with the default in front of what is no command of the group."""
        if args and args[0] not in {*self.commands, "--help"}:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


commands = typer.Typer(
    cls=WithDefault,
    no_args_is_help=True,
    help="What a holder earned in a period; `haozhi report AUTHOR` shows it.",
)
WhoArgument = Annotated[
    str, typer.Argument(metavar="AUTHOR", help="An author's or another holder's id or name.")
]
LanguageOption = Annotated[
    Literal["zh", "en"] | None,
    typer.Option(help="Of its words, in files those of charts and PDF; default: of AUTHOR."),
]
PeriodOption = Annotated[int | None, typer.Option(help="A period's id; default: the open one.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="report")
    app.command()(withdraw)


@commands.command("show")
def show_(
    author: WhoArgument,
    period: PeriodOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a credit report: from opening over what was earned and taken back to closing."""
    from haozhi.cli.report_text import report_lines
    from haozhi.language import detect
    from haozhi.reports.report_view import report_view

    with reading() as session:
        view = report_view(session, author, period)
    show(view, report_lines(view, language or detect(author) or "en"), as_json=as_json)


@commands.command()
def export(
    author: WhoArgument,
    out: Annotated[Path, typer.Option(help="A new folder.")],
    period: PeriodOption = None,
    pdf: Annotated[bool, typer.Option(help="Write a PDF too.")] = False,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a credit report with its lines, charts and proof; exit 1 if the proof does not hold."""
    from haozhi.language import detect
    from haozhi.proofs.keys import ledger_key
    from haozhi.reports.export import export_report

    app = opened()
    key = ledger_key(app.engine, app.settings.data_dir)
    with working("writing the report"):
        words = language or detect(author) or "en"
        done = export_report(app.engine, key, author, period, out, language=words, pdf=pdf)
    lines = [
        f"{len(done.files)} files in {done.folder}",
        *(f"not written: {each}" for each in done.left_out),
        *(
            f"{count} retrieved, not credited: {reason}"
            for reason, count in done.uncredited.items()
        ),
        *done.failed,
    ]
    result = {**vars(done), "folder": str(done.folder), "uncredited": dict(done.uncredited)}
    show(result, lines, as_json=as_json)
    if done.failed:
        raise typer.Exit(1)


@commands.command()
def uncredited(
    author: WhoArgument, period: PeriodOption = None, as_json: JsonOption = False
) -> None:
    """Count what of an author's was retrieved without being credited, by reason."""
    from haozhi.reports.uncredited import count_uncredited

    with reading() as session:
        counts = count_uncredited(session, author, period)
    lines = [f"{count:>9}  {reason}" for reason, count in counts.items()]
    show({"uncredited": counts}, lines, as_json=as_json)


@commands.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="An exported report.")],
    trust: Annotated[
        Path | None, typer.Option(help="A key file or an earlier export that you believe.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check an exported report offline, without the database; exit 1 if it is not whole."""
    from haozhi.reports.verifying import verify_export

    found = verify_export(folder, trust)
    lines = [*found.checks]
    if found.unchecked:
        others = ", ".join(found.unchecked)
        lines.append(f"not checked, for report.json and lines.jsonl are what is proven: {others}")
    show(vars(found), lines, as_json=as_json)
    if trust is None:
        say("the key is the folder's own: compare it with one that you trust, or give --trust")
    if not found.whole:
        raise typer.Exit(1)


def withdraw(
    statement: Annotated[str, typer.Argument(help="A statement's id, or its exact text.")],
    as_json: JsonOption = False,
) -> None:
    """Take a statement out of retrieval from now on; past credit stays as it is."""
    from haozhi.withdraw import withdraw as withdraw_statement

    app = opened()
    done = withdraw_statement(app.engine, app.index, statement)
    lines = [
        (
            f"statement {done.statement_id} withdrawn; removed from the index of words"
            f" {done.words_removed}, of vectors {done.vectors_removed}"
        )
    ]
    show(dict(vars(done)), lines, as_json=as_json)
