"""JSON and tables: one record per object or row; a broken one is rejected, the rest goes in.

Where a column is named `text`, its cells are the texts. Else each row is one statement.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ingest.documents import Document, Passage, Rejected
from ingest.fields import (
    authors_in,
    date_in,
    find_date,
    has_text,
    identifiers_in,
    language_in,
    source_in,
    text_in,
    title_in,
)
from ingest.names import known_names, with_identifiers
from ingest.rows import Row, named_columns, row_text, rows_in
from store.errors import BadInput

# The 1-based line where a record begins, and its fields or why they cannot be read.
_Record = tuple[int | None, dict[str, object] | BadInput]

Columns = Mapping[str, str]
"""What a person says a file calls our fields: `text`, `author`, `author_orcid`, `title`, …"""

ROW = "\0row"  # the field of a row that is a statement as a whole


def read_jsonl(text: str, path: str, columns: Columns) -> Document:
    """One JSON object per line with `text` and, where known, author(s), title, date, language."""
    lines = enumerate(text.split("\n"), start=1)
    records = ((number, _json(line)) for number, line in lines if line.strip())
    return records_document(path, records, columns)


def read_json(text: str, path: str, columns: Columns) -> Document:
    """One object, or a list of objects, with the same fields as in JSON lines.

    Raises BadInput for other JSON.
    """
    value = _json_value(text)
    objects = value if isinstance(value, list) else [value]
    if isinstance(value, BadInput) or not any(isinstance(item, dict) for item in objects):
        raise value if isinstance(value, BadInput) else BadInput("there is no JSON object in it")
    none = BadInput("not a JSON object")
    records = (item if isinstance(item, dict) else none for item in objects)
    return records_document(path, ((None, record) for record in records), columns)


def read_table(text: str, path: str, columns: Columns) -> Document:
    """Rows separated by commas, semicolons, tabs or bars, whichever the rows agree on."""
    return records_document(
        path, table_records(rows_in(text, _text_names(columns)), columns), columns
    )


def table_records(rows: Iterable[Row], columns: Columns) -> Iterator[_Record]:
    """The records of rows, of which the first names the columns unless it cannot be names.

    Raises BadInput when `columns` names one that is not there.
    """
    found = list(rows)
    labels, first = named_columns([row for _, row in found[:2] if not isinstance(row, BadInput)])
    names = [label.lower() for label in labels]
    missing = [name for name in columns.values() if name.strip().lower() not in names]
    if missing:
        raise BadInput(f"no column is named `{missing[0]}`: there are {', '.join(names) or 'none'}")
    whole = not has_text([*names, *columns])
    for line, row in found[first:]:
        if isinstance(row, BadInput):
            yield line, row
        elif names and len(row) != len(names):
            yield line, BadInput(f"{len(row)} cells under {len(names)} columns")
        else:
            fields: dict[str, object] = {n: c or None for n, c in zip(names, row, strict=False)}
            yield line, {**fields, ROW: row_text(labels, row)} if whole else fields


def records_document(path: str, records: Iterable[_Record], columns: Columns) -> Document:
    """The record texts joined by line feeds; the title is the one that all records share.

    Each stands under its source and its own title.
    """
    texts: list[str] = []
    passages: list[Passage] = []
    rejected: list[Rejected] = []
    titles: set[str | None] = set()
    position = 0
    for number, (line, fields) in enumerate(records, start=1):
        try:
            text, passage, title = _record(line, fields, position, columns)
        except BadInput as error:
            where = "" if line else f"record {number}: "
            rejected.append(Rejected(path, line, f"{where}{error}"))
            continue
        texts.append(text)
        passages.append(passage)
        titles.add(title)
        position = passage.end + 1
    title = titles.pop() if len(titles) == 1 else None
    if title is not None:
        passages = [replace(p, headings=p.headings[:-1]) for p in passages]
    return Document("\n".join(texts), tuple(passages), title, rejected=tuple(rejected))


def _record(
    line: int | None, given: dict[str, object] | BadInput, start: int, columns: Columns
) -> tuple[str, Passage, str | None]:
    if isinstance(given, BadInput):
        raise given
    fields = _renamed(given, columns)
    whole = ROW in fields
    text = text_in({"text": fields[ROW]} if whole else fields)
    authors, identifiers = _authors(fields)
    end = start + len(text)
    passage = Passage(start, end, line, authors, identifiers=identifiers, mapped=bool(authors))
    if whole:  # its other columns are content as much as fields
        date = find_date(fields.get("date"))
        return text, replace(passage, published_on=date, whole=True), None
    title = title_in(fields)
    passage = replace(
        passage,
        published_on=date_in(fields),
        language=language_in(fields),
        headings=tuple(filter(None, (source_in(fields), title))),
    )
    return text, passage, title


def _authors(fields: Mapping[str, object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names with their identifiers; without a name, an identifier is one."""
    names = _several(authors_in(fields), source_in(fields))
    return with_identifiers(names, identifiers_in(fields))


def _renamed(fields: dict[str, object], columns: Columns) -> dict[str, object]:
    """The fields under our names; a field that another one replaces is not read."""
    if not columns:
        return fields
    folded = {name.strip().lower(): value for name, value in fields.items()}
    return {**folded, **{ours: folded.get(name.strip().lower()) for ours, name in columns.items()}}


def _several(authors: tuple[str, ...], outlet: str | None) -> tuple[str, ...]:
    """One string may name several; a list has been split by whoever wrote it."""
    return known_names(authors[0] if len(authors) == 1 else authors, outlet)


def _text_names(columns: Columns) -> tuple[str, ...]:
    return (columns["text"].strip().lower(),) if "text" in columns else ()


def _json(line: str) -> dict[str, object] | BadInput:
    value = _json_value(line)
    return value if isinstance(value, (dict, BadInput)) else BadInput("not a JSON object")


def _json_value(text: str) -> object:
    """The value; a BadInput (not raised) where there is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return BadInput(f"not JSON: {error.msg} at character {error.pos + 1}")
    except (ValueError, RecursionError):
        return BadInput("not JSON that can be read: a number too long or nesting too deep")
