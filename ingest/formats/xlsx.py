"""Workbooks: the rows of each visible sheet are read as those of a table; comments have a voice."""

import datetime as dt
import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from ingest.documents import Document, Passage
from ingest.formats.package import Package
from ingest.formats.xml import all_named, attribute, first_named, name_of
from ingest.names import known_names
from ingest.records import Columns, records_document, table_records
from ingest.rows import Row

# openpyxl knows only the second; otherwise the two forms are alike.
_STRICT = b"http://purl.oclc.org/ooxml/"
_NAMESPACES = (
    (_STRICT + b"spreadsheetml/main", b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    (
        _STRICT + b"officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
)


def read_xlsx(data: bytes, path: str, columns: Columns) -> Document:
    """A workbook. Raises BadInput as read_table does."""
    from openpyxl import load_workbook

    package = Package(data)
    main = (package.related("", "officeDocument") or ["xl/workbook.xml"])[0]
    if _STRICT in package.read(main):
        data = _transitional(package)
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    tables, notes = [], []
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            sheet.reset_dimensions()  # what a file says of its size may be anything
            tables.append(table_records(_rows(sheet.iter_rows(values_only=True)), columns))
        else:
            notes.append(f"the sheet {sheet.title} is hidden and not read")
    document = records_document(path, chain.from_iterable(tables), columns)
    title, author = package.core()
    names = known_names(author)
    passages = tuple(p if p.authors else replace(p, authors=names) for p in document.passages)
    document = replace(document, title=title or document.title, passages=passages)
    document = replace(
        document, notes=tuple(notes), authors=names, authors_from="metadata" if names else ""
    )
    return _with_comments(document, package)


def _rows(rows: Iterator[tuple[object, ...]]) -> Iterator[Row]:
    """The rows that have content, without the columns that never have any."""
    found = [
        (number, cells)
        for number, row in enumerate(rows, start=1)
        if any(cells := [_shown(value) for value in row])
    ]
    used = sorted({i for _, cells in found for i, cell in enumerate(cells) if cell})
    for number, cells in found:
        yield number, [cells[i] if i < len(cells) else "" for i in used]


def _shown(value: object) -> str:
    """A cell as text: dates as ISO 8601, whole numbers without a fraction."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case dt.datetime() if value.time() == dt.time():
            return value.date().isoformat()
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value).strip()


def _with_comments(document: Document, package: Package) -> Document:
    """The document with the comments on cells behind its rows."""
    text, passages = document.text, list(document.passages)
    for name, said in _comments(package):
        start = len(text) + bool(text)
        text = f"{text}\n{said}" if text else said
        names = known_names((name,))
        passages.append(Passage(start, start + len(said), None, names, voice=True))
    return replace(document, text=text, passages=tuple(passages))


def _comments(package: Package) -> Iterator[tuple[str, str]]:
    for part in package.names:
        root = package.xml(part) if "comments" in part.lower() and part.endswith(".xml") else None
        if root is None or name_of(root) != "comments":
            continue
        names = [author.text or "" for author in all_named(root, "author")]
        for comment in all_named(root, "comment"):
            number = int(attribute(comment, "authorId") or -1)
            name = names[number] if 0 <= number < len(names) else ""
            body = first_named(comment, "text")
            said = "".join(t.text or "" for t in all_named(body, "t")) if body is not None else ""
            # Excel begins a comment with its author's name.
            said = said.removeprefix(f"{name}:").strip()
            if said:
                yield name, said


def _transitional(package: Package) -> bytes:
    """The same workbook in the namespaces that openpyxl knows."""
    rewritten = io.BytesIO()
    with zipfile.ZipFile(rewritten, "w") as target:
        for part in package.names:
            content = package.read(part)
            for strict, transitional in _NAMESPACES:
                content = content.replace(strict, transitional)
            target.writestr(part, content)
    return rewritten.getvalue()
