"""A line near the top that says by whom a text is: `By Jane Doe and Wei Zhang`, `作者：张三`."""

import re
from dataclasses import replace

from ingest.documents import Document, Passage
from ingest.names import known_names

_LABELLED = re.compile(
    r"(?:Authors?|AUTHORS?|Written by|Text by|作\s*者|撰\s*文|文\s*字|本报记者|本刊记者)\s*[:：]\s*"
    r"(?P<names>\S.{0,100})|"
    r"文\s*[/／|｜丨]\s*(?P<han>\S.{1,30})"
)
_BY = re.compile(r"(?:[Bb]y|BY|[Ww]ritten by)\s+(?P<names>\S.{2,100})")
_PERSON = re.compile(
    r"[^\W\d_a-z][\w.'’-]*(?:\s+(?:[^\W\d_a-z][\w.'’-]*|de|da|di|van|von|der|den|la|le|bin|al)){1,4}"
)
_LINES = 6
"""In how many of the first lines it may stand."""


def with_byline(document: Document) -> Document:
    """The document by the authors in its byline, which is no statement; as it is without one.

    Authors in its fields, and voices of their own, stay.
    """
    if document.authors or any(p.authors and not p.voice for p in document.passages):
        return document
    for index, passage in enumerate(document.passages[:_LINES]):
        line = document.text[passage.start : passage.end].strip()
        names = (
            () if passage.voice else _names(line, follows_title=bool(index or document.headings))
        )
        if names:
            return _by(document, passage, names)
    return document


def _names(line: str, *, follows_title: bool) -> tuple[str, ...]:
    if match := _LABELLED.fullmatch(line):
        return known_names(match["names"] or match["han"])
    match = _BY.fullmatch(line) if follows_title else None
    names = known_names(match["names"]) if match else ()
    return names if all(_PERSON.fullmatch(name) for name in names) else ()


def _by(document: Document, byline: Passage, names: tuple[str, ...]) -> Document:
    passages = tuple(
        p if p.voice else replace(p, authors=names) for p in document.passages if p is not byline
    )
    return replace(document, passages=passages, authors=names, authors_from="byline")
