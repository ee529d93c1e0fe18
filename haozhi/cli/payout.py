"""`haozhi payout`: pay rights holders in batches, and keep what became of each payout."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import ByOption, HolderArgument
from haozhi.cli.output import JsonOption, show

if TYPE_CHECKING:
    from store.payouts import Batch

commands = typer.Typer(no_args_is_help=True, help="Pay rights holders and follow the payments.")

BatchArgument = Annotated[str, typer.Argument(metavar="BATCH", help="A batch's id, such as eur-1.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="payout")


@commands.command()
def create(
    currency: Annotated[str, typer.Option(help="CNY, EUR or USD.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Make a batch of all that is payable in a currency; the money waits in holds."""
    from haozhi.cli.payout_text import batch_json, batch_lines, skipped_lines
    from haozhi.paying import create_batch
    from store.clock import now_us

    engine = opened().engine
    created = create_batch(engine, currency, by=by, now_us=now_us())
    result = {
        "batch": batch_json(created.batch) if created.batch else None,
        "skipped": [dict(vars(each)) for each in created.skipped],
    }
    lines = [
        *(batch_lines(created.batch) if created.batch else ["nothing to pay"]),
        *skipped_lines(created.skipped),
    ]
    show(result, lines, as_json=as_json)


@commands.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List every batch."""
    from haozhi.cli.payout_text import batch_json, batch_line
    from store.payouts import list_batches

    with reading() as session:
        batches = list_batches(session)
    lines = [batch_line(batch) for batch in batches] or ["no batches"]
    show({"batches": [batch_json(batch) for batch in batches]}, lines, as_json=as_json)


@commands.command("show")
def show_(batch: BatchArgument, as_json: JsonOption = False) -> None:
    """Print a batch with its payouts, its files and what became of them."""
    from haozhi.cli.payout_text import batch_json, batch_lines
    from store.payouts import file_formats, get_batch, list_events

    with reading() as session:
        found = get_batch(session, batch)
        formats = file_formats(session, batch)
        events = list_events(session, batch)
    result = batch_json(found) | {
        "files": list(formats),
        "events": [
            {k: v for k, v in vars(event).items() if k != "created_us"}
            | {"created_ms": event.created_us // 1000}
            for event in events
        ],
    }
    lines = [*batch_lines(found), f"files: {', '.join(formats) or 'none'}"]
    lines += [f"{e.state} {e.holder_id} by {e.by}{f': {e.note}' if e.note else ''}" for e in events]
    show(result, lines, as_json=as_json)


@commands.command()
def file(
    batch: BatchArgument,
    format_name: Annotated[str, typer.Option("--format", help="pain001, csv or xlsx.")],
    out: Annotated[Path, typer.Option(help="Where to write it; what is there is replaced.")],
    layout: Annotated[
        str | None,
        typer.Option(help="A TOML file, or cn-bank: the table of a csv or xlsx."),
    ] = None,
    execute_on: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Default: today.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the payment file of a batch; asking again gives the same bytes."""
    from haozhi.app import open_app
    from haozhi.paying import write_file
    from haozhi.payouts.files import save_file
    from haozhi.payouts.layout import load_layout
    from haozhi.payouts.orders import execution_day
    from haozhi.settings import load_settings
    from store.clock import now_us

    settings, now = load_settings(), now_us()
    written = write_file(
        open_app(settings).engine,
        batch,
        format_name,
        load_layout(layout) if layout else None,
        settings.payout,
        execution_day(execute_on, now),
        now_us=now,
    )
    save_file(out, written.content)
    result = {"batch": batch, "format": format_name, "out": str(out), "sha256": written.sha256}
    show(result, [f"{out}  sha256 {written.sha256}"], as_json=as_json)


@commands.command()
def sent(batch: BatchArgument, by: ByOption, as_json: JsonOption = False) -> None:
    """Say that the file of a batch went to the bank."""
    from haozhi.paying import mark_sent
    from store.clock import now_us

    done = mark_sent(opened().engine, batch, by=by, now_us=now_us())
    _show_batch(done, as_json=as_json)


@commands.command()
def confirm(
    batch: BatchArgument,
    by: ByOption,
    holder: Annotated[
        str | None, typer.Argument(metavar="[HOLDER]", help="Only this one; default: all sent.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say that the bank paid: the money leaves the books, and tax goes to its account."""
    from haozhi.paying import confirm as confirm_payouts
    from store.clock import now_us

    engine = opened().engine
    done = confirm_payouts(engine, batch, holder, by=by, now_us=now_us())
    _show_batch(done, as_json=as_json)


@commands.command("return")
def return_(
    batch: BatchArgument,
    holder: HolderArgument,
    by: ByOption,
    note: Annotated[str, typer.Option(metavar="TEXT", help="Why it came back.")],
    as_json: JsonOption = False,
) -> None:
    """Say that a payout came back: its money is the holder's again."""
    from haozhi.paying import give_back
    from store.clock import now_us

    engine = opened().engine
    done = give_back(engine, batch, holder, by=by, note=note, now_us=now_us())
    _show_batch(done, as_json=as_json)


def _show_batch(batch: "Batch", *, as_json: bool) -> None:
    from haozhi.cli.payout_text import batch_json, batch_lines

    show(batch_json(batch), batch_lines(batch), as_json=as_json)
