"""`haozhi db`: bring the database to the current schema and check it."""

import typer

from haozhi.cli.output import JsonOption, show

commands = typer.Typer(no_args_is_help=True, help="Upgrade and check the database.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="db")


@commands.command()
def upgrade(as_json: JsonOption = False) -> None:
    """Create the database, or bring it to the current schema."""
    from haozhi.settings import load_settings
    from store.database import upgrade as upgrade_database
    from store.engine import make_engine

    engine = make_engine(load_settings().database_url)
    upgrade_database(engine)
    url = engine.url.render_as_string(hide_password=True)
    show({"database": url, "current": True}, [f"{url} is up to date"], as_json=as_json)


@commands.command()
def check(as_json: JsonOption = False) -> None:
    """Compare the database with the schema, triggers included; exit 1 if they differ."""
    from haozhi.settings import load_settings
    from store.database import check as check_database
    from store.engine import make_engine

    engine = make_engine(load_settings().database_url)
    differences = check_database(engine)
    lines = differences or ("the database is what the schema says",)
    show({"differences": list(differences)}, lines, as_json=as_json)
    if differences:
        raise typer.Exit(1)
