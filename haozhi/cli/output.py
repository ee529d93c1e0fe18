"""How commands print: results on stdout, progress and complaints on stderr, JSON as one line."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]

# A stored text must not move the cursor or recolour the terminal; tabs and newlines stay.
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), 127), "�")
_CONTROLS |= dict.fromkeys(range(128, 160), "�")
# JSON allows these raw in a string, but readers that split lines do not.
_LINE_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def show(result: Mapping[str, Any], lines: Iterable[str], *, as_json: bool) -> None:
    """Print a command's result: exactly one line of JSON, or its lines for people."""
    if as_json:
        escaped = not printable(json.dumps(result, ensure_ascii=False))
        text = json.dumps(result, ensure_ascii=escaped, separators=(",", ":"), allow_nan=False)
        typer.echo(text.translate(_LINE_BREAKS))
        return
    for line in lines:
        typer.echo(line.translate(_CONTROLS))


def say(line: str) -> None:
    """Print one line of progress or complaint on stderr."""
    typer.echo(line.translate(_CONTROLS), err=True)


def printable(text: str) -> bool:
    """Whether stdout's encoding has every character of the text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def counted(count: int, one: str, several: str = "") -> str:
    """`1 work`, `2 works`; `several` where it is not the one with an s."""
    return f"{count} {one if count == 1 else several or f'{one}s'}"


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal's stderr that something takes a while; nothing elsewhere."""
    if not on_terminal():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal's stderr that is told how many of how many are done; else nothing."""
    if not on_terminal():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def on_terminal() -> bool:
    """Whether a person watches stderr, so that a moving progress bar makes sense."""
    return sys.stderr.isatty()
