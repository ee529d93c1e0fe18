"""How the plan of an ingest is shown: one row a file for people, everything for programs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ingest.plans import FilePlan
from ingest.reports import file_result, notes_of

View = Mapping[str, Any]
"""A file's plan as JSON has it."""

_ORIGINS = {"mapping": "front matter", "metadata": "embedded", "option": "given here"}


def plan_view(plan: FilePlan) -> dict[str, Any]:
    """All of a file's plan but its text."""
    work, there = plan.work, plan.there
    return {
        "path": plan.path,
        **file_result(plan, plan.counts),
        "work_id": there.id if there else None,
        "same_as": plan.same_as or None,
        "title": work.title if work else there.title if there else None,
        "media_type": work.media_type if work else None,
        "encoding": work.encoding or None if work else None,
        "licence": work.licence if work else None,
        "statements": vars(plan.counts),
        "authors": [
            {
                "name": each.named.name,
                "identifier": str(each.named.identifier) if each.named.identifier else None,
                "from": each.origin,
                "means": each.meaning,
                "author_id": each.author_id,
                "statements": each.statements,
            }
            for each in plan.names
        ],
        "without_author": plan.unnamed,
    }


def totals(views: Iterable[View]) -> dict[str, Any]:
    """How many files there are of each kind, and the sums of their counts."""
    files: Counter[str] = Counter()
    statements: Counter[str] = Counter(new=0, duplicate=0, unchanged=0, removed=0)
    for view in views:
        files[view["action"]] += 1
        statements.update(view["statements"])
    return {"files": dict(files), "statements": dict(statements)}


def plan_lines(views: Sequence[View], width: int) -> Iterator[str]:
    """A table of the files, what was not read of them, and the sums."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("file", "is", "type", "title", "statements", "authors"):
        table.add_column(name, overflow="fold")
    for view in views:
        table.add_row(*map(Text, _cells(view)))
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(table)
    yield from (line.rstrip() for line in captured.get().splitlines())
    for view in views:
        yield from (f"{view['path']}: {note}" for note in notes_of(view))
    sums = totals(views)
    files = ", ".join(f"{count} {name}" for name, count in sums["files"].items())
    yield f"{files or 'no files'}; statements: {_counted(sums['statements']) or 'none'}"


def _cells(view: View) -> tuple[str, ...]:
    copied = view["same_as"] or (view["work_id"] if view["action"] == "duplicate" else None)
    gone = f"deleted, was {view['work_id']}" if view["action"] == "deleted" else view["action"]
    return (
        view["path"],
        f"{view['action']} of {copied}" if copied else gone,
        ", ".join(filter(None, (view["media_type"], view["encoding"]))),
        view["title"] or "",
        _counted(view["statements"]),
        "; ".join(_names(view)),
    )


def _names(view: View) -> Iterator[str]:
    for each in view["authors"]:
        origin = _ORIGINS.get(each["from"], each["from"])
        yield f"{each['name']} ({origin}, {each['means']}): {each['statements']}"
    if view["without_author"]:
        yield f"nobody: {view['without_author']}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)
