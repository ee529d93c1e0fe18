"""An author's offline verification sees every change of what was signed, whoever made it."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from haozhi.accounting.settle import check_ledger
from haozhi.proofs.export import verify_folder
from haozhi.proofs.notes import HistoryChanged
from store.acts import RECORDED, record
from store.chain import entry_body, entry_hash
from store.checkpoints import DamagedEntry, entry_leaves, list_checkpoints
from store.database import upgrade
from store.engine import Engine, Session, make_engine, read, write
from store.errors import BadInput, HaozhiError
from store.ledger import get_entry
from store.ledger.reading import load_entries
from store.schema import Base, EntryRow
from tests.signed_books import SignedBooks, export, forge, intruder, make_books, sign_period
from tests.stored_books import account_of, settle

FIXED = random.Random(4)
#: Every column of a booked row and of an act.
COLUMNS = [
    (table, column.name)
    for table in ("acts", "entries", "entry_seals", "transfers")
    for column in Base.metadata.tables[table].columns
]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedBooks]:
    """Three signed periods of five answers each; read only."""
    folder = tmp_path_factory.mktemp("signed")
    engine = make_engine(f"sqlite:///{folder / 'haozhi.db'}")
    upgrade(engine)
    books = make_books(engine, folder, periods=3, answers=5)
    engine.dispose()  # all of it is in the one file now, which tests copy
    yield books
    engine.dispose()


@pytest.fixture
def books(signed: SignedBooks, tmp_path: Path) -> Iterator[SignedBooks]:
    """A copy of the signed books of one's own."""
    copy = copy_of(signed, tmp_path / "books.db")
    yield copy
    copy.engine.dispose()


@pytest.fixture
def exported(signed: SignedBooks, tmp_path: Path) -> Path:
    """A's export of period 3."""
    assert export(signed, tmp_path / "export", 3) == ()
    return tmp_path / "export"


