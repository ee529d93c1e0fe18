"""`haozhi clusters`: which statements are copies of one text, and whose is first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.opened import reading
from haozhi.cli.output import JsonOption, show
from haozhi.times import whole_ms

if TYPE_CHECKING:
    from store.engine import Session
    from store.records.corpus import Statement


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(clusters)


def clusters(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    after: Annotated[
        int, typer.Option(min=0, metavar="ID", help="Only clusters with a higher id.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """List copies, exact and near, that count as one; the one that is credited comes first."""
    from store.clock import now_us
    from store.clusters import list_clusters

    with reading() as session:
        found = [
            {"id": each[0].cluster_id, "statements": [_member(session, s) for s in each]}
            for each in list_clusters(session, limit, after, now_us())
        ]
    lines = [line for each in found for line in _lines(each)]
    show({"clusters": found}, lines or ["no text is there twice"], as_json=as_json)


def _member(session: "Session", statement: "Statement") -> dict[str, Any]:
    """A statement where it is credited; one that stands nowhere has no place."""
    from haozhi.display import shown_texts
    from store.people import author_names

    place = next(iter(statement.occurrences), None)
    (shown,) = shown_texts(session, [(statement.text, place.id if place else None)])
    authors = [share.author_id for share in place.authors] if place else []
    names = author_names(session, authors)
    return {
        "statement_id": statement.id,
        "text": shown.text,
        "display": shown.display,
        "withdrawn": statement.withdrawn or place is None,
        "authors": [{"id": i, "name": names.get(i)} for i in authors],
        "work": {"id": place.work_id, "title": place.work_title} if place else None,
        "published_on": place.published_on if place else None,
        "registered_ms": whole_ms(place.registered_us) if place else None,
    }


def _lines(cluster: dict[str, Any]) -> Iterator[str]:
    yield f"cluster {cluster['id']}"
    for member in cluster["statements"]:
        names = ", ".join(each["name"] or each["id"] for each in member["authors"])
        about = [names or "author unknown", member["published_on"] or "undated"]
        about += [member["work"]["title"]] if member["work"] else []
        about += ["withdrawn"] if member["withdrawn"] else []
        text = member["text"] or f"[{member['display']}]"
        yield f"{member['statement_id']:>8}  {text}  ({'; '.join(about)})"
