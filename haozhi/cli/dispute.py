"""`haozhi dispute`: somebody says that a line was paid to the wrong author."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import ByOption
from haozhi.cli.output import JsonOption, show
from haozhi.credits import credits_text
from store.errors import UsageError

if TYPE_CHECKING:
    from haozhi.disputing import Payee
    from store.disputes import Dispute

commands = typer.Typer(no_args_is_help=True, help="Open, close and look at disputes about credit.")
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A dispute's id.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="dispute")


@commands.command("open")
def open_(
    entry: Annotated[str, typer.Argument(help="The id of a ledger entry, as reports show it.")],
    line: Annotated[int, typer.Argument(help="The place of the line in the entry, from 0.")],
    by: ByOption,
    ground: Annotated[str, typer.Option(metavar="TEXT", help="Why the line is wrong.")],
    claimant: Annotated[
        str | None, typer.Option(metavar="AUTHOR", help="The author (id or name) who claims it.")
    ] = None,
    keep_back: Annotated[
        bool, typer.Option("--keep-back", help="Later money for what was said there waits too.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Open a dispute: what remains of the line waits until the dispute is closed."""
    from haozhi.disputing import open_dispute

    engine = opened().engine
    found = open_dispute(
        engine, entry, line, by=by, claimant=claimant, ground=ground, keep_back=keep_back
    )
    show(dispute_json(found, {}), dispute_lines(found, {}), as_json=as_json)


@commands.command()
def close(
    dispute_id: IdArgument,
    by: ByOption,
    note: Annotated[str, typer.Option(metavar="TEXT", help="How it was decided.")],
    back: Annotated[bool, typer.Option("--back", help="The money goes back.")] = False,
    to: Annotated[
        str | None,
        typer.Option(metavar="HOLDER", help="On to this holder or author (id or name)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Close a dispute: its money goes back where it came from, or on to another holder."""
    if back == (to is not None):
        raise UsageError("say where the money goes: --back, or --to HOLDER")
    from haozhi.disputing import close_dispute, payees

    engine = opened().engine
    closed = close_dispute(engine, dispute_id, winner=to, by=by, note=note)
    with reading() as session:
        paid = payees(session, [closed])
    show(dispute_json(closed, paid), dispute_lines(closed, paid), as_json=as_json)


@commands.command("list")
def list_(
    open_only: Annotated[bool, typer.Option("--open", help="Only those not closed yet.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List disputes in the order in which they were opened."""
    from haozhi.disputing import payees
    from store.disputes import list_disputes

    with reading() as session:
        found = list_disputes(session, open_only=open_only)
        paid = payees(session, found)
    lines = [
        f"{d.id}  {_state(d):6}  {credits_text(d.amount_micro):>14}  line {d.line} of {d.entry_key}"
        for d in found
    ]
    result = {"disputes": [dispute_json(dispute, paid) for dispute in found]}
    show(result, lines or ["no disputes"], as_json=as_json)


@commands.command("show")
def show_(dispute_id: IdArgument, as_json: JsonOption = False) -> None:
    """Show a dispute: its line, its ground and how it ended."""
    from haozhi.disputing import payees
    from store.disputes import get_dispute

    with reading() as session:
        found = get_dispute(session, dispute_id)
        paid = payees(session, [found])
    show(dispute_json(found, paid), dispute_lines(found, paid), as_json=as_json)


def dispute_json(dispute: "Dispute", paid: "Mapping[str, Payee]") -> dict[str, Any]:
    """The stable shape of a dispute; times in whole ms, `closing` null while it is open.

    `paid` says by holder id who was paid.
    """
    closing = dispute.closing
    payee = paid.get(closing.holder_id or "") if closing else None
    return {
        "id": dispute.id,
        "state": _state(dispute),
        "entry_id": dispute.entry_key,
        "line": dispute.line,
        "amount_micro": dispute.amount_micro,
        "occurrence_id": dispute.occurrence_id,
        "claimant_id": dispute.claimant_id,
        "ground": dispute.ground,
        "opened_by": dispute.opened_by,
        "opened_ms": dispute.opened_us // 1000,
        "closing": closing
        and {
            "outcome": closing.outcome,
            "holder_id": closing.holder_id,
            "author_id": payee and payee.author_id,
            "name": payee and payee.name,
            "note": closing.note,
            "closed_by": closing.closed_by,
            "closed_ms": closing.closed_us // 1000,
        },
    }


def dispute_lines(dispute: "Dispute", paid: "Mapping[str, Payee]") -> Iterator[str]:
    """A dispute for people."""
    yield f"dispute {dispute.id}, {_state(dispute)}"
    yield f"{credits_text(dispute.amount_micro)} of line {dispute.line} of {dispute.entry_key}"
    claimant = f", claimed by {dispute.claimant_id}" if dispute.claimant_id else ""
    yield f"opened by {dispute.opened_by}{claimant}: {dispute.ground}"
    if dispute.occurrence_id is not None and dispute.closing is None:
        yield f"later money for occurrence {dispute.occurrence_id} is kept back"
    if closing := dispute.closing:
        where = f"on to {_called(paid[closing.holder_id])}" if closing.holder_id else "back"
        yield f"closed by {closing.closed_by}, the money went {where}: {closing.note}"


def _called(payee: "Payee") -> str:
    author = f"author {payee.author_id}, " if payee.author_id else ""
    return f"{payee.name or '(erased)'} ({author}holder {payee.holder_id})"


def _state(dispute: "Dispute") -> str:
    return "closed" if dispute.closing else "open"
