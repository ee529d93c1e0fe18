"""A development set loads whole or says what is wrong with which line."""

import re
from pathlib import Path

import pytest

from haozhi.evaluation.devset import load_devset
from store.errors import BadInput

RECORD = '{"text": "Tom lives in Leeds.", "author": "Ann"}'
ITEM = (
    '{"id": "a", "language": "en", "question": "Where does Tom live?", "corpus": "c", '
    '"kind": "single", "accept": ["Leeds"], "reject": [], "needed": ["Ann"], "cross": false}'
)


def write_set(folder: Path, items: str = ITEM, records: str = RECORD) -> Path:
    """A folder with one half and one corpus."""
    (folder / "corpora").mkdir()
    (folder / "corpora" / "c.jsonl").write_text(records, encoding="utf-8")
    (folder / "dev.jsonl").write_text(items, encoding="utf-8")
    return folder


def test_a_valid_folder_loads(tmp_path: Path) -> None:
    """Items keep their order and corpora are found by name, with the file to ingest."""
    devset = load_devset(write_set(tmp_path))
    assert [item.id for item in devset.items] == ["a"]
    assert devset.corpora["c"].path == tmp_path / "corpora" / "c.jsonl"
    assert devset.corpora["c"].authors == {"Ann"}


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ("", "is empty"),
        ("{", "dev.jsonl:1: line: Invalid JSON"),
        (ITEM + "\n\n" + ITEM, "dev.jsonl:2"),
        (ITEM + "\n" + ITEM, "dev.jsonl:2: the id a is taken"),
        (ITEM.replace('"id": "a", ', ""), "id: Field required"),
        (ITEM.replace('"id"', '"extra": 1, "id"'), "extra: Unexpected keyword"),
        (ITEM.replace('"en"', '"fr"'), "language"),
        (ITEM.replace('"single"', '"triple"'), "kind"),
        (ITEM.replace('"single"', '"pair"'), "pair and 1 needed authors do not agree"),
        (ITEM.replace('"single"', '"unanswerable"'), "unanswerable and 1 accepted answers"),
        (ITEM.replace('["Leeds"]', '"Leeds"'), "accept"),
        (ITEM.replace('["Leeds"]', '[" "]'), "accept.0"),
        (ITEM.replace('"Ann"', '"Bob"'), "dev.jsonl:1: Bob: no author in c"),
        (ITEM.replace('"c"', '"d"'), "d.jsonl: no such file"),
    ],
)
def test_a_broken_item_is_named(tmp_path: Path, items: str, reason: str) -> None:
    """A broken line is one error with file, line, field and reason."""
    with pytest.raises(BadInput, match=re.escape(reason)):
        load_devset(write_set(tmp_path, items=items))


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        (RECORD.replace('"Ann"', "null"), "c.jsonl:1: author"),
        (RECORD.replace("Tom lives in Leeds.", " "), "c.jsonl:1: text"),
        (RECORD.replace('"author"', '"date": "yesterday", "author"'), "c.jsonl:1: date"),
    ],
)
def test_a_broken_record_is_named(tmp_path: Path, records: str, reason: str) -> None:
    """A broken corpus line is one error with file, line, field and reason."""
    with pytest.raises(BadInput, match=re.escape(reason)):
        load_devset(write_set(tmp_path, records=records))


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are one error that names the file."""
    folder = write_set(tmp_path)
    (folder / "dev.jsonl").write_bytes("居里夫人".encode("gb18030"))
    with pytest.raises(BadInput, match="cannot be read as UTF-8"):
        load_devset(folder)


def test_a_missing_half_is_named(tmp_path: Path) -> None:
    """A half that the folder does not have is one error that names the file."""
    with pytest.raises(BadInput, match="other.jsonl: no such file"):
        load_devset(write_set(tmp_path), "other")
