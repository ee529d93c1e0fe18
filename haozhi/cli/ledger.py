"""`haozhi ledger`: check the books, finish what is unsettled."""

import typer

from haozhi.cli.output import JsonOption, show, working

commands = typer.Typer(no_args_is_help=True, help="Check the books and settle open answers.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="ledger")


@commands.command()
def check(as_json: JsonOption = False) -> None:
    """Recompute every entry, balance and hash from the rows; exit 1 if something differs."""
    from haozhi.accounting.settle import check_ledger
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import read

    with read(open_app(load_settings()).engine) as session:
        differences = check_ledger(session)
    lines = [f"{d.code} {d.subject}: {d.message}" for d in differences]
    result = {"differences": [dict(vars(d)) for d in differences]}
    show(result, lines or ["the books are whole"], as_json=as_json)
    if differences:
        raise typer.Exit(1)


@commands.command()
def settle(as_json: JsonOption = False) -> None:
    """Finish every answer whose final shares and entry are missing, after a crash for instance."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from haozhi.settling import settle_all

    app = open_app(load_settings())
    with working("settling"):
        settled = settle_all(app)
    lines = [f"settled {answer_id}" for answer_id in settled] or ["nothing to settle"]
    show({"settled": list(settled)}, lines, as_json=as_json)
