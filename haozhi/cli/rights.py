"""`haozhi rights`: who holds the rights in a work, what they grant, what is common knowledge."""

from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.opened import opened
from haozhi.cli.options import AuthorArgument, ByOption
from haozhi.cli.output import JsonOption, show
from haozhi.cli.rights_text import rights_json, rights_lines

if TYPE_CHECKING:
    from haozhi.rights import WorkRights

commands = typer.Typer(
    no_args_is_help=True, help="Say who holds the rights in a work and what they grant."
)
WorkArgument = Annotated[str, typer.Argument(help="A work's id, or its exact title or path.")]
AskerArgument = Annotated[str, typer.Argument(help="Who asks, as HAOZHI_ASKER says.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="rights")


@commands.command("show")
def show_(work: WorkArgument, as_json: JsonOption = False) -> None:
    """Print what may be done with a work now, and all its grants."""
    from haozhi.rights import get_rights

    _show_work(get_rights(opened().engine, work), as_json=as_json)


@commands.command()
def holder(
    name: Annotated[str, typer.Argument(help="What the holder is called.")],
    as_json: JsonOption = False,
) -> None:
    """Add a rights holder that is no author, such as a publisher."""
    from haozhi.rights import add_holder

    added = add_holder(opened().engine, name)
    result = {"id": added.id, "label": added.label}
    show(result, [f"holder {added.id}: {added.label}"], as_json=as_json)


@commands.command()
def grant(
    work: WorkArgument,
    by: ByOption,
    holder: Annotated[str, typer.Option(help="A holder's or author's id or name.")],
    ppm: Annotated[int, typer.Option(help="Their part of the work's money, in millionths.")],
    no_retrieve: Annotated[bool, typer.Option("--no-retrieve", help="Never to be found.")] = False,
    no_generate: Annotated[
        bool, typer.Option("--no-generate", help="Never to be answered from.")
    ] = False,
    no_display: Annotated[
        bool, typer.Option("--no-display", help="Its text is never shown.")
    ] = False,
    display_chars: Annotated[
        int | None, typer.Option(min=0, help="Most characters shown of one statement.")
    ] = None,
    train: Annotated[bool, typer.Option("--train", help="Models may be trained on it.")] = False,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="DATE", help="The first day (UTC); default: now."),
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="The last day (UTC).")] = None,
    terms: Annotated[
        str | None, typer.Option(help="An SPDX expression, or the https address of RSL terms.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Grant: a work with grants is used only while one is in force and none forbids it."""
    from haozhi.rights import day_end_us, day_start_us
    from haozhi.rights import grant as add_grant
    from store.rights import NewGrant

    asked = NewGrant(
        work_id=work,
        holder_id=holder,
        ppm=ppm,
        may_retrieve=not no_retrieve,
        may_generate=not no_generate,
        may_display=not no_display,
        may_train=train,
        display_chars=display_chars,
        valid_from_us=None if from_ is None else day_start_us(from_),
        valid_until_us=None if until is None else day_end_us(until),
        terms=terms,
    )
    _show_work(add_grant(opened().engine, asked, by), as_json=as_json)


@commands.command()
def end(
    grant_id: Annotated[int, typer.Argument(metavar="GRANT", max=2**53, help="A grant's id.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """End a grant now; answers given before stay as they are."""
    from haozhi.rights import end_grant

    end_grant(opened().engine, grant_id, by)
    show({"grant_id": grant_id, "ended_by": by}, [f"grant {grant_id} has ended"], as_json=as_json)


@commands.command()
def evidence(
    work: WorkArgument,
    kind: Annotated[str, typer.Argument(help="registry, isbn_doi, signed, metadata or claimed.")],
    by: ByOption,
    published_on: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="YYYY, YYYY-MM or YYYY-MM-DD; default: as it was."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Record how a work's date is known: who said it first is decided by that."""
    from haozhi.rights import record_evidence
    from ingest.fields import check_date

    date = None if published_on is None else check_date(published_on)
    _show_work(record_evidence(opened().engine, work, kind, date, by), as_json=as_json)


@commands.command()
def reading(work: WorkArgument, by: ByOption, as_json: JsonOption = False) -> None:
    """Say that the text recognised in a work's pictures is right: it earns credit from now on."""
    from store.engine import write
    from store.readings import confirm_reading
    from store.works import get_work

    with write(opened().engine) as session:
        found = get_work(session, work)
        count = confirm_reading(session, found.id, by)
    result = {"work_id": found.id, "statements": count, "by": by}
    show(result, [f"{count} statements of {found.title} were in doubt"], as_json=as_json)


@commands.command()
def common(
    statement: Annotated[str, typer.Argument(help="A statement's id, or its exact text.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Mark a statement as common knowledge, which is paid at the policy's rate from now on."""
    from haozhi.rights import mark_common

    statement_id, new = mark_common(opened().engine, statement, by)
    said = "is common knowledge" if new else "was marked as common knowledge before"
    result = {"statement_id": statement_id, "marked": new}
    show(result, [f"statement {statement_id} {said}"], as_json=as_json)


@commands.command()
def link(
    asker: AskerArgument, author: AuthorArgument, by: ByOption, as_json: JsonOption = False
) -> None:
    """Say that an asker is an author, who earns nothing from what this asker asks."""
    from haozhi.rights import link as link_asker

    author_id, new = link_asker(opened().engine, asker, author, by)
    result = {"asker_id": asker, "author_id": author_id, "linked": new}
    said = "is" if new else "was linked before to"
    show(result, [f"asker {asker} {said} author {author_id}"], as_json=as_json)


@commands.command()
def unlink(
    asker: AskerArgument, author: AuthorArgument, by: ByOption, as_json: JsonOption = False
) -> None:
    """Say that an asker is not an author after all."""
    from haozhi.rights import unlink as unlink_asker

    author_id, was = unlink_asker(opened().engine, asker, author, by)
    result = {"asker_id": asker, "author_id": author_id, "unlinked": was, "unlinked_by": by}
    said = "is no longer linked to" if was else "was not linked to"
    show(result, [f"asker {asker} {said} author {author_id}"], as_json=as_json)


def _show_work(found: "WorkRights", *, as_json: bool) -> None:
    show(rights_json(found), rights_lines(found), as_json=as_json)
