"""OpenDocument texts: paragraphs, headings, tables; annotations belong to who wrote them."""

from collections.abc import Iterator

from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import find_date
from ingest.formats.package import Package
from ingest.formats.xml import (
    Element,
    all_named,
    attribute,
    first_named,
    name_of,
    parse_xml,
    text_of,
)
from store.errors import BadInput

_NOT_TEXT = frozenset(
    ("tracked-changes", "annotation", "note-citation", "ruby-text", "title", "desc")
)
_ENCLOSING = frozenset(("note", "text-box"))


def read_odt(data: bytes) -> Document:
    """A text document. Raises BadInput when it is encrypted or has no text part."""
    package = Package(data)
    manifest = package.find("META-INF/manifest.xml") or b""
    if b"encryption-data" in manifest:
        raise BadInput("protected by a password: remove the protection first")
    body = first_named(package.xml("content.xml"), "body", "text")
    if body is None:
        raise BadInput("no text document: save it as ODT, or as PPTX or XLSX")
    draft = Draft()
    _blocks(draft, body)
    for note in all_named(body, "annotation"):
        said = "\n".join(_text(p) for p in all_named(note, "p"))
        date = find_date(text_of(first_named(note, "date")) or None)
        draft.add_voice(said, text_of(first_named(note, "creator")), published_on=date)
    meta = package.find("meta.xml")
    about = None if meta is None else first_named(parse_xml(meta), "meta")
    title, author = ("", "") if about is None else _about(about)
    return draft.finish(title=title, authors=author)


def _about(about: Element) -> tuple[str, str]:
    # The Dublin Core creator of ODF is who saved it last.
    first = text_of(first_named(about, "initial-creator"))
    return text_of(first_named(about, "title")), first or text_of(first_named(about, "creator"))


def _blocks(draft: Draft, container: Element) -> None:
    for child in container:
        match name_of(child):
            case "p" | "h":
                _paragraph(draft, child)
            case "table-row" if not any(len(list(all_named(c, "p"))) > 1 for c in child):
                cells = (_text(cell).strip() for cell in child)
                draft.add("\t".join(filter(None, cells)), whole=True)
            case "table-of-content" | "alphabetical-index" | "bibliography":
                pass
            case name if name and name not in _NOT_TEXT:
                _blocks(draft, child)


def _paragraph(draft: Draft, paragraph: Element) -> None:
    if name_of(paragraph) == "h":
        draft.heading(_text(paragraph), int(attribute(paragraph, "outline-level") or 1))
    else:
        draft.add(_text(paragraph))
    for inner in all_named(paragraph, *_ENCLOSING):
        for body in inner if name_of(inner) == "note" else (inner,):
            _blocks(draft, body)


def _text(element: Element) -> str:
    return "".join(_runs(element))


def _runs(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        match name_of(child):
            case "s":
                yield " " * min(int(attribute(child, "c") or 1), 100)
            case "tab":
                yield "\t"
            case "line-break":
                yield "\n"
            case name if name and name not in _NOT_TEXT and name not in _ENCLOSING:
                yield from _runs(child)
        yield child.tail or ""
