"""`haozhi ledger`: check the books, look at an entry or a balance, take an entry back."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import ByOption
from haozhi.cli.output import JsonOption, show, working
from haozhi.credits import credits_text
from store.errors import BadInput

if TYPE_CHECKING:
    from haozhi.correcting import Corrected
    from store.records.ledger import Entry

commands = typer.Typer(no_args_is_help=True, help="Check the books, read them, correct an entry.")
KeyArgument = Annotated[
    str, typer.Argument(metavar="ENTRY", help="The id of an entry, as reports show it.")
]
NoteOption = Annotated[str, typer.Option(metavar="TEXT", help="Why; it is kept in the books.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="ledger")


@commands.command()
def check(as_json: JsonOption = False) -> None:
    """Recompute every entry, balance and hash from the rows; exit 1 if something differs."""
    from haozhi.accounting.settle import check_ledger

    with reading() as session:
        differences = check_ledger(session)
    lines = [f"{d.code} {d.subject}: {d.message}" for d in differences]
    result = {"differences": [dict(vars(d)) for d in differences]}
    show(result, lines or ["the books are whole"], as_json=as_json)
    if differences:
        raise typer.Exit(1)


@commands.command()
def settle(as_json: JsonOption = False) -> None:
    """Finish every answer whose final shares and entry are missing, after a crash for instance."""
    from haozhi.settling import settle_all

    app = opened()
    with working("settling"):
        settled = settle_all(app)
    lines = [f"settled {answer_id}" for answer_id in settled] or ["nothing to settle"]
    show({"settled": list(settled)}, lines, as_json=as_json)


@commands.command("show")
def show_(key: KeyArgument, as_json: JsonOption = False) -> None:
    """Show an entry line by line, and what remains of each line."""
    from store import ledger

    with reading() as session:
        entry, left = ledger.get_entry(session, key), ledger.remaining(session, key)
    show(entry_json(entry, left), entry_lines(entry, left), as_json=as_json)


@commands.command()
def reverse(key: KeyArgument, by: ByOption, note: NoteOption, as_json: JsonOption = False) -> None:
    """Take an entry back: all that remains of it goes where it came from."""
    from haozhi.correcting import reverse_entry

    done = reverse_entry(opened().engine, key, by=by, note=note)
    _show_correction(done, as_json=as_json)


@commands.command()
def refund(
    key: KeyArgument,
    amount: Annotated[str, typer.Argument(metavar="CREDITS", help="How much, such as 0.25.")],
    name: Annotated[str, typer.Option(help="A word for this refund; again, it is the same one.")],
    by: ByOption,
    note: NoteOption,
    as_json: JsonOption = False,
) -> None:
    """Give a part of an entry back, from each line by what remains of it."""
    from haozhi.correcting import refund_entry

    micro = micro_of(amount)
    engine = opened().engine
    done = refund_entry(engine, key, micro, name=name, by=by, note=note)
    _show_correction(done, as_json=as_json)


@commands.command()
def balance(
    account: Annotated[str, typer.Argument(help="Such as holder:ID or reserve:unattributed.")],
    as_json: JsonOption = False,
) -> None:
    """Print what is in an account."""
    from store import ledger

    with reading() as session:
        micro = ledger.balance(session, account)
    show({"account": account, "balance_micro": micro}, [credits_text(micro)], as_json=as_json)


def micro_of(text: str) -> int:
    """Credits as written, in micro-credits. BadInput: no amount above zero, or too exact."""
    try:
        micro = Decimal(text) * 1_000_000
        if 0 < micro < 2**53 and micro == int(micro):
            return int(micro)
    except ArithmeticError:  # no number, or one beyond what Decimal multiplies
        pass
    raise BadInput(f"{text!r} is no amount of credits: write one such as 0.25")


def _show_correction(done: "Corrected", *, as_json: bool) -> None:
    """The entry, and what of the old one it could not reach."""
    waiting = {dispute.id: dispute.amount_micro for dispute in done.waiting}
    lines = (
        f"{credits_text(micro)} waits in dispute {dispute_id} and was not taken back:"
        " once that is closed, refund what came back"
        for dispute_id, micro in waiting.items()
    )
    result = entry_json(done.entry) | {"disputed_micro": waiting}
    show(result, [*entry_lines(done.entry), *lines], as_json=as_json)


def entry_json(entry: "Entry", left: Mapping[int, int] | None = None) -> dict[str, Any]:
    """The stable shape of an entry; `remaining_micro` is null where nothing could be taken back."""
    lines = [
        dict(vars(transfer)) | {"remaining_micro": None if left is None else left[position]}
        for position, transfer in enumerate(entry.transfers)
    ]
    head = {name: value for name, value in vars(entry).items() if name != "transfers"}
    head |= {"entry_id": head.pop("key"), "created_ms": head.pop("created_us") // 1000}
    return head | {"memo": entry.memo and json.loads(entry.memo), "lines": lines}


def entry_lines(entry: "Entry", left: Mapping[int, int] | None = None) -> Iterator[str]:
    """An entry for people."""
    yield f"entry {entry.seq}  {entry.key}"
    yield f"period {entry.period_id}, policy {entry.policy_version}, hash {entry.hash}"
    if changed := entry.reverses or entry.corrects:
        yield f"{'reverses' if entry.reverses else 'corrects'} {changed}"
    if entry.memo:
        yield f"memo {entry.memo}"
    for line, transfer in enumerate(entry.transfers):
        amount = f"{credits_text(transfer.amount_micro):>14}"
        rest = "" if left is None else f"  ({credits_text(left[line])} remain)"
        way = f"{transfer.debit} -> {transfer.credit}  {transfer.reason}"
        yield f"{line:>4}  {amount}  {way}{rest}"
