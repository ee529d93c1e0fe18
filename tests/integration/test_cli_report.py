"""`haozhi report` and `haozhi period` as people and scripts use them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from haozhi.cli import app
from store.database import upgrade
from store.engine import Engine, make_engine, write
from store.errors import BadInput, HaozhiError, NotFound
from store.people import add_author
from tests.closed_books import close
from tests.signed_books import intruder
from tests.stored_books import Corpus, add_corpus, grant, settle


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Engine, Corpus]:
    """A closed period of three answers, an author called verify, and an open period."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    engine = make_engine(f"sqlite:///{tmp_path}/haozhi.db")
    upgrade(engine)
    corpus = add_corpus(engine)
    with write(engine) as s:
        grant(s, corpus, "press", 250_000)
        add_author(s, "verify", "test")
    for number in range(3):
        settle(engine, corpus, number)
    close(engine, tmp_path)
    return engine, corpus


def haozhi(*arguments: str) -> Result:
    """What a command prints."""
    return CliRunner().invoke(app, arguments)


def printed(*arguments: str) -> dict[str, Any]:
    """The JSON of a command that succeeds."""
    done = haozhi(*arguments, "--json")
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_report_is_shown_with_and_without_its_verb(books: tuple[Engine, Corpus]) -> None:
    """`haozhi report A` is `haozhi report show A`, options before or after; verbs stay verbs."""
    shown = printed("report", "show", "A", "--period", "1")
    assert printed("report", "A", "--period", "1") == shown
    assert printed("report", "--period", "1", "A") == shown
    assert printed("report", books[1].a, "--period", "1") == shown
    assert shown["author"] == {"id": books[1].a, "name": "A"}
    assert (shown["status"], shown["earned_micro"], shown["line_count"]) == ("final", 9000, 3)
    assert printed("report", "show", "verify")["author"]["name"] == "verify"
    assert "Missing argument" in haozhi("report", "verify").output
    assert printed("report", "Press", "--period", "1")["holder"]["label"] == "Press"
    assert isinstance(haozhi("report", "Nobody").exception, NotFound)


def test_a_report_for_people_shows_the_whole_equation(books: tuple[Engine, Corpus]) -> None:
    """From opening over every column to closing, and how closing divides."""
    text = haozhi("report", "A", "--period", "1").output
    assert text.startswith(f"Credit report of A ({books[1].a})\nperiod 1, CLOSED, final\n")
    words = ["opening", "+ earned", "- adjustments", "- deductions", "- recouped", "- disputed"]
    words += ["+ released", "- paid", "= closing", "payable", "carried forward", "held"]
    places = [text.index(f" {word} ") for word in words]
    assert places == sorted(places)
    assert "= closing                     0.009000" in text
    assert text.count("  answer answer-") == 3


def test_a_report_is_in_the_language_of_the_name_that_asks_for_it(
    books: tuple[Engine, Corpus],
) -> None:
    """As an answer is in that of its question; an option chooses, and JSON stays the same."""
    with write(books[0]) as s:
        add_author(s, "苏禾", "test")
    text = haozhi("report", "A", "--period", "1", "--language", "zh").output
    assert text.startswith(f"A的收益报告（{books[1].a}）\n第 1 期，已结期，最终\n")
    assert "= 期末余额                    0.009000" in text
    assert "  0.003000  份额   30.00 %  陈述 1  答案 answer-" in text
    assert haozhi("report", "苏禾").output.startswith("苏禾的收益报告")
    assert haozhi("report", "苏禾", "--language", "en").output.startswith("Credit report of 苏禾")
    assert printed("report", "A", "--language", "zh") == printed("report", "A")


@pytest.mark.usefixtures("books")
def test_periods_are_shown_and_closed() -> None:
    """An empty period is closed only by its id; a closed one says so again."""
    assert [p["state"] for p in printed("period", "show")["periods"]] == ["CLOSED", "OPEN"]
    assert "by Ada" in haozhi("period", "show").output
    assert isinstance(haozhi("period", "close", "--by", "Bo").exception, BadInput)
    assert isinstance(haozhi("period", "close", "--by", " ", "--period", "2").exception, BadInput)
    closed = printed("period", "close", "--by", "Bo", "--period", "2")
    assert (closed["period_id"], closed["closed_by"], closed["reports"]) == (2, "Bo", 3)
    assert closed["checkpoint"].count("— haozhi/") == 1
    assert printed("period", "close", "--by", "Cy", "--period", "2") == closed
    assert isinstance(haozhi("period", "close", "--by", "Bo", "--period", "9").exception, NotFound)


