"""`haozhi payout` and `haozhi payee`, from a payee to a confirmed payment."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from haozhi.cli import payee, payout
from store.engine import Engine, write
from store.errors import BadInput, StoreReadOnly
from store.people import add_author
from tests.payable_books import add_payable
from tests.paying import IBAN

CREDIT = 1_000_000
CONFIG = """
[payout.EUR]
name = "Haozhi Verlag"
account = "FR76 3000 6000 0112 3456 7890 189"
"""


@pytest.fixture
def here(sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """A database in the folder that the command line uses, with settings for EUR."""
    (tmp_path / "haozhi.toml").write_text(CONFIG)
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_DATABASE_URL", raising=False)
    return sqlite_engine


def run(*arguments: str) -> Any:
    """The JSON that a command prints; its failure is raised."""
    app = typer.Typer()
    payee.register(app)
    payout.register(app)
    done = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def test_a_batch_goes_from_payable_to_paid(here: Engine, tmp_path: Path) -> None:
    """create, file, sent, confirm and show say what became of the money."""
    (holder,) = add_payable(here, {"A taxed": 100 * CREDIT})
    created = run("payout", "create", "--currency", "EUR", "--by", "Ann")
    assert created["batch"]["id"] == "eur-1"
    assert created["batch"]["payouts"][0]["net_minor"] == 960
    out = tmp_path / "eur-1.xml"
    ask = ["payout", "file", "eur-1", "--format", "pain001", "--out", str(out)]
    first = run(*ask)
    assert b'<InstdAmt Ccy="EUR">9.60<' in out.read_bytes()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert run(*ask) == first
    run("payout", "sent", "eur-1", "--by", "Ann")
    run("payout", "confirm", "eur-1", holder, "--by", "Bob")
    shown = run("payout", "show", "eur-1")
    assert [(event["state"], event["by"]) for event in shown["events"]] == [
        ("sent", "Ann"),
        ("confirmed", "Bob"),
    ]
    assert shown["files"] == ["pain001"]
    returned = run("payout", "return", "eur-1", holder, "--by", "Ann", "--note", "AC04")
    assert returned["payouts"][0]["state"] == "returned"
    assert [batch["id"] for batch in run("payout", "list")["batches"]] == ["eur-1"]


def test_a_payee_is_set_shown_and_removed(here: Engine) -> None:
    """A payee is found by the author's name."""
    with write(here) as s:
        add_author(s, "王芳", "test")
    given = ["--currency", "EUR", "--name", "Wang Fang", "--account", "de75 5121 0800 1245 1261 99"]
    given += ["--country", "DE", "--tax-class", "none", "--by", "安"]
    stored = run("payee", "set", "王芳", *given)
    assert stored["updated_by"] == "安"
    assert stored["account"] == IBAN
    assert run("payee", "show", "王芳")["payees"] == [stored]
    removed = run("payee", "remove", "王芳", "--by", "Bob")
    assert removed == {"removed": 1, "removed_by": "Bob"}


def test_nothing_to_pay_is_no_failure(here: Engine) -> None:
    """A batch without a payout is not made, and those left out are listed."""
    (holder,) = add_payable(here, {"A": CREDIT // 2})
    created = run("payout", "create", "--currency", "EUR", "--by", "Ann")
    assert created["batch"] is None
    assert created["skipped"] == [
        {"holder_id": holder, "payable_micro": CREDIT // 2, "reason": "below_threshold"}
    ]


def test_a_file_that_cannot_be_written_is_said(here: Engine, tmp_path: Path) -> None:
    """A wrong folder or day is one line; the next call writes what was stored."""
    add_payable(here, {"A": 100 * CREDIT})
    run("payout", "create", "--currency", "EUR", "--by", "Ann")
    ask = ["payout", "file", "eur-1", "--format", "pain001", "--out"]
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        run(*ask, str(tmp_path / "no" / "file.xml"))
    with pytest.raises(BadInput, match="YYYY-MM-DD"):
        run(*ask, str(tmp_path / "file.xml"), "--execute-on", "tomorrow")
    run(*ask, str(tmp_path / "file.xml"))
    assert [path.name for path in tmp_path.glob("file*")] == ["file.xml"]