def test_every_period_can_be_verified_offline(engine: Engine, tmp_path: Path) -> None:
    """Exports of all periods verify on both databases, each with the one before as its anchor."""
    books = make_books(engine, tmp_path / "data", periods=3, answers=2)
    folders = [tmp_path / f"period-{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(folders, start=1):
        assert export(books, folder, number) == ()
    for earlier, later in pairwise(folders):
        assert verify_folder(later, earlier) == ()
        assert verify_folder(earlier, later) != ()  # what is to come is no part of it


def test_a_period_without_entries_is_signed_too(sqlite_engine: Engine, tmp_path: Path) -> None:
    """An empty tree before the first entry, later the same tree twice, all of it verifiable."""
    books = make_books(sqlite_engine, tmp_path / "data", periods=1, answers=0)
    settle(sqlite_engine, books.corpus, 1)
    for period_id in (2, 3):
        sign_period(books, period_id)
        assert export(books, tmp_path / f"period-{period_id}", period_id) == ()


def test_the_shipped_verifier_runs_alone(exported: Path, tmp_path: Path) -> None:
    """verify.py needs nothing of haozhi, has under 150 lines, and says what it checked."""
    script = exported / "verify.py"
    assert len(script.read_text("utf-8").splitlines()) < 150
    assert "haozhi" not in {line.split()[1] for line in imports(script)}
    done = verified(exported)
    assert done.returncode == 0
    assert [line[:2] for line in done.stdout.splitlines()] == ["ok"] * 5
    key = tmp_path / "key"
    shutil.copy(exported / "key", key)
    assert verified(exported, "--trust", str(key)).returncode == 0
    (exported / "report.json").write_bytes(b"{}")
    done = verified(exported)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("FAILED")


def imports(script: Path) -> list[str]:
    """The import lines of a script."""
    lines = script.read_text("utf-8").splitlines()
    return [line for line in lines if line.startswith(("import ", "from "))]


def verified(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """The shipped script, run where haozhi cannot be imported from the working folder."""
    command = [sys.executable, "-I", str(folder / "verify.py"), str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize("name", ["report.json", "lines.jsonl", "checkpoint", "key"])
def test_any_changed_byte_of_an_exported_file_is_found(exported: Path, name: str) -> None:
    """One bit anywhere in what was signed, or in the key, and the verification fails."""
    whole = (exported / name).read_bytes()
    for _ in range(25):
        at = FIXED.randrange(len(whole.rstrip()))
        changed = bytearray(whole)
        changed[at] ^= 1 << FIXED.randrange(7)
        (exported / name).write_bytes(changed)
        found = verify_folder(exported)
        assert found or is_same_key(name, whole, bytes(changed)), (at, bytes(changed))
    (exported / name).unlink()
    assert verify_folder(exported)


def is_same_key(name: str, whole: bytes, changed: bytes) -> bool:
    """Whether only the short id in the middle of a verifier key differs; it says nothing more."""
    parts = zip(whole.split(b"+", 2), changed.split(b"+", 2), strict=False)
    return name == "key" and [a == b for a, b in parts][::2] == [True, True]


@pytest.mark.parametrize(
    "change",
    [
        lambda proof: proof["earlier"].pop(0),
        lambda proof: proof["earlier"].clear(),
        lambda proof: proof["consistency"].pop(),
        lambda proof: proof["consistency"].reverse(),
        lambda proof: proof["acts"].pop(),
        lambda proof: proof["acts"].reverse(),
        lambda proof: proof["report"].append(proof["report"][0]),
        lambda proof: proof["entries"].pop(),
        lambda proof: proof["entries"].reverse(),
        lambda proof: proof.update(index=str(1 - int(proof["index"]))),
        lambda proof: proof.update(index="-1"),
        lambda proof: proof.update(salt="00" * 32),
        lambda proof: proof.update(damaged=["answer:1:dist:1"]),
        lambda proof: proof.pop("damaged"),
    ],
)
def test_no_part_of_a_proof_can_be_left_out(
    exported: Path, change: Callable[[Any], object]
) -> None:
    """A proof that lacks, repeats or exchanges something proves nothing."""
    proof = json.loads((exported / "proof.json").read_bytes())
    change(proof)
    (exported / "proof.json").write_text(json.dumps(proof), "utf-8")
    assert verify_folder(exported)


def flipped(value: Any) -> Any:
    """The value with one bit changed."""
    if value is None:
        return 1
    if isinstance(value, int):
        return value ^ 1 << FIXED.randrange(12)
    at = FIXED.randrange(len(value))
    return value[:at] + chr(ord(value[at]) ^ 1 << FIXED.randrange(5)) + value[at + 1 :]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_changed_column_of_a_booked_row_fails_a_later_verification(
    signed: SignedBooks, tmp_path: Path, table: str, column: str
) -> None:
    """A bit of any row of periods 1 to 3, and A's export of period 3 does not verify."""
    # What closed period 3 is an act after its checkpoint.
    signed_acts = "WHERE seq <= (SELECT max(acts_size) FROM checkpoints)"
    some = signed_acts if table == "acts" else ""
    for attempt in range(5):
        books = copy_of(signed, tmp_path / f"{attempt}.db")
        with intruder(books.engine) as connection:
            rows = connection.execute(f'SELECT rowid, "{column}" FROM {table} {some}').fetchall()
            row, value = FIXED.choice(rows)
            change = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?'
            try:
                connection.execute(change, (flipped(value), row))
            except sqlite3.IntegrityError:
                continue  # another row has this number
        assert export(books, tmp_path / f"export-{attempt}", 3), (row, value)
        books.engine.dispose()


def test_a_deleted_entry_fails_a_later_verification(books: SignedBooks, tmp_path: Path) -> None:
    """An entry that vanished is missed at its place in the tree."""
    with intruder(books.engine) as connection:
        connection.execute("DELETE FROM transfers WHERE entry_seq = 2")
        connection.execute("DELETE FROM entries WHERE seq = 2")
    assert "entries up to period 1 changed" in export(books, tmp_path / "export", 3)[0]


def rewrite(books: SignedBooks) -> None:
    """Give B a thousandth more of entry 2 and A less; balances and all later hashes follow."""
    with read(books.engine) as s:
        a, b = account_of(s, books.corpus.a), account_of(s, books.corpus.b)
        key = get_entry(s, "answer:answer-1001:dist:1").key
    with intruder(books.engine) as connection:
        moved = "UPDATE transfers SET amount_micro = amount_micro + ? WHERE entry_seq = 2 AND"
        moved += " credit_account_id = (SELECT id FROM accounts WHERE code = ?)"
        totals = "UPDATE account_totals SET in_micro = in_micro + ? WHERE period_id = 1"
        totals += " AND account_id = (SELECT id FROM accounts WHERE code = ?)"
        for account, amount in ((a, -10), (b, 10)):
            connection.execute(moved, (amount, account))
            connection.execute(totals, (amount, account))
        connection.commit()
        with read(books.engine) as s:
            hashes = rehashed(s, key)
        for seq, (before, own) in hashes.items():  # out of the way of unique hashes first
            connection.execute(
                "UPDATE entries SET prev_hash = ?, hash = ? WHERE seq = ?",
                (f"-{before}", f"-{own}", seq),
            )
        for seq, each in hashes.items():
            connection.execute(
                "UPDATE entries SET prev_hash = ?, hash = ? WHERE seq = ?", (*each, seq)
            )


def rehashed(s: Session, key: str) -> dict[int, tuple[str, str]]:
    """The previous hash and the hash of this entry and all later ones, as their rows call for."""
    entry = get_entry(s, key)
    found, before = {}, entry.prev_hash
    for each in load_entries(s, EntryRow.seq >= entry.seq):
        own = entry_hash(before, entry_body(each))
        found[each.seq] = (before, own)
        before = own
    return found


def test_a_rewritten_past_fails_a_later_verification(books: SignedBooks, tmp_path: Path) -> None:
    """A row, both balances and every later hash changed consistently: the chain is whole, the
    checkpoints are not of these entries.
    """
    rewrite(books)
    with read(books.engine) as s:
        assert len(tuple(entry_leaves(s, 15))) == 15  # nothing is damaged
    assert "entries up to period 1 changed" in export(books, tmp_path / "export", 3)[0]
    assert export(books, tmp_path / "first", 1)  # their own period shows it as well


def rewrite_acts(books: SignedBooks) -> None:
    """Say that policy 1 is as old as the world; all later hashes of acts follow."""
    with intruder(books.engine) as connection:
        connection.execute("UPDATE policies SET created_us = 1")
        order = connection.execute("SELECT table_name, row_key FROM acts ORDER BY seq").fetchall()
        connection.execute("DELETE FROM acts")
    rows = {row.__tablename__: row for row in RECORDED}
    with write(books.engine) as s:
        for table, key in order:
            record(s, rows[table], [json.loads(key)])


def test_a_rewritten_act_fails_a_later_verification(books: SignedBooks, tmp_path: Path) -> None:
    """No row contradicts its hash, and yet the checkpoints are not of these acts."""
    rewrite_acts(books)
    with read(books.engine) as s:
        assert {found.code for found in check_ledger(s)} == {"checkpoint_differs"}
    assert "acts up to period 1 changed" in export(books, tmp_path / "export", 3)[0]
    assert "not those that were signed" in export(books, tmp_path / "first", 1)[0]
    settle(books.engine, books.corpus, 4000)
    with pytest.raises(HistoryChanged, match="acts up to period 3"):
        sign_period(books, 4)


def test_a_lost_act_is_not_signed(books: SignedBooks, tmp_path: Path) -> None:
    """The close names the act whose row is gone, and so does the next export."""
    with intruder(books.engine) as connection:
        connection.execute("DELETE FROM audits WHERE period_id = 1")
    with pytest.raises(DamagedEntry, match=r"act audits \[1,.*its row is not there"):
        sign_period(books, 4)
    assert "acts up to period" in export(books, tmp_path / "export", 3)[0]


def test_a_ledger_does_not_sign_a_rewritten_past(books: SignedBooks) -> None:
    """The close of the next period refuses: a ledger never signs two histories."""
    rewrite(books)
    settle(books.engine, books.corpus, 4000)
    with pytest.raises(HistoryChanged, match="up to period 3"):
        sign_period(books, 4)
    with read(books.engine) as s:
        assert len(list_checkpoints(s)) == 3


def test_a_ledger_does_not_sign_damaged_rows(books: SignedBooks) -> None:
    """The close names the entry whose rows are not what was posted."""
    with intruder(books.engine) as connection:
        connection.execute("UPDATE transfers SET amount_micro = amount_micro + 1 WHERE id = 65537")
    with pytest.raises(DamagedEntry, match=r"entry answer:answer-\d+:dist:1: its rows"):
        sign_period(books, 4)


def test_a_new_signature_over_a_rewritten_past_is_found(books: SignedBooks, tmp_path: Path) -> None:
    """Who has the key can sign period 3 again, but not make it follow what was signed before."""
    rewrite(books)
    assert "entries up to period 1 changed" in forge(books, tmp_path / "a", first_period=3)[0]


def test_who_signs_all_of_history_again_meets_an_earlier_export(
    books: SignedBooks, tmp_path: Path
) -> None:
    """Even a whole new history is found by an author who kept an export of the old one."""
    assert export(books, tmp_path / "kept", 1) == ()
    rewrite(books)
    assert forge(books, tmp_path / "new", first_period=1) == ()  # by itself it is whole
    found = verify_folder(tmp_path / "new", tmp_path / "kept")
    assert "not in this history" in found[0]


def test_a_key_of_somebody_else_is_not_trusted(
    exported: Path, tmp_path: Path, sqlite_engine: Engine
) -> None:
    """A whole export of another ledger is refused by who trusts this one."""
    other = make_books(sqlite_engine, tmp_path / "other", periods=1, answers=1)
    assert export(other, tmp_path / "theirs", 1) == ()
    assert verify_folder(tmp_path / "theirs", exported / "key")
    assert verify_folder(exported, tmp_path / "theirs")


def test_a_report_opens_with_what_the_one_before_closed(
    signed: SignedBooks, exported: Path, tmp_path: Path
) -> None:
    """Money that vanished between two periods is seen by who has both exports."""
    assert export(signed, tmp_path / "before", 2) == ()
    report = json.loads((tmp_path / "before" / "report.json").read_bytes())
    report["closing_micro"] = str(int(report["closing_micro"]) + 1)
    (tmp_path / "before" / "report.json").write_text(json.dumps(report), "utf-8")
    assert "opening is not closing before" in verify_folder(exported, tmp_path / "before")[0]


def test_an_export_is_written_whole_into_a_new_folder(
    signed: SignedBooks, exported: Path, tmp_path: Path
) -> None:
    """A folder with something in it is left alone; the same export has the same bytes."""
    with pytest.raises(BadInput, match="not empty"):
        export(signed, exported, 3)
    assert export(signed, tmp_path / "again", 3) == ()
    for file in exported.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_a_changed_checkpoint_row_is_named(books: SignedBooks, tmp_path: Path) -> None:
    """A stored note that was not signed is no history; the export says which one it is."""
    with intruder(books.engine) as connection:
        connection.execute("UPDATE checkpoints SET note = replace(note, 'audit 4', 'audit 9')")
    with pytest.raises(HaozhiError, match="checkpoint of period 1"):
        export(books, tmp_path / "export", 3)


def copy_of(books: SignedBooks, path: Path) -> SignedBooks:
    """The books in another file."""
    engine = make_engine(f"sqlite:///{shutil.copy(str(books.engine.url.database), path)}")
    return replace(books, engine=engine)
