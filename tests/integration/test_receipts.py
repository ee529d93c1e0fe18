"""A receipt binds the ledger: with it an asker can prove that an entry was left out or changed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from haozhi.cli import receipt as receipt_commands
from haozhi.cli.receipt import commands
from haozhi.proofs.receipts import prove, receipt_of, verify_receipt
from store.answers import add_answer
from store.checkpoints import DamagedEntry, list_checkpoints
from store.engine import Engine, read, write
from store.errors import BadInput, NotFound
from tests.books import a_refusal
from tests.signed_books import SignedBooks, intruder, make_books, sign_period
from tests.stored_books import settle


@pytest.fixture
def books(sqlite_engine: Engine, tmp_path: Path) -> SignedBooks:
    """One signed period with three answers, and two answers more."""
    books = make_books(sqlite_engine, tmp_path, periods=1, answers=3)
    for number in (2000, 2001):
        settle(sqlite_engine, books.corpus, number)
    return books


def receipt(books: SignedBooks, answer_id: str = "answer-2000") -> dict[str, Any]:
    """The receipt of an answer, as an asker keeps it: through its JSON."""
    with read(books.engine) as s:
        kept: dict[str, Any] = json.loads(json.dumps(receipt_of(s, books.key, answer_id)))
        return kept


def proof(books: SignedBooks, kept: Mapping[str, Any]) -> str:
    """What the ledger says when it is asked for the proof."""
    with read(books.engine) as s:
        return prove(s, kept)


def test_a_receipt_says_what_the_ledger_booked(engine: Engine, tmp_path: Path) -> None:
    """Entry, shares and fee as strings, the same to the byte each time, on both databases."""
    books = make_books(engine, tmp_path, periods=1, answers=1)
    kept = receipt(books, "answer-1000")
    assert kept == receipt(books, "answer-1000")
    assert kept["entry_key"] == "answer:answer-1000:dist:1"
    assert (kept["entry_seq"], kept["fee_micro"]) == ("1", "10000")
    shares = [int(share["share_ppb"]) for share in kept["shares"]]
    assert sum(shares) + int(kept["unattributed_ppb"]) == 10**9
    assert verify_receipt(kept).state == "signed"


def test_a_kept_promise_is_proven(books: SignedBooks) -> None:
    """Too early before the period closes, included afterwards."""
    kept = receipt(books)
    with pytest.raises(NotFound, match="when its period closes"):
        proof(books, kept)
    with read(books.engine) as s:
        note = list_checkpoints(s)[0].note
    assert verify_receipt(kept, checkpoint_note=note).state == "too_early"
    sign_period(books, 2)
    found = verify_receipt(kept, proof=proof(books, kept), trust=books.key.verifier)
    assert (found.state, found.is_good) == ("included", True)


def test_an_entry_that_was_changed_before_the_close_is_an_omission(books: SignedBooks) -> None:
    """Nothing was signed over it yet but the receipt, and that is enough."""
    kept = receipt(books)
    seq = int(kept["entry_seq"])
    with intruder(books.engine) as connection:
        connection.execute(
            "UPDATE entries SET key = 'answer:answer-2000:dist:2' WHERE seq = ?", (seq,)
        )
    rehash(books, seq)
    sign_period(books, 2)
    found = verify_receipt(kept, proof=proof(books, kept))
    assert (found.state, found.is_good) == ("omitted", False)
    assert "your evidence" in found.words


def rehash(books: SignedBooks, first: int) -> None:
    """Make the chain whole again from this entry on."""
    from store.chain import entry_body, entry_hash
    from store.ledger.reading import load_entries
    from store.schema import EntryRow

    with read(books.engine) as s:
        entries = load_entries(s, EntryRow.seq >= first)
    before = entries[0].prev_hash
    with intruder(books.engine) as connection:
        for entry in entries:
            own = entry_hash(before, entry_body(entry))
            change = "UPDATE entries SET prev_hash = ?, hash = ? WHERE seq = ?"
            connection.execute(change, (before, own, entry.seq))
            before = own


def test_a_ledger_that_gives_no_proof_is_held_to_its_checkpoint(books: SignedBooks) -> None:
    """Receipt and a later checkpoint without a proof: an omission until one is shown."""
    kept = receipt(books)
    note = sign_period(books, 2)
    assert verify_receipt(kept, checkpoint_note=note).state == "omitted"


def test_a_proof_of_another_entry_proves_nothing(books: SignedBooks) -> None:
    """The index and the hash of the receipt decide."""
    first, second = receipt(books), receipt(books, "answer-2001")
    sign_period(books, 2)
    assert verify_receipt(first, proof=proof(books, second)).state == "omitted"


@pytest.mark.parametrize("name", ["answer_id", "entry_hash", "fee_micro", "shares", "promise"])
def test_a_changed_receipt_binds_nobody(books: SignedBooks, name: str) -> None:
    """Any other word than what was signed makes it invalid."""
    kept = receipt(books)
    forged = kept | {name: [] if name == "shares" else "00" * 32}
    assert verify_receipt(forged).state == "invalid"
    assert verify_receipt({k: v for k, v in kept.items() if k != "signature"}).state == "invalid"


def test_a_receipt_of_another_ledger_is_not_trusted(books: SignedBooks) -> None:
    """Who names the key to trust is not taken in by a genuine receipt of somebody else."""
    other = books.key.verifier.replace("haozhi/", "haozhi/0")
    assert verify_receipt(receipt(books), trust=other).state == "invalid"


@pytest.mark.parametrize("wrong", [{}, {"version": "haozhi-receipt/1"}, {"version": 1}])
def test_something_else_is_no_receipt(wrong: dict[str, Any]) -> None:
    """One clear line."""
    with pytest.raises(BadInput, match="receipt"):
        verify_receipt(wrong)


def test_a_free_answer_has_no_receipt(books: SignedBooks) -> None:
    """No entry, no promise."""
    with write(books.engine) as s:
        add_answer(s, replace(a_refusal(), id="free", context=()))
    with read(books.engine) as s, pytest.raises(NotFound, match="no ledger entry"):
        receipt_of(s, books.key, "free")


def test_nothing_is_signed_over_damaged_rows(books: SignedBooks) -> None:
    """A receipt would repeat what is not what was posted."""
    with intruder(books.engine) as connection:
        connection.execute("UPDATE transfers SET reason = 'gift' WHERE entry_seq = 4")
    with read(books.engine) as s, pytest.raises(DamagedEntry, match="not what was posted"):
        receipt_of(s, books.key, "answer-2000")


def test_the_commands_show_prove_and_verify(
    books: SignedBooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`receipt show` to a file, `receipt prove` beside it, `receipt verify` anywhere."""
    assert receipt_commands.commands is commands
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    run = CliRunner().invoke
    shown = run(commands, ["show", "answer-2000", "--json"])
    assert shown.exit_code == 0, shown.output
    kept = tmp_path / "receipt.json"
    kept.write_text(shown.stdout, "utf-8")
    assert "unattributed" in run(commands, ["show", "answer-2000"]).stdout
    sign_period(books, 2)
    proven = run(commands, ["prove", str(kept), "--json"])
    assert json.loads(proven.stdout)["state"] == "included"
    arguments = ["verify", str(kept), "--proof", f"{kept}.tlog-proof"]
    assert "includes entry 4" in run(commands, arguments).stdout
    other = tmp_path / "other.json"
    other.write_text(run(commands, ["show", "answer-2001", "--json"]).stdout, "utf-8")
    wrong = run(commands, ["verify", str(other), "--proof", f"{kept}.tlog-proof", "--json"])
    assert (wrong.exit_code, json.loads(wrong.stdout)["state"]) == (1, "omitted")
    missing = run(commands, ["verify", str(tmp_path / "none.json")])
    assert isinstance(missing.exception, BadInput)
