"""Writing a document paragraph by paragraph, with the place of each in the text."""

import re
from dataclasses import replace

from ingest.documents import Box, Document, Heading, Passage
from ingest.names import known_names

_UNSTORABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
# What programs make of a title: nobody's words.
_PROGRAM = re.compile(
    r"microsoft (?:word|powerpoint|excel) - |(?:untitled(?: document)?|无标题|文档\d*)\Z",
    re.IGNORECASE,
)


class Draft:
    """A document being written, paragraph by paragraph; each ends with a line feed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._passages: list[Passage] = []
        self._headings: list[Heading] = []
        self._page_starts: list[int] = []
        self.boxes: list[Box] = []
        self.notes: list[str] = []
        self.length = 0

    def begin_page(self) -> None:
        """What follows stands on the next page."""
        self._page_starts.append(self.length)

    def turn_to(self, page: int, start: int) -> None:
        """Pages up to this one (1-based) that have not begun begin at `start`."""
        self._page_starts += [start] * (page - len(self._page_starts))

    def add(
        self,
        text: str,
        line: int | None = None,
        *,
        whole: bool = False,
        confidence: float | None = None,
    ) -> None:
        """A paragraph by the authors of the document."""
        start, end = self._write(text)
        if end > start:
            passage = Passage(start, end, line, whole=whole, confidence=confidence)
            self._passages.append(passage)

    def add_voice(
        self,
        text: str,
        name: str,
        *,
        published_on: str | None = None,
        line: int | None = None,
        page: int | None = None,
    ) -> None:
        """A paragraph in a voice of its own; a name that stands for nobody is unknown."""
        start, end = self._write(text)
        if end > start:
            names = known_names((name,))
            voice = Passage(start, end, line, names, published_on, page=page, voice=True)
            self._passages.append(voice)

    def heading(self, text: str, level: int) -> None:
        """A line that is no statement but says what the following ones are about."""
        start, end = self._write(" ".join(text.split()))
        if end > start:
            self._headings.append(Heading(start, end, level))

    def aside(self, text: str) -> None:
        """Text that is kept but is no statement."""
        self._write(text)

    def finish(
        self,
        *,
        title: str | None = None,
        authors: str | tuple[str, ...] = (),
        published_on: str | None = None,
    ) -> Document:
        """The document, its passages without a voice of their own by `authors`.

        The title is the first heading where none is given.
        """
        text = "".join(self._parts)
        names = known_names(authors)
        title = _PROGRAM.sub("", " ".join(printable(title or "").split()))
        if not title and self._headings:
            title = text[self._headings[0].start : self._headings[0].end]
        return Document(
            text,
            tuple(p if p.voice else replace(p, authors=names) for p in self._passages),
            title or None,
            published_on,
            authors=names,
            authors_from="metadata" if names else "",
            headings=tuple(self._headings),
            page_starts=tuple(self._page_starts),
            boxes=tuple(self.boxes),
            notes=tuple(self.notes),
        )

    def _write(self, text: str) -> tuple[int, int]:
        written = printable(text).strip()
        start = self.length
        if written:
            self._parts += (written, "\n")
            self.length += len(written) + 1
        return start, start + len(written)


def printable(text: str) -> str:
    """The text without control characters and what else no database or page can show."""
    return _UNSTORABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
