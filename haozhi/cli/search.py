"""`haozhi search`: the statements that a text finds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from haozhi.cli.output import JsonOption, show

if TYPE_CHECKING:
    from haozhi.display import Shown
    from haozhi.search import Found

_DATE = "YYYY, YYYY-MM or YYYY-MM-DD; what has no date is left out."


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(search)


def search(
    text: Annotated[str, typer.Argument(help="A question, or some words.")],
    top_k: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many; default: as for an answer.")
    ] = None,
    mode: Annotated[
        Literal["hybrid", "dense", "lexical", "rrf"],
        typer.Option(
            help="By meaning and words; by meaning; by words, without a model; both by rank."
        ),
    ] = "hybrid",
    author: Annotated[
        str | None, typer.Option(help="Only what this author said: an id or a name.")
    ] = None,
    work: Annotated[str | None, typer.Option(help="Only from the work with this id.")] = None,
    published_from: Annotated[str | None, typer.Option("--from", help=f"From {_DATE}")] = None,
    published_to: Annotated[str | None, typer.Option("--to", help=f"Up to {_DATE}")] = None,
    language: Annotated[
        Literal["zh", "en"] | None, typer.Option(help="Only statements in this language.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(help="Only under this licence, an SPDX expression.")
    ] = None,
    neighbours: Annotated[
        int, typer.Option(min=0, max=20, help="So many statements before and after each.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print the statements that a text finds, with their authors and how each was found."""
    from haozhi.app import open_app
    from haozhi.search import checked_filters
    from haozhi.search import search as search_statements
    from haozhi.search_view import search_view
    from haozhi.settings import load_settings
    from store.statements import Filters

    settings = load_settings()
    app = open_app(settings)
    filters = Filters(author, work, published_from, published_to, language, licence)
    found = search_statements(
        app.engine,
        None if mode == "lexical" else app.near,
        text,
        top_k or settings.top_k,
        mode=mode,
        filters=checked_filters(app.engine, filters),
        reranker=app.reranker,
        around=neighbours,
    )
    lines = (line for each in found for line in _lines(each))
    show({"statements": [search_view(each) for each in found]}, lines, as_json=as_json)


def _lines(found: "Found") -> Iterator[str]:
    """The statement with its score, its authors and its places, between its neighbours."""
    authors = ", ".join(found.names.values()) or "author unknown"
    how = ", ".join(f"{name} {rank}" for name, rank in found.ranks.items())
    for each in found.before:
        yield f"{'':16}{_text(each.shown)}"
    text = _text(found.shown)
    yield f"{found.score:.4f}  {found.statement.id:>6}  {text}  ({authors}; {how})"
    for each in found.after:
        yield f"{'':16}{_text(each.shown)}"


def _text(shown: "Shown") -> str:
    if shown.text is None:
        return "[not permitted to be shown]"
    return shown.text + ("…" if shown.display == "cut" else "")
