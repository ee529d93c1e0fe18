"""`haozhi index`: check the vector index against the database, or make it anew."""

import typer

from haozhi.cli.output import JsonOption, show

commands = typer.Typer(no_args_is_help=True, help="Check or rebuild the vector index.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="index")


@commands.command()
def verify(as_json: JsonOption = False) -> None:
    """Compare every vector of the index with the database; exit 1 if they differ."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import read
    from store.statements import iter_embeddings

    app = open_app(load_settings())
    app.index.load()
    with read(app.engine) as session:
        differences = app.index.verify(iter_embeddings(session, app.index.fingerprint))
    lines = [f"{d.code} {d.subject}: {d.message}" for d in differences]
    result = {
        "vectors": app.index.count(),
        "fingerprint": app.index.fingerprint,
        "differences": [dict(vars(d)) for d in differences],
    }
    show(result, lines or [f"{app.index.count()} vectors, none differs"], as_json=as_json)
    if differences:
        raise typer.Exit(1)


@commands.command()
def rebuild(as_json: JsonOption = False) -> None:
    """Make the index anew from the vectors in the database."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.vectors.catch_up import rebuild_index

    app = open_app(load_settings())
    rebuilt = rebuild_index(app.engine, app.index)
    result = {"vectors": rebuilt.added, "fingerprint": app.index.fingerprint}
    show(result, [f"{rebuilt.added} vectors"], as_json=as_json)
