"""Web pages: what a browser shows of the main content, which trafilatura finds."""

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ingest.decoding import declared_charset, decode
from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import find_date
from ingest.formats.blocks import Block, add_block, blocks_of, remove_invisible
from ingest.formats.xml import Element, all_named, text_of
from ingest.names import known_names
from store.errors import BadInput

_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_AUTHOR_META = ("author", "article:author", "citation_author", "dc.creator", "dcterms.creator")
_LEAST_MAIN = 0.25
"""Part of the shown text under which what trafilatura found is not believed to be the content."""


def read_html(data: bytes) -> Document:
    """A page with its title, authors and date. Raises BadInput when it shows nothing."""
    source, encoding = decode(data, declared_charset(data))
    tree = parse_html(source)
    remove_invisible(tree)
    about = _metadata(tree)
    blocks = list(blocks_of(tree))
    draft = Draft()
    for block in _main_blocks(blocks, _main_text(tree)):
        add_block(draft, block)
    document = draft.finish(
        title=about.title or text_of(next(all_named(tree, "title"), None)),
        authors=_authors(tree, about.author, about.sitename),
        published_on=find_date(about.date),
    )
    return replace(document, raw=source, encoding=encoding)


def parse_html(source: str) -> Element:
    """The tree of a page. Raises BadInput when there is nothing in it."""
    from lxml import html
    from lxml.etree import ParserError

    try:
        parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
        return html.document_fromstring(_DECLARATION.sub("", source), parser=parser)
    except ParserError:
        raise BadInput("there is no text in this page") from None


def _metadata(tree: Element) -> Any:
    """What trafilatura knows of title, author, date and site; it guesses no date from the text."""
    from trafilatura.metadata import extract_metadata

    dates = {"extensive_search": False, "original_date": True}
    return extract_metadata(deepcopy(tree), date_config=dates, extensive=False)


def _authors(tree: Element, found: str | None, site: str | None) -> tuple[str, ...]:
    """The authors that trafilatura found, else those that meta elements say: it takes no name
    without a space, and so no Chinese one.
    """
    if names := known_names(found or "", site):
        return names
    said = (
        meta.get("content", "")
        for meta in all_named(tree, "meta")
        if (meta.get("name") or meta.get("property") or "").lower() in _AUTHOR_META
    )
    each_name = (name for each in said if "://" not in each for name in known_names(each, site))
    return tuple(dict.fromkeys(each_name))


def _main_text(tree: Element) -> str:
    """The text that trafilatura takes for the content, '' where it finds none; without spaces."""
    from trafilatura import bare_extraction

    found = bare_extraction(
        deepcopy(tree), favor_recall=True, include_comments=False, include_tables=True
    )
    return "" if found is None or isinstance(found, dict) else _bare(found.text or "")


def _main_blocks(blocks: list[Block], main: str) -> list[Block]:
    """The blocks from the first to the last that is in the main text; all when that is too little.

    Rows and code between them stay in any case: trafilatura loses cells of tables.
    """
    texts = [_bare(block.text) for block in blocks]
    inside = [i for i, text in enumerate(texts) if text and _is_part(blocks[i], text, main)]
    if not inside or len(main) < _LEAST_MAIN * sum(map(len, texts)):
        return blocks
    headings = [i for i in range(inside[0]) if blocks[i].kind == "heading"]
    kept = {*headings[-1:], *inside}
    rows = {i for i in range(inside[0], inside[-1]) if blocks[i].kind in ("row", "code")}
    return [blocks[i] for i in sorted(kept | rows)]


def _is_part(block: Block, text: str, main: str) -> bool:
    if block.kind != "row":
        return text in main
    return any(_bare(cell) in main for cell in block.text.split("\t"))


def _bare(text: str) -> str:
    return re.sub(r"[\s|]+", "", text)
