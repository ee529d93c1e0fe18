"""`haozhi receipt`: what a ledger promised about an answer, and whether the promise was kept."""

from pathlib import Path
from typing import Annotated, Any

import typer

from haozhi.cli.opened import opened
from haozhi.cli.options import AnswerArgument
from haozhi.cli.output import JsonOption, say, show, working
from haozhi.credits import credits_text

commands = typer.Typer(no_args_is_help=True, help="Show, prove and verify receipts of answers.")
ReceiptFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The JSON of `haozhi receipt show --json`.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="receipt")


@commands.command("show")
def show_(
    answer_id: AnswerArgument,
    as_json: JsonOption = False,
) -> None:
    """Print the signed receipt of a paid answer; keep its JSON to hold the ledger to it."""
    from haozhi.proofs.keys import ledger_key
    from haozhi.proofs.receipts import receipt_of
    from store.engine import read

    app = opened()
    key = ledger_key(app.engine, app.settings.data_dir)
    with read(app.engine) as session:
        receipt = receipt_of(session, key, answer_id)
    shares = (
        f"{int(share['share_ppb']) / 10**7:6.2f} %  statement {share['statement_id']}"
        f"  author {share['author_id'] or 'unknown'}"
        for share in receipt["shares"]
    )
    lines = (
        f"Receipt of {receipt['ledger']} for answer {receipt['answer_id']}",
        f"{credits_text(int(receipt['fee_micro']))} credits, entry {receipt['entry_seq']}",
        *shares,
        f"{int(receipt['unattributed_ppb']) / 10**7:6.2f} %  unattributed",
        f"promise: {receipt['promise']}",
        f"entry hash {receipt['entry_hash']}",
        f"signature {receipt['signature']}",
    )
    show(receipt, lines, as_json=as_json)


@commands.command()
def prove(
    file: ReceiptFile,
    out: Annotated[
        Path | None, typer.Option(help="Where to write the proof; default: FILE.tlog-proof.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask this ledger for the proof that a receipt's promise was kept; exit 1 if it was not."""
    from haozhi.proofs.receipts import prove as prove_receipt
    from haozhi.proofs.receipts import verify_receipt
    from store.engine import read

    receipt = _receipt(file)
    app = opened()
    with working("reading every entry"), read(app.engine) as session:
        proof = prove_receipt(session, receipt)
    out = out or file.with_name(f"{file.name}.tlog-proof")
    _write(out, proof)
    found = verify_receipt(receipt, proof=proof)
    result = {"state": found.state, "words": found.words, "proof": str(out)}
    show(result, [found.words, f"written: {out}"], as_json=as_json)
    if not found.is_good:
        raise typer.Exit(1)


@commands.command()
def verify(
    file: ReceiptFile,
    proof: Annotated[
        Path | None, typer.Option(help="A proof as `haozhi receipt prove` writes it.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A checkpoint that the ledger gave no proof for.")
    ] = None,
    trust: Annotated[
        Path | None, typer.Option(help="A file with the ledger's verifier key, from elsewhere.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a receipt offline, with a proof or a checkpoint; exit 1 on an omission or a forgery."""
    from haozhi.proofs.receipts import verify_receipt

    found = verify_receipt(
        _receipt(file),
        proof=None if proof is None else _text(proof),
        checkpoint_note=None if checkpoint is None else _text(checkpoint),
        trust=None if trust is None else _text(trust),
    )
    show({"state": found.state, "words": found.words}, [found.words], as_json=as_json)
    if trust is None:
        say("the key was not compared with one that you trust: see --trust")
    if not found.is_good:
        raise typer.Exit(1)


def _receipt(file: Path) -> dict[str, Any]:
    import json

    from store.errors import BadInput

    try:
        receipt = json.loads(_text(file))
    except ValueError as error:
        raise BadInput(f"{file} is no receipt: {error}") from error
    if not isinstance(receipt, dict):
        raise BadInput(f"{file} is no receipt: it is no JSON object")
    return receipt


def _text(file: Path) -> str:
    from store.errors import BadInput

    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadInput(f"{file} cannot be read: {error}") from error


def _write(file: Path, text: str) -> None:
    from store.errors import StoreReadOnly

    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise StoreReadOnly(f"{file} cannot be written: {error.strerror}") from error
