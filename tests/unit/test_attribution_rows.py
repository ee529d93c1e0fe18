"""Measurements on file: what a killed run leaves, and what counts when it goes on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from haozhi.evaluation.attribution.rows import Row, open_rows
from store.errors import BadInput, StoreBusy


def _row(method: str, first: float = 1.0) -> Row:
    return Row("item", method, "model", 1, (first, -0.5), 2.0, 3.0, 4.0, 5.0, (0.0, 1.0), {"n": 1})


def test_what_was_measured_is_there_again(tmp_path: Path) -> None:
    """A row comes back as it was; another version of its method is another row."""
    path = tmp_path / "new" / "rows.jsonl"
    with open_rows(path) as rows:
        rows.add(_row("exact"))
    with open_rows(path) as rows:
        assert rows.find(_row("exact").key) == _row("exact")
        assert rows.find(("item", "exact", "model", 2)) is None


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    """What a kill left half written goes, the lines before stay, and new ones are whole."""
    path = tmp_path / "rows.jsonl"
    with open_rows(path) as rows:
        rows.add(_row("exact"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:90])
    with open_rows(path) as rows:
        assert rows.find(_row("exact").key) == _row("exact")
        rows.add(_row("loo"))
    assert path.read_bytes().startswith(whole)
    with open_rows(path) as rows:
        assert rows.find(_row("loo").key) == _row("loo")


def test_the_newest_row_of_a_key_counts(tmp_path: Path) -> None:
    """A method measured again replaces what was found before, now and in the next run."""
    path = tmp_path / "rows.jsonl"
    with open_rows(path) as rows:
        rows.add(_row("exact"))
        rows.add(_row("exact", first=9.0))
        assert rows.find(_row("exact").key) == _row("exact", first=9.0)
    with open_rows(path) as rows:
        assert rows.find(_row("exact").key) == _row("exact", first=9.0)


def test_a_run_killed_between_rows_goes_on(tmp_path: Path) -> None:
    """kill -9 after a row was added loses nothing and leaves no lock behind."""
    path = tmp_path / "rows.jsonl"
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from haozhi.evaluation.attribution.rows import Row, open_rows\n"
        "with open_rows(Path(sys.argv[1])) as rows:\n"
        "    rows.add(Row('item', 'exact', 'model', 1, (1.0,), 1.0, 1.0, 1.0, 1.0))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    with open_rows(path) as rows:
        assert rows.find(("item", "exact", "model", 1))


def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    """The second run is told so in one line."""
    path = tmp_path / "rows.jsonl"
    with open_rows(path), pytest.raises(StoreBusy, match="another run"), open_rows(path):
        pass


@pytest.mark.parametrize("text", ['{"some": "thing"}\n', "a note", "团子\n是我的猫"])
def test_another_file_is_not_touched(tmp_path: Path, text: str) -> None:
    """A file with anything else in it is refused and stays as it is."""
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="not a file of rows"), open_rows(path):
        pass
    assert path.read_text(encoding="utf-8") == text
