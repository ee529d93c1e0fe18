"""`haozhi page`: the source of a web page, as it was when it was read."""

from typing import Annotated

import typer

from haozhi.cli.opened import reading
from haozhi.cli.output import JsonOption, show


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(page)


def page(
    work: Annotated[str, typer.Argument(metavar="WORK", help="A work's id, title or path.")],
    as_json: JsonOption = False,
) -> None:
    """Print the source of the web page that a work was taken out of."""
    from store.errors import NotFound
    from store.works import find_work_raw, get_work

    with reading() as session:
        found = get_work(session, work)
        raw = find_work_raw(session, found.id)
    if raw is None:
        raise NotFound(
            f"no source is kept of work {found.id}: it is of no web page, or was deleted"
        )
    show({"work_id": found.id, "title": found.title, "raw": raw}, [raw], as_json=as_json)
