"""JSON lines and tables: one record per line or row; a broken one is rejected, the rest goes in."""

import csv
import io
import json
from collections.abc import Iterable, Iterator

from ingest.documents import Document, Passage, Rejected
from ingest.fields import authors_in, date_in, has_text, language_in, text_in, title_in
from store.errors import BadInput

# The 1-based line where a record begins, and its fields or why they cannot be read.
_Record = tuple[int, dict[str, object] | BadInput]
_Row = tuple[int, list[str] | BadInput]


def read_jsonl(text: str, path: str) -> Document:
    """One JSON object per line with `text` and, where known, author(s), title, date, language."""
    lines = enumerate(text.split("\n"), start=1)
    return _document(path, ((number, _json(line)) for number, line in lines if line.strip()))


def read_table(text: str, path: str) -> Document:
    """Comma-, semicolon- or tab-separated rows under a header with the same names as in JSON.

    Raises BadInput when the header names no column for the text.
    """
    lines = list(io.StringIO(text, newline=""))
    for delimiter in ",;\t":
        rows = _rows(lines, delimiter)
        _, header = next(rows, (1, []))
        names = [] if isinstance(header, BadInput) else [name.strip().lower() for name in header]
        if has_text(names):
            return _document(path, ((number, _named(names, row)) for number, row in rows))
    raise BadInput("no column is named `text`: the first row must name the columns")


def _document(path: str, records: Iterable[_Record]) -> Document:
    """The record texts joined by line feeds; the title is the one that all records share."""
    texts: list[str] = []
    passages: list[Passage] = []
    rejected: list[Rejected] = []
    titles: set[str | None] = set()
    position = 0
    for line, fields in records:
        try:
            text, passage, title = _record(line, fields, position)
        except BadInput as error:
            rejected.append(Rejected(path, line, str(error)))
            continue
        texts.append(text)
        passages.append(passage)
        titles.add(title)
        position = passage.end + 1
    title = titles.pop() if len(titles) == 1 else None
    return Document("\n".join(texts), tuple(passages), title, rejected=tuple(rejected))


def _record(
    line: int, fields: dict[str, object] | BadInput, start: int
) -> tuple[str, Passage, str | None]:
    if isinstance(fields, BadInput):
        raise fields
    text = text_in(fields)
    passage = Passage(
        start, start + len(text), line, authors_in(fields), date_in(fields), language_in(fields)
    )
    return text, passage, title_in(fields)


def _json(line: str) -> dict[str, object] | BadInput:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        return BadInput(f"not JSON: {error.msg} at character {error.pos + 1}")
    except (ValueError, RecursionError):
        return BadInput("not JSON that can be read: a number too long or nesting too deep")
    return value if isinstance(value, dict) else BadInput("not a JSON object")


def _named(names: list[str], row: list[str] | BadInput) -> dict[str, object] | BadInput:
    """The cells by column name; an empty cell says nothing."""
    if isinstance(row, BadInput):
        return row
    if len(row) != len(names):
        return BadInput(f"{len(row)} cells under {len(names)} columns")
    return {name: cell or None for name, cell in zip(names, row, strict=True)}


def _rows(lines: list[str], delimiter: str) -> Iterator[_Row]:
    """The rows that are not blank; after a broken one, reading goes on with the next line.

    Without that, a quote that nobody closes would swallow the rest of the file.
    """
    first = 0
    while first < len(lines):
        rest = (lines[index] for index in range(first, len(lines)))  # a slice would be quadratic
        reader = csv.reader(rest, delimiter=delimiter, strict=True)
        done = 0
        try:
            for row in reader:
                if row:
                    yield first + done + 1, row
                done = reader.line_num
            return
        except csv.Error as error:
            yield first + done + 1, BadInput(f"not a row: {error}")
        first += done + 1
