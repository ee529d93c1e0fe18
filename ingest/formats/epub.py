"""Books: the chapters in reading order; author and date as the package document names them."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from ingest.decoding import declared_charset, decode
from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import find_date
from ingest.formats.blocks import add_block, blocks_of, remove_invisible
from ingest.formats.html import parse_html
from ingest.formats.package import Package
from ingest.formats.xml import Element, all_named, attribute, first_named, name_of, text_of
from ingest.names import known_names
from store.errors import BadInput

_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(data: bytes) -> Document:
    """A book. Raises BadInput when it is encrypted or names no package document."""
    package = Package(data)
    _refuse_encrypted(package)
    root = next(all_named(package.xml("META-INF/container.xml"), "rootfile"), None)
    path = "" if root is None else attribute(root, "full-path") or ""
    book = package.xml(path)
    draft = Draft()
    for part in _chapters(book, posixpath.dirname(path)):
        content = package.find(part)
        if content is None:
            draft.notes.append(f"the chapter {part} is missing")
            continue
        chapter = parse_html(decode(content, declared_charset(content))[0])
        remove_invisible(chapter)
        for block in blocks_of(chapter):
            add_block(draft, block)
    about = first_named(book, "metadata")
    fields = [] if about is None else list(about)
    return draft.finish(
        title=next((text_of(e) for e in _named(fields, "title")), None),
        authors=known_names(_creators(fields)),
        published_on=next(filter(None, map(find_date, _dates(fields))), None),
    )


def _named(fields: list[Element], name: str) -> list[Element]:
    return [field for field in fields if name_of(field) == name]


def _creators(fields: list[Element]) -> Iterator[str]:
    """Who wrote it: a creator with another role (illustrator, translator) did something else."""
    roles = {
        (attribute(field, "refines") or "").lstrip("#"): text_of(field)
        for field in _named(fields, "meta")
        if attribute(field, "property") == "role"
    }
    for field in _named(fields, "creator"):
        role = attribute(field, "role") or roles.get(attribute(field, "id") or "", "aut")
        if role == "aut":
            yield from known_names(text_of(field))


def _dates(fields: list[Element]) -> Iterator[str]:
    for field in _named(fields, "date"):
        if attribute(field, "event") in (None, "publication", "original-publication"):
            yield text_of(field)


def _chapters(book: Element, folder: str) -> Iterator[str]:
    """The parts that the spine names, without the table of contents."""
    items = {attribute(item, "id"): item for item in all_named(book, "item")}
    for reference in all_named(book, "itemref"):
        item = items.get(attribute(reference, "idref"))
        if item is None or "nav" in (attribute(item, "properties") or "").split():
            continue
        if "html" in (attribute(item, "media-type") or ""):
            target = unquote(attribute(item, "href") or "")
            yield posixpath.normpath(posixpath.join(folder, target))


def _refuse_encrypted(package: Package) -> None:
    if package.find("META-INF/encryption.xml") is None:
        return
    for method in all_named(package.xml("META-INF/encryption.xml"), "EncryptionMethod"):
        if attribute(method, "Algorithm") not in _FONT_OBFUSCATION:
            raise BadInput("protected against copying (DRM): use a copy without protection")