@pytest.mark.usefixtures("books")
def test_an_export_verifies_offline_and_is_the_same_again(tmp_path: Path) -> None:
    """Every file, the proof among them; without the database, and by what it brings itself."""
    first, again = tmp_path / "first", tmp_path / "again"
    done = printed("report", "export", "A", "--period", "1", "--out", str(first))
    assert done["files"] == [
        "checkpoint", "earned.svg", "key", "lines.csv", "lines.jsonl", "proof.json", "prov.json",
        "report.json", "shares.svg", "uncredited.csv", "verify.py", "waterfall.svg",
    ]  # fmt: skip
    assert (done["failed"], done["left_out"]) == ([], [])
    haozhi("report", "export", "A", "--period", "1", "--out", str(again), "--language", "zh")
    for name in {*done["files"]} - {"earned.svg", "shares.svg", "waterfall.svg"}:
        assert (first / name).read_bytes() == (again / name).read_bytes()
    (tmp_path / "haozhi.db").unlink()
    verified = printed("report", "verify", str(first))
    assert verified["whole"]
    assert verified["unchecked"] == [
        "earned.svg", "lines.csv", "prov.json", "shares.svg", "uncredited.csv", "verify.py",
        "waterfall.svg",
    ]  # fmt: skip
    assert (
        "not checked, for report.json and lines.jsonl are what is proven: earned.svg, lines.csv"
        in haozhi("report", "verify", str(first)).stdout
    )
    command = [sys.executable, str(first / "verify.py"), str(first)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    lines = (first / "lines.jsonl").read_text("utf-8")
    (first / "lines.jsonl").write_text(lines.replace('"3000"', '"3001"', 1), "utf-8")
    refused = haozhi("report", "verify", str(first))
    assert (refused.exit_code, "FAILED" in refused.stdout) == (1, True)


def test_only_an_export_with_a_proof_is_verified(
    books: tuple[Engine, Corpus], tmp_path: Path
) -> None:
    """Another folder, an open period's export or no --trust that can be read: one line, exit 4."""
    settle(*books, 9)
    proven, unsigned, empty = tmp_path / "proven", tmp_path / "unsigned", tmp_path / "empty"
    empty.mkdir()
    haozhi("report", "export", "A", "--period", "1", "--out", str(proven))
    haozhi("report", "export", "A", "--out", str(unsigned))
    for arguments, said in (
        ([tmp_path / "none"], "no folder"),
        ([empty], "no report.json, lines.jsonl, checkpoint, proof.json, key: give the folder"),
        ([unsigned], "no checkpoint, proof.json, key: give the folder"),
        ([proven, "--trust", empty], "no key, checkpoint, report.json: give the folder"),
    ):
        error = haozhi("report", "verify", *map(str, arguments)).exception
        assert isinstance(error, BadInput)
        assert said in str(error)
    assert haozhi("report", "verify", str(proven), "--trust", str(proven)).exit_code == 0


def test_an_export_of_an_open_period_has_no_proof_and_says_so(
    books: tuple[Engine, Corpus], tmp_path: Path
) -> None:
    """What is not signed yet is written as it stands."""
    engine, corpus = books
    settle(engine, corpus, 9)
    done = printed("report", "export", "A", "--out", str(tmp_path / "out"))
    assert "proof.json" not in done["files"]
    assert done["left_out"] == ["proof: it comes with the checkpoint that closes the period"]
    assert (tmp_path / "out" / "lines.csv").read_bytes().count(b"\r\n") == 2
    assert printed("report", "uncredited", "A")["uncredited"]["not_supporting"] == 0


@pytest.mark.usefixtures("books")
def test_an_export_of_a_closed_period_promises_no_proof_that_will_not_come(tmp_path: Path) -> None:
    """Who earned nothing in a closed period is told that no report was signed."""
    done = printed("report", "export", "verify", "--period", "1", "--out", str(tmp_path / "out"))
    assert "no report of this holder was signed" in done["left_out"][0]


def test_an_export_needs_a_new_folder_and_leaves_none_half_written(
    books: tuple[Engine, Corpus], tmp_path: Path
) -> None:
    """A folder with something in it, an unknown name, and damaged reports write nothing."""
    full, new = tmp_path / "full", tmp_path / "new"
    full.mkdir()
    (full / "mine.txt").write_text("x")
    export = ("report", "export", "A", "--period", "1", "--out")
    assert isinstance(haozhi(*export, str(full)).exception, BadInput)
    assert isinstance(haozhi("report", "export", "Nobody", "--out", str(new)).exception, NotFound)
    with intruder(books[0]) as connection:
        connection.execute("UPDATE credit_reports SET line_count = 9")
    damaged = haozhi(*export, str(new)).exception
    assert isinstance(damaged, HaozhiError)
    assert damaged.exit_code == 1
    assert [path.name for path in full.iterdir()] == ["mine.txt"]
    assert not new.exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_changed_entry_fails_the_export_of_its_report(
    books: tuple[Engine, Corpus], tmp_path: Path
) -> None:
    """The folder is written and shows it; the command ends with 1."""
    with intruder(books[0]) as connection:
        connection.execute("UPDATE transfers SET share_ppb = 1 WHERE id = 65536")
    out = tmp_path / "out"
    done = haozhi("report", "export", "A", "--period", "1", "--out", str(out), "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["failed"]
    assert (out / "proof.json").exists()
