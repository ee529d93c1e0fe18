"""The command line: one clear line for an expected failure, the right exit code, no noise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from haozhi import cli
from haozhi.models import resolve

HAOZHI = Path(sys.executable).with_name("haozhi")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a command with an empty data folder."""
    return {**os.environ, "HAOZHI_DATA_DIR": str(tmp_path / "data")}


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HAOZHI, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["models", "path", "/no/such/folder"], 5, "no model folder /no/such/folder"),
        (["models", "path", "builtin:gpt"], 2, "no builtin model"),
        (["models", "install", "builtin:gpt"], 2, "no builtin model"),
    ],
)
def test_an_expected_failure_is_one_line(
    environment: dict[str, str], arguments: list[str], code: int, said: str
) -> None:
    """What a user can cause is one line on stderr with its exit code, and nothing on stdout."""
    done = _run(environment, *arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


@pytest.mark.parametrize("arguments", [["nothing"], ["db", "check", "--no"], ["ingest"]])
def test_a_wrong_command_is_a_usage_error(
    environment: dict[str, str], arguments: list[str]
) -> None:
    """An unknown command or option, or a missing argument, ends with exit code 2."""
    done = _run(environment, *arguments)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_bad_setting_is_one_line(environment: dict[str, str]) -> None:
    """A setting that cannot be used stops every command with the variable's name."""
    done = _run({**environment, "HAOZHI_TOP_K": "many"}, "db", "check")
    assert done.returncode == 2
    assert done.stderr.startswith("haozhi: HAOZHI_TOP_K")


def test_upgrade_then_check_finds_no_difference(environment: dict[str, str]) -> None:
    """An absent database is a finding with exit code 1; once upgraded it has none."""
    before = _run(environment, "db", "check", "--json")
    assert before.returncode == 1
    assert "haozhi db upgrade" in json.loads(before.stdout)["differences"][0]
    assert _run(environment, "db", "upgrade").returncode == 0
    after = _run(environment, "db", "check", "--json")
    assert (after.returncode, json.loads(after.stdout)) == (0, {"differences": []})


@pytest.mark.usefixtures("model_dir")
def test_installing_what_is_there_only_says_so(environment: dict[str, str]) -> None:
    """`models install` without names means the chosen models, and does nothing twice."""
    done = _run(environment, "models", "install", "--json")
    assert done.returncode == 0
    assert list(json.loads(done.stdout)["installed"]) == [
        "builtin:gemma3-270m",
        "builtin:e5-small",
    ]
    assert done.stderr.count("installed in") == 2


def test_a_closed_pipe_is_quiet(environment: dict[str, str]) -> None:
    """A reader that goes away, such as `head`, causes no traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [HAOZHI, "models", "list"],
        env=environment,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert done.stderr == ""


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command with the code that shells expect."""
    with pytest.raises(SystemExit) as ended:
        _run_here(monkeypatch, KeyboardInterrupt())
    assert ended.value.code == 130


def test_a_defect_is_one_line_and_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody expected is one line that names a log file; the traceback is only there."""
    with pytest.raises(SystemExit) as ended:
        _run_here(monkeypatch, ValueError("secret detail"))
    said = capsys.readouterr().err
    assert ended.value.code == cli.DEFECT
    assert "secret detail" not in said
    log = Path(said.split()[-1])
    assert "secret detail" in log.read_text()
    log.unlink()


def test_a_defect_is_a_traceback_for_developers(monkeypatch: pytest.MonkeyPatch) -> None:
    """HAOZHI_DEBUG=1 lets the exception through."""
    monkeypatch.setenv("HAOZHI_DEBUG", "1")
    with pytest.raises(ValueError, match="secret detail"):
        _run_here(monkeypatch, ValueError("secret detail"))


def _run_here(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    """Run a command in this process that fails in the middle."""

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(resolve, "resolve_model", fail)
    monkeypatch.setattr(sys, "argv", ["haozhi", "models", "path", "x"])
    cli.main()
