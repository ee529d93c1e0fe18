"""`haozhi index`: check the indexes of vectors and words against the database, or rebuild them."""

from typing import TYPE_CHECKING

import typer

from haozhi.cli.output import JsonOption, counting, show

if TYPE_CHECKING:
    from haozhi.indexing import IndexState

commands = typer.Typer(no_args_is_help=True, help="Check or rebuild the indexes.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="index")


@commands.command()
def verify(as_json: JsonOption = False) -> None:
    """Compare every vector and all words with the database; exit 1 if they differ."""
    from haozhi.app import open_app
    from haozhi.indexing import verify as verify_index
    from haozhi.settings import load_settings

    settings = load_settings()
    state = verify_index(open_app(settings).engine, settings.index_dir)
    _show(state, as_json=as_json)
    if state.differences:
        raise typer.Exit(1)


@commands.command()
def rebuild(as_json: JsonOption = False) -> None:
    """Make the indexes anew from the texts; those without a vector of the embedder get one.

    That is also what a changed embedder needs. The old index serves until the new one is whole.
    """
    from haozhi.app import open_app
    from haozhi.indexing import rebuild as rebuild_index
    from haozhi.settings import load_settings

    settings = load_settings()
    app = open_app(settings)
    with counting("embedding") as progress:
        state = rebuild_index(app.engine, app.embedder, settings.index_dir, progress)
    _show(state, as_json=as_json)


def _show(state: "IndexState", *, as_json: bool) -> None:
    result = {
        "fingerprint": state.fingerprint,
        "vectors": state.vectors,
        "kind": state.kind,
        "recall": state.recall,
        "embedded": state.embedded,
        "differences": [dict(vars(each)) for each in state.differences],
    }
    lines = [f"{each.code} {each.subject}: {each.message}" for each in state.differences]
    lines.append(
        f"{state.vectors} vectors by {state.fingerprint} ({state.kind}, {state.embedded} new),"
        f" {len(lines)} differences"
    )
    show(result, lines, as_json=as_json)
