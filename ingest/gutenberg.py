"""The licence of Project Gutenberg around a book: its words are not the author's."""

import re
from dataclasses import replace

from ingest.documents import Document

_START = re.compile(r"\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG[^\n]*")
_END = re.compile(r"(?:\*\*\* ?END OF (?:THE|THIS)|End of (?:the )?Project Gutenberg)[^\n]*")


def without_licence(document: Document) -> Document:
    """The document with statements and headings only between the two marks, if it has them."""
    start = _START.search(document.text)
    if start is None:
        return document
    end = _END.search(document.text, start.end())
    low, high = start.end(), end.start() if end else len(document.text)
    return replace(
        document,
        passages=tuple(p for p in document.passages if low <= p.start and p.end <= high),
        headings=tuple(h for h in document.headings if low <= h.start and h.end <= high),
    )
