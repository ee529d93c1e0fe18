"""`haozhi author queue`, `confirm`, `alias`, `identify`, `merge`, `split`, `undo`, `decisions`."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli import author as of_author
from haozhi.cli.options import AuthorArgument, ByOption
from haozhi.cli.output import JsonOption, show
from haozhi.credits import credits_text

if TYPE_CHECKING:
    from store.engine import Session
    from store.identities import Decided, Decision, Waiting


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
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import read
    from store.identities import list_waiting

    with read(open_app(load_settings()).engine) as session:
        found = list_waiting(session, limit, after)
    lines = [line for each in found for line in _waiting_lines(each)]
    result = {"authors": [_waiting_json(each) for each in found]}
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
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import read
    from store.identities import list_decisions
    from store.people import get_author

    with read(open_app(load_settings()).engine) as session:
        about = None if author is None else get_author(session, author).id
        found = list_decisions(session, about)
    lines = [_sentence(each) for each in found] or ["nothing was decided"]
    show({"decisions": [decision_json(each) for each in found]}, lines, as_json=as_json)


def _decide(decide: "Callable[[Session], Decided]", as_json: bool) -> None:
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from store.engine import write
    from store.identities import go_on

    engine = open_app(load_settings()).engine
    with write(engine) as session:
        done = decide(session)
    while done.more:
        with write(engine) as session:
            done = go_on(session, done)
    moved = {
        "released_micro": done.released_micro,
        "held_micro": done.held_micro,
        "moved_micro": done.moved_micro,
    }
    lines = [_sentence(done.decision)]
    lines += [
        f"{credits_text(micro)} {words}"
        for micro, words in (
            (done.released_micro, "paid out of what was held"),
            (done.held_micro, "held again"),
            (done.moved_micro, "moved from account to account"),
        )
        if micro
    ]
    show({**decision_json(done.decision), **moved}, lines, as_json=as_json)


def decision_json(decision: "Decision") -> dict[str, Any]:
    """The stable shape of a decision; times in whole ms."""
    return {
        "id": decision.id,
        "kind": decision.kind,
        "author_id": decision.author_id,
        "into_id": decision.into_id,
        "work_ids": list(decision.works),
        "undoes": decision.undoes,
        "undone_by": decision.undone_by,
        "decided_by": decision.decided_by,
        "decided_ms": decision.created_us // 1000,
    }


def _sentence(decision: "Decision") -> str:
    author, into = decision.author_id, decision.into_id
    says = {
        "confirm": f"author {author} is a person of their own",
        "alias": f"author {author} has another name",
        "identify": f"author {author} has an identifier",
        "merge": f"author {author} is author {into}",
        "split": f"author {into} said what author {author} did in {', '.join(decision.works)}",
        "undo": f"undoes decision {decision.undoes}",
    }[decision.kind]
    undone = f" (undone by {decision.undone_by})" if decision.undone_by else ""
    return f"decision {decision.id} by {decision.decided_by}: {says}{undone}"


def _waiting_json(waiting: "Waiting") -> dict[str, Any]:
    return {
        "id": waiting.author_id,
        "name": waiting.name,
        "works": [{"id": work_id, "title": title} for work_id, title in waiting.works],
        "statements": waiting.statements,
        "held_micro": waiting.held_micro,
        "candidates": [
            {
                "id": each.author_id,
                "name": each.name or None,
                "namespace": each.namespace,
                "unresolved": each.unresolved,
            }
            for each in waiting.candidates
        ],
    }


def _waiting_lines(waiting: "Waiting") -> Iterator[str]:
    works = ", ".join(title for _, title in waiting.works) or "no work"
    yield (
        f"{waiting.author_id}  {waiting.name or '(unnamed)'}: {waiting.statements} statements in"
        f" {works}, {credits_text(waiting.held_micro)} held"
    )
    for each in waiting.candidates:
        where = "unresolved too" if each.unresolved else f"namespace {each.namespace}"
        yield f"    perhaps {each.author_id}  {each.name or '(unnamed)'}, {where}"
