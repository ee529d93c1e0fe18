"""`haozhi author queue`, `confirm`, `alias`, `identify`, `merge`, `split`, `undo`, `decisions`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli import author as of_author
from haozhi.cli.identity_text import (
    decision_json,
    sentence,
    staying_lines,
    waiting_json,
    waiting_lines,
)
from haozhi.cli.opened import opened, reading
from haozhi.cli.options import AuthorArgument, ByOption
from haozhi.cli.output import JsonOption, show
from haozhi.credits import credits_text

if TYPE_CHECKING:
    from store.engine import Session
    from store.identities import Decided


def register(_app: typer.Typer) -> None:
    """Add the commands of this module to `haozhi author`."""
    for command in (queue, confirm, alias, identify, merge, split, undo, decisions):
        of_author.commands.command()(command)


def queue(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    after: Annotated[
        str | None, typer.Option(metavar="ID", help="Only authors added after this one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List authors whose name nobody vouches for, with what is held and who they may be."""
    from store.identities import list_waiting

    with reading() as session:
        found = list_waiting(session, limit, after)
    lines = [line for each in found for line in waiting_lines(each)]
    result = {"authors": [waiting_json(each) for each in found]}
    show(result, lines or ["nobody waits for a decision"], as_json=as_json)


def confirm(author: AuthorArgument, by: ByOption, as_json: JsonOption = False) -> None:
    """An unresolved author is a person of their own: what is held for them is paid."""
    from store.identities import confirm

    _decide(lambda session: confirm(session, author, by), as_json)


def alias(
    author: AuthorArgument,
    name: Annotated[str, typer.Argument(help="Another name of the author.")],
    by: ByOption,
    namespace: Annotated[
        str | None, typer.Option(help="Where it counts; by default where the author's name does.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """An author has another name: files that bring it in mean this author from now on."""
    from store.identities import add_alias

    _decide(lambda session: add_alias(session, author, name, by, namespace), as_json)


def identify(
    author: AuthorArgument,
    identifier: Annotated[str, typer.Argument(help="orcid:…, isni:… or https://…")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """An author has an identifier, which means this author in files of every namespace."""
    from store.identities import identify

    _decide(lambda session: identify(session, author, identifier, by), as_json)


def merge(
    giver: Annotated[str, typer.Argument(metavar="FROM", help="An author's id or name.")],
    taker: Annotated[str, typer.Argument(metavar="INTO", help="The same person's id or name.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Two authors are one person: all that FROM said is INTO's, and FROM's open balance moves."""
    from store.identities import merge

    _decide(lambda session: merge(session, giver, taker, by), as_json)


def split(
    author: AuthorArgument,
    works: Annotated[list[str], typer.Argument(metavar="WORK...", help="Ids, titles or paths.")],
    by: ByOption,
    name: Annotated[str | None, typer.Option(help="The new author's name.")] = None,
    as_json: JsonOption = False,
) -> None:
    """One author is two people: from now on these works are a new author's."""
    from store.identities import split

    _decide(lambda session: split(session, author, works, by, name), as_json)


def undo(
    decision: Annotated[int, typer.Argument(help="A decision's number.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Take a decision back, with what is left of the money that it moved."""
    from store.identities import undo

    _decide(lambda session: undo(session, decision, by), as_json)


def decisions(
    author: Annotated[
        str | None, typer.Argument(metavar="AUTHOR", help="Only those about this author.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List what was decided about authors, oldest first."""
    from store.identities import list_decisions
    from store.people import get_author

    with reading() as session:
        about = None if author is None else get_author(session, author).id
        found = list_decisions(session, about)
    lines = [sentence(each) for each in found] or ["nothing was decided"]
    show({"decisions": [decision_json(each) for each in found]}, lines, as_json=as_json)


def _decide(decide: "Callable[[Session], Decided]", as_json: bool) -> None:
    from store.engine import write
    from store.identities import go_on

    engine = opened().engine
    with write(engine) as session:
        done = decide(session)
    while done.more:
        with write(engine) as session:
            done = go_on(session, done)
    moved = {
        "released_micro": done.released_micro,
        "held_micro": done.held_micro,
        "moved_micro": done.moved_micro,
        "stays_micro": done.stays_micro,
        "stays_with": done.stays_with,
    }
    lines = [sentence(done.decision)]
    lines += [
        f"{credits_text(micro)} {words}"
        for micro, words in (
            (done.released_micro, "paid out of what was held"),
            (done.held_micro, "held again"),
            (done.moved_micro, "moved from account to account"),
        )
        if micro
    ]
    lines += staying_lines(done)
    show({**decision_json(done.decision), **moved}, lines, as_json=as_json)
