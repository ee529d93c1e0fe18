"""What a reader makes of a file: one text, and who said which part of it."""

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True)
class Rejected:
    """What did not go in; `line` is 1-based, None when the whole file did not."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True)
class Passage:
    """Code points `start`..`end` of a document's text, said by the same authors.

    `line` (of the file) and `page` are 1-based, None where the format has none; `authors` are names
    as written, empty when the file does not say, and `identifiers` those of them in their order (''
    where there is none), or empty; `mapped`: a person said so, in a column, front matter or beside
    the file, and not a program or the text itself; `published_on` is as claimed (YYYY, YYYY-MM or
    YYYY-MM-DD); `language` is `zh`, `en` or not said. `voice`: said by a person of its own within
    the work (a speaker, a commenter), so that an author given for the work is not theirs, also when
    the voice has no name. `whole`: one statement however many sentences (a row). `confidence`:
    0..1 for text recognised in a picture, None for text that is text. `headings`: what a record
    says that it stands under, the highest first, beside the headings in the text.
    """

    start: int
    end: int
    line: int | None
    authors: tuple[str, ...] = ()
    published_on: str | None = None
    language: str = ""
    page: int | None = None
    voice: bool = False
    whole: bool = False
    confidence: float | None = None
    identifiers: tuple[str, ...] = ()
    mapped: bool = False
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heading:
    """A heading at `start`..`end` of the text; level 0 is the title, 1 the highest below it."""

    start: int
    end: int
    level: int


@dataclass(frozen=True)
class Box:
    """Where code points `start`..`end`, a piece of one line, stand on a page.

    Points (1/72 inch) from the left and the bottom of the page as it is shown. `edges` are the
    positions before and after each code point along the line, downwards in a `vertical` one.
    """

    start: int
    end: int
    page: int
    left: float
    bottom: float
    right: float
    top: float
    edges: tuple[float, ...]
    vertical: bool = False


@dataclass(frozen=True)
class Document:
    """The text of a file; what passages do not cover is no statement (headings, markers, code).

    `authors` are those that the file names for the whole, in its fields (`authors_from` is
    `metadata`) or in a line of the text (`byline`); readers have given them to the passages. `raw`
    is the source that the text was taken out of, where that is text. `licence` is an SPDX
    expression. `page_starts` are offsets of
    the text of each page; `pages_without_text` are 1-based. `notes` say what was not read.
    """

    text: str
    passages: tuple[Passage, ...]
    title: str | None = None
    published_on: str | None = None
    rejected: tuple[Rejected, ...] = ()
    media_type: str = ""
    encoding: str = ""
    authors: tuple[str, ...] = ()
    authors_from: str = ""
    headings: tuple[Heading, ...] = ()
    page_starts: tuple[int, ...] = ()
    pages_without_text: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    notes: tuple[str, ...] = ()
    raw: str | None = None
    licence: str | None = None

    def page_at(self, offset: int) -> int | None:
        """The 1-based page on which a code point stands, None in a text without pages."""
        return bisect_right(self.page_starts, offset) or None
