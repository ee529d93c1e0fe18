"""`haozhi policy`: rules shown in words, changes shown before they act, errors in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from haozhi.cli import app
from store.errors import BadInput, HaozhiError, NotFound


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder that the settings name."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_FEE_MICRO", raising=False)
    return tmp_path


@pytest.fixture
def change(data_dir: Path) -> Path:
    """A file that changes a number, an optional field and a table."""
    file = data_dir / "change.toml"
    file.write_text(
        "platform_ppm = 100000\ncommon_authors = 5\n[withholding_ppm]\nnone = 0\nresident = 2\n"
    )
    return file


def _run(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["policy", *map(str, arguments)], catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def _json(*arguments: object) -> dict[str, Any]:
    out = _run(*arguments, "--json")
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_rules_are_shown_with_what_they_do_and_may_be() -> None:
    """Each field has its value, what it does and what it may be; JSON has the body."""
    text = _run("show")
    assert text.startswith("policy 1, which haozhi came with\n")
    assert "\nplatform_ppm = 0\n    part of the fee that is the platform's" in text
    assert "(0..1000000)" in text
    assert "\npayout_minor_per_credit = CNY = 100, EUR = 12, USD = 14\n" in text
    shown = _json("show", 1)
    assert (shown["version"], shown["proposed_by"], shown["approved_by"]) == (1, None, None)
    assert (shown["body"]["fee_micro"], shown["fee_override_micro"]) == (1_000_000, None)


def test_an_overridden_fee_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the instance's settings charge another fee, the policy does not hide it."""
    monkeypatch.setenv("HAOZHI_FEE_MICRO", "5")
    assert _run("show").endswith("HAOZHI_FEE_MICRO is set: here an answer costs 5\n")
    assert _json("show")["fee_override_micro"] == 5


def test_a_change_goes_through_two_admins(change: Path) -> None:
    """Propose shows the change and the next step; approve puts it in force; both are listed."""
    assert _run("proposals") == "no policy was proposed yet\n"
    assert _run("propose", change, "--by", "安") == (
        "proposal 1 by 安, open; in policy 1 it changes\n"
        "    platform_ppm: 0 -> 100000\n"
        "    common_authors: none -> 5\n"
        "    withholding_ppm.resident: none -> 2\n"
        "another admin approves it with: haozhi policy approve 1 --by NAME\n"
    )
    (listed,) = _json("proposals")["proposals"]
    assert (listed["id"], listed["state"], listed["version"]) == (1, "open", None)
    assert listed["changes"][0] == {"name": "platform_ppm", "before": 0, "after": 100_000}
    assert _run("approve", 1, "--by", "Bob").endswith("\npolicy 2 is in force\n")
    (approved,) = _json("proposals")["proposals"]
    assert (approved["state"], approved["base"], approved["version"]) == ("approved", 1, 2)
    assert _run("show").startswith("policy 2, proposed by 安, approved by Bob\n")
    assert _json("show")["body"]["withholding_ppm"] == {"none": 0, "resident": 2}


@pytest.mark.parametrize(
    ("arguments", "expected", "message"),
    [
        (("show", "7"), NotFound, "there is no policy 7"),
        (("approve", "7", "--by", "Bob"), NotFound, "there is no policy proposal 7"),
        (("propose", "no.toml", "--by", "Ann"), BadInput, "no.toml: No such file"),
        (("propose", "{change}", "--by", " "), BadInput, "must be a name of 1 to 200"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    change: Path, arguments: tuple[str, ...], expected: type[HaozhiError], message: str
) -> None:
    """A wrong version, proposal, file or name is an expected error that says so."""
    filled = [each.format(change=change) for each in arguments]
    done = CliRunner().invoke(app, ["policy", *filled])
    assert isinstance(done.exception, expected)
    assert message in str(done.exception)
