"""`haozhi report` and `haozhi withdraw`: what an author earned; taking a statement out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.output import JsonOption, credits_text, show

if TYPE_CHECKING:
    from haozhi.accounting.report import CreditReport


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(report)
    app.command()(withdraw)


def report(
    author: Annotated[str, typer.Argument(help="An author's id or name.")],
    period: Annotated[
        int | None, typer.Option(help="A period's id; default: the open one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print an author's credit report: opening + lines = closing."""
    from haozhi.accounting.settle import credit_report
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import read

    with read(open_app(load_settings()).engine) as session:
        found = credit_report(session, author, period)
    show(found.to_json(), report_lines(found), as_json=as_json)


def report_lines(report: "CreditReport") -> Iterator[str]:
    """A credit report for people."""
    yield f"Credit report of {report.author_name or 'an unnamed author'} ({report.author_id})"
    yield f"period {report.period.id}, {report.period.state}"
    yield f"{credits_text(report.opening_micro):>14}  opening"
    for line in report.lines:
        share = "" if line.share_ppb is None else f"  {line.share_ppb / 10**7:6.2f} %"
        about = "" if line.statement_id is None else f"  statement {line.statement_id}"
        answer = "" if line.answer_id is None else f"  answer {line.answer_id}"
        yield f"{credits_text(line.amount_micro):>14}  {line.reason}{share}{about}{answer}"
    yield f"{credits_text(report.closing_micro):>14}  closing"


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
