"""Which reader a file goes to, by the ending of its name."""

from collections.abc import Callable
from pathlib import Path

from ingest.documents import Document
from ingest.files import shown
from ingest.prose import read_markdown, read_text
from ingest.records import read_jsonl, read_table
from store.errors import BadInput

_READERS: dict[str, tuple[str, Callable[[str, str], Document]]] = {
    ".txt": ("text/plain", read_text),
    ".md": ("text/markdown", read_markdown),
    ".markdown": ("text/markdown", read_markdown),
    ".jsonl": ("application/jsonl", read_jsonl),
    ".ndjson": ("application/jsonl", read_jsonl),
    ".csv": ("text/csv", read_table),
    ".tsv": ("text/tab-separated-values", read_table),
}


def media_type(path: Path) -> str:
    """The media type of a file that can be read. Raises BadInput for any other."""
    return _reader(path)[0]


def read_document(path: Path, text: str) -> Document:
    """What the file's decoded text says, and by whom.

    Raises BadInput when nothing in it can be used; broken records are in `rejected`.
    """
    return _reader(path)[1](text, shown(path))


def _reader(path: Path) -> tuple[str, Callable[[str, str], Document]]:
    found = _READERS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(sorted(_READERS))
        raise BadInput(f"files of type {path.suffix or '(none)'} are not read: use one of {known}")
    return found
