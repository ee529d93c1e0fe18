"""What a reader makes of a file: one text, and who said which part of it."""

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

    `line` is the 1-based line of the file where it begins; `authors` are names as written, empty
    when the file does not say; `published_on` is as claimed (YYYY, YYYY-MM or YYYY-MM-DD);
    `language` is `zh`, `en` or not said.
    """

    start: int
    end: int
    line: int
    authors: tuple[str, ...] = ()
    published_on: str | None = None
    language: str = ""


@dataclass(frozen=True)
class Document:
    """The text of a file; what passages do not cover is no statement (headings, markers, code)."""

    text: str
    passages: tuple[Passage, ...]
    title: str | None = None
    published_on: str | None = None
    rejected: tuple[Rejected, ...] = ()
