"""Plain text and Markdown: each line is a passage, by the author that the front matter names."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ingest.documents import Document, Heading, Passage
from ingest.mapping import with_fields

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?=\s|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*\Z")
_MARKERS = re.compile(r"(?:\s*(?:>|[-*+]\s+\[[ xX]\]\s|[-*+]\s|[0-9]{1,9}[.)]\s))*\s*")
_FIELD = re.compile(r"(?P<key>[A-Za-z_]+)\s*:\s*(?P<value>.*)")
_ITEM = re.compile(r"\s*-\s+(?P<value>.*)")


def read_text(text: str) -> Document:
    """Every line of a plain text is a passage."""
    return Document(text, tuple(_lines(text)))


def read_markdown(text: str) -> Document:
    """Headings, list and quote markers and fenced code are left out; the first heading is title.

    Front matter may have the fields that `with_fields` reads. Raises BadInput when one of them
    cannot be used.
    """
    lines = list(_lines(text))
    fields, body = _front_matter(text, lines)
    passages, headings = _body(text, lines[body:])
    titles = (text[heading.start : heading.end] for heading in headings)
    document = Document(text, passages, title=next(titles, None), headings=tuple(headings))
    return with_fields(document, fields)


def _lines(text: str) -> Iterator[Passage]:
    position = 0
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        yield Passage(position, position + len(line), number)
        position += len(line)


def _body(text: str, lines: list[Passage]) -> tuple[tuple[Passage, ...], list[Heading]]:
    """The passages and the headings of a Markdown text."""
    passages: list[Passage] = []
    headings: list[Heading] = []
    fence, above = "", None
    for line in lines:
        content = text[line.start : line.end].rstrip()
        mark = _FENCE.match(content)
        if fence:
            if mark and mark[1].startswith(fence) and content.strip() == mark[1]:
                fence = ""
        elif mark:
            fence = mark[1]
        elif hashes := _HEADING.match(content):
            headings += _heading(text, line, len(hashes[0].strip()))
        elif _UNDERLINE.match(content) and passages[-1:] == [above]:
            headings += _heading(text, passages.pop(), 1 if "=" in content else 2)
        elif (markers := _MARKERS.match(content)) and markers.end() < len(content):
            passages.append(replace(line, start=line.start + markers.end()))
        above = line
    return tuple(passages), headings


def _heading(text: str, line: Passage, level: int) -> Iterator[Heading]:
    """The heading of a line without its markers; none when nothing else is in it."""
    content = text[line.start : line.end]
    words = content.strip(" \t\r\n#")
    if words:
        start = line.start + content.index(words)
        yield Heading(start, start + len(words), level)


def _front_matter(text: str, lines: list[Passage]) -> tuple[dict[str, object], int]:
    """The fields between two lines of `---` at the top, and the index of the first line after."""
    rows = [text[line.start : line.end].rstrip() for line in lines]
    if not rows or rows[0] != "---" or "---" not in rows[1:]:
        return {}, 0
    end = rows.index("---", 1)
    fields: dict[str, object] = {}
    key = ""
    for row in rows[1:end]:
        if match := _FIELD.match(row):
            key = match["key"].lower()
            fields[key] = _value(match["value"])
        elif (item := _ITEM.match(row)) and key:
            earlier = fields[key]
            fields[key] = [*(earlier if isinstance(earlier, list) else []), _bare(item["value"])]
    return fields, end + 1


def _value(value: str) -> object:
    """A front-matter value: `[a, b]` is a list, nothing is None, anything else a string."""
    if value.startswith("[") and value.endswith("]"):
        return [_bare(part.strip()) for part in value[1:-1].split(",") if part.strip()]
    return _bare(value) or None


def _bare(value: str) -> str:
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
