"""`haozhi eval attribution` as a user runs it: builtin models, one table, rows that are kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HAOZHI = Path(sys.executable).with_name("haozhi")
METHODS = ("removal", "exact", "final", "paired", "retrieval")


def _run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HAOZHI_DATA_DIR": str(tmp_path / "data"), "HAOZHI_EVAL_DATA": ""}
    return subprocess.run(
        [HAOZHI, "eval", "attribution", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_methods_are_compared_and_measured_once(tmp_path: Path) -> None:
    """Two made items, English and Chinese: a table, JSON and a picture; then nothing is left to do.

    The final tier's influence is near the exact one of its game, and orders coalitions as removing
    text does.
    """
    out, drawing = tmp_path / "out.json", tmp_path / "out.svg"
    only = [option for name in METHODS for option in ("--only", name)]
    done = _run(tmp_path, "--items", "2", *only, "--out", str(out), "--picture", str(drawing))
    assert done.returncode == 0, done.stderr
    assert any(line.split()[:2] == ["final", "2"] for line in done.stdout.splitlines())
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["items"] == 2
    assert {answer["language"] for answer in found["answers"]} == {"en", "zh"}
    assert set(found["methods"]) == set(METHODS)
    final = found["methods"]["final"]
    assert final["lds"] > 0.5
    assert final["lds"] > found["methods"]["retrieval"]["lds"]
    low, high = final["intervals"]["tv_removal"]
    assert 0 <= low <= final["tv_removal"] <= high <= 1
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    again = _run(tmp_path, "--items", "2", *only, "--json")
    assert again.returncode == 0, again.stderr
    assert not [line for line in again.stderr.splitlines() if line.startswith(METHODS)]
    (line,) = again.stdout.splitlines()
    assert json.loads(line)["methods"] == found["methods"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["/no/such/data"], 4, "no file or folder /no/such/data"),
        (["--only", "best"], 2, "no method best: there are removal"),
        (["--no-synthetic"], 2, "name DATA, set HAOZHI_EVAL_DATA"),
        (["--rows", "/dev/null/rows"], 4, "cannot be written"),
    ],
)
def test_what_cannot_be_measured_is_one_line(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    """Data that is not there, a name that is no method, nothing to ask, no place for rows."""
    done = _run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
