"""`haozhi author`: who there is, and erasing somebody; `haozhi.cli.identity` has the decisions."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import AuthorArgument, ByOption
from haozhi.cli.output import JsonOption, counted, show
from haozhi.credits import credits_text
from haozhi.times import whole_ms

if TYPE_CHECKING:
    from store.authors import AuthorState

commands = typer.Typer(no_args_is_help=True, help="Look at authors, decide who is who.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="author")


@commands.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 100,
    after: Annotated[
        str | None, typer.Option(metavar="ID", help="Only authors added after this one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List authors in the order in which they were added."""
    from store.authors import list_authors

    with reading() as session:
        found = [
            {
                "id": author.id,
                "name": author.name,
                "namespace": author.namespace,
                "holder_id": author.holder_id,
                "erased_ms": whole_ms(each.erased_us),
                "unresolved": each.unresolved,
                "is_now": each.is_now,
            }
            for each in list_authors(session, limit, after)
            for author in [each.author]
        ]
    lines = [f"{row['id']}  {_name(row['name'], row['erased_ms'])}{_mark(row)}" for row in found]
    show({"authors": found}, lines or ["no authors"], as_json=as_json)


@commands.command("show")
def show_(author: AuthorArgument, as_json: JsonOption = False) -> None:
    """Show an author: name, account, balance, and how much of what was said can be found."""
    from store.authors import get_author_state

    with reading() as session:
        found = get_author_state(session, author)
    result = {
        "id": found.author.id,
        "name": found.author.name,
        "namespace": found.author.namespace,
        "holder_id": found.author.holder_id,
        "erased_ms": whole_ms(found.erased_us),
        "works": found.works,
        "statements": found.statements,
        "balance_micro": found.balance_micro,
        "owed_micro": found.owed_micro,
        "unresolved": found.unresolved,
        "held_micro": found.held_micro,
        "is_now": found.is_now,
        "aliases": list(found.aliases),
        "identifiers": list(found.identifiers),
    }
    lines = [
        f"{_name(found.author.name, found.erased_us)} ({found.author.id})",
        *_identity_lines(found),
        f"account holder:{found.author.holder_id}",
        f"{counted(found.statements, 'statement')} in {counted(found.works, 'work')}",
        f"{credits_text(found.balance_micro)} balance, {credits_text(found.owed_micro)} owed",
    ]
    show(result, lines, as_json=as_json)


@commands.command()
def erase(
    author: AuthorArgument,
    by: ByOption,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Withdraw what this author alone said, too.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Erase who an author is: names, identifiers, bank data. Ids, totals and proofs stay.

    A job that would go on with the name cannot be resumed.
    """
    from haozhi.erasing import erase as erase_author

    app = opened()
    done = erase_author(app.engine, author, by=by, index=app.index if withdraw else None)
    rows = dict(vars(done.erased)) if done.erased else None
    result = {
        "author_id": done.author_id,
        "already_erased": rows is None,
        "deleted": rows,
        "still_named": done.still_named,
    }
    lines = [f"author {done.author_id} was erased before; there is nothing to delete"]
    if rows is not None:
        counts = ", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in rows.items())
        lines = [f"author {done.author_id} erased; rows deleted or blanked: {counts}"]
    if done.still_named:
        where = ", ".join(done.still_named)
        count = len(done.still_named)
        lines.append(f"{count} grounds and notes still have the name and stay as they are: {where}")
    if withdraw:
        result["statements_withdrawn"] = done.statements_withdrawn
        result["vectors_removed"] = done.vectors_removed
        lines.append(
            f"{counted(done.statements_withdrawn, 'statement')} withdrawn,"
            f" {counted(done.vectors_removed, 'vector')} removed"
        )
    show(result, lines, as_json=as_json)


def _identity_lines(found: "AuthorState") -> Iterator[str]:
    if found.is_now:
        yield f"is author {found.is_now}"
    if found.unresolved:
        yield f"unresolved: nobody vouches for the name; {credits_text(found.held_micro)} held"
    elif found.held_micro:
        yield f"{credits_text(found.held_micro)} held: confirm the author once more"
    if also := (*found.aliases, *found.identifiers):
        yield f"also {', '.join(also)}"


def _mark(row: Mapping[str, object]) -> str:
    if row["is_now"]:
        return f" (is author {row['is_now']})"
    return " (unresolved)" if row["unresolved"] else ""


def _name(name: object, erased: object) -> str:
    return str(name or ("(erased)" if erased else "(unnamed)"))
