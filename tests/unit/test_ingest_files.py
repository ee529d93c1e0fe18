"""Which files a path stands for."""

import os
from pathlib import Path

import pytest

from ingest import files
from ingest.files import files_in, read_bytes, shown
from store.errors import BadInput


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    """Files come by name, hidden ones and hidden folders not at all, linked folders not twice."""
    for name in ("b/2.txt", "a.txt", "b/.x/3.txt", ".y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b" / "loop").symlink_to(tmp_path)
    given = tmp_path / "a.txt"
    assert list(files_in([tmp_path, given])) == [given, tmp_path / "b" / "2.txt", given]


def test_what_is_no_readable_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Absent, empty, special, too large and unreadable paths each give one clear reason."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"12345")
    monkeypatch.setattr(files, "MAX_BYTES", 4)
    for name, message in [
        ("none", "no such file"),
        (".", "no file in this folder"),
        ("pipe", "no ordinary file"),
        ("file", "larger than 0 MiB"),
        ("n" * 300, "cannot be read: File name too long"),
    ]:
        with pytest.raises(BadInput, match=message):
            read_bytes(tmp_path / name)


def test_any_file_name_can_be_shown(tmp_path: Path) -> None:
    """Bytes of a name that are no text do not stop a report from being printed or stored."""
    assert (
        shown(tmp_path / os.fsdecode(b"\xff.txt")).encode()
        == bytes(tmp_path) + b"/\xef\xbf\xbd.txt"
    )
