"""`haozhi period`: the spans that credit is reported for."""

from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import ByOption
from haozhi.cli.output import JsonOption, show, working
from haozhi.times import utc_text, whole_ms

if TYPE_CHECKING:
    from store.records.ledger import Period

commands = typer.Typer(no_args_is_help=True, help="Show the periods and close one.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="period")


@commands.command("show")
def show_(as_json: JsonOption = False) -> None:
    """Print every period: its state, from when to when, and who closed it."""
    from store.periods import list_periods

    with reading() as session:
        periods = list_periods(session)
    result = [
        {
            "id": period.id,
            "state": period.state,
            "opened_ms": period.opened_us // 1000,
            "closed_ms": whole_ms(period.closed_us),
            "closed_by": period.closed_by,
        }
        for period in periods
    ]
    show({"periods": result}, map(_line, periods), as_json=as_json)


@commands.command()
def close(
    by: ByOption,
    period: Annotated[
        int | None, typer.Option(help="Only this one; default: the one closing, else the open one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Close a period, or finish a close: write and sign its credit reports, open the next one."""
    from functools import partial

    from haozhi.auditing import audit_answers
    from haozhi.closing import close_period
    from haozhi.proofs.keys import ledger_key

    app = opened()
    key = ledger_key(app.engine, app.settings.data_dir)
    with working("closing the period"):
        audit = partial(audit_answers, app)
        done = close_period(app.engine, by=by, key=key, audit=audit, period_id=period)
    differed = "" if done.largest_ppb is None else f", largest difference {done.largest_ppb} ppb"
    lines = (
        f"period {done.period.id} is closed, by {done.period.closed_by}",
        f"{done.reports} credit reports and {done.entries} entries are signed",
        f"{done.audited} answers computed again{differed}",
    )
    result = {
        "period_id": done.period.id,
        "closed_by": done.period.closed_by,
        "reports": done.reports,
        "entries": done.entries,
        "audited": done.audited,
        "largest_ppb": done.largest_ppb,
        "checkpoint": done.note,
    }
    show(result, lines, as_json=as_json)


def _line(period: "Period") -> str:
    closed = "" if period.closed_us is None else f"  to {utc_text(period.closed_us)}"
    by = "" if period.closed_by is None else f"  by {period.closed_by}"
    return f"{period.id:>6}  {period.state:<7}  from {utc_text(period.opened_us)}{closed}{by}"
