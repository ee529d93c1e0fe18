"""`haozhi search`: the statements nearest to a text."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.output import JsonOption, show

if TYPE_CHECKING:
    from haozhi.search import Found


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(search)


def search(
    text: Annotated[str, typer.Argument(help="A question, or some words.")],
    top_k: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many; default: as for an answer.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the statements nearest to a text, with their authors."""
    from haozhi.app import open_app
    from haozhi.search import search as search_statements
    from haozhi.settings import load_settings

    settings = load_settings()
    app = open_app(settings)
    found = search_statements(app.engine, app.embedder, app.index, text, top_k or settings.top_k)
    show({"statements": [_json(each) for each in found]}, map(_line, found), as_json=as_json)


def _json(found: "Found") -> dict[str, Any]:
    occurrence = found.statement.occurrences[0]
    return {
        "statement_id": found.statement.id,
        "text": found.shown.text,
        "display": found.shown.display,
        "authors": [
            {"id": a.author_id, "name": found.names.get(a.author_id), "share_ppm": a.ppm}
            for a in occurrence.authors
        ],
        "work": {"id": occurrence.work_id, "title": occurrence.work_title},
        "start": occurrence.start,
        "end": occurrence.end,
        "similarity": round(found.similarity, 6),
    }


def _line(found: "Found") -> str:
    authors = ", ".join(found.names.values()) or "author unknown"
    text = found.shown.text or "[not permitted to be shown]"
    text += "…" if found.shown.display == "cut" else ""
    return f"{found.similarity:.3f}  {found.statement.id:>6}  {text}  ({authors})"
