"""`haozhi report` and `haozhi withdraw`: what an author earned; taking a statement out."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from haozhi.cli.output import JsonOption, show

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
PeriodOption = Annotated[int | None, typer.Option(help="A period's id; default: the open one.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="report")
    app.command()(withdraw)


@commands.command("show")
def show_(author: WhoArgument, period: PeriodOption = None, as_json: JsonOption = False) -> None:
    """Print a credit report: from opening over what was earned and taken back to closing."""
    from haozhi.app import open_app
    from haozhi.cli.report_text import report_lines
    from haozhi.reports.report_view import report_view
    from haozhi.settings import load_settings
    from store.engine import read

    with read(open_app(load_settings()).engine) as session:
        view = report_view(session, author, period)
    show(view, report_lines(view), as_json=as_json)


def withdraw(
    statement: Annotated[str, typer.Argument(help="A statement's id, or its exact text.")],
    as_json: JsonOption = False,
) -> None:
    """Take a statement out of retrieval from now on; past credit stays as it is."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from haozhi.withdraw import withdraw as withdraw_statement

    app = open_app(load_settings())
    done = withdraw_statement(app.engine, app.index, statement)
    lines = [f"statement {done.statement_id} withdrawn; {done.vectors_removed} vector removed"]
    show(dict(vars(done)), lines, as_json=as_json)
