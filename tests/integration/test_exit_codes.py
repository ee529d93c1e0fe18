"""The same mistake ends with the same code in every command."""

from pathlib import Path

import pytest

from haozhi.payouts.files import save_file
from haozhi.payouts.orders import execution_day
from haozhi.rights import day_start_us
from ingest.fields import check_date
from store.errors import BadInput, StoreReadOnly
from tests.terminal import Terminal


@pytest.fixture(autouse=True)
def here(sqlite_engine: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line finds a migrated database."""
    assert sqlite_engine
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_DATABASE_URL", raising=False)


@pytest.mark.usefixtures("model_dir")
@pytest.mark.parametrize(
    "command",
    [
        "ingest none.txt",
        "policy propose none.toml --by x",
        "payout file eur-1 --format csv --layout none.toml --out out.csv",
        "receipt prove none.json",
        "receipt verify none.json",
        "report verify none",
        "eval answers --folder none",
    ],
)
def test_a_missing_input_file_is_bad_input(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file or folder to read that is not there ends any command with 4."""
    monkeypatch.chdir(tmp_path)
    code, _, said = Terminal(capsys).run(*command.split())
    assert (code, "none" in said) == (4, True), said


@pytest.mark.parametrize("read_day", [day_start_us, check_date, lambda d: execution_day(d, 0)])
def test_a_wrong_date_is_bad_input(read_day: object) -> None:
    """A date that is none is bad input wherever it is given."""
    assert callable(read_day)
    with pytest.raises(BadInput, match="YYYY-MM-DD"):
        read_day("tomorrow")


def test_an_output_that_cannot_be_written_is_read_only(tmp_path: Path) -> None:
    """A payment file, like an export and a proof, ends with 6 where nothing can be written."""
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        save_file(tmp_path / "no" / "file.csv", b"")
