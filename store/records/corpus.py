"""Statements, where they stand and whose they are."""

from dataclasses import dataclass
from typing import NamedTuple

SURE_PPM = 800_000
"""Text recognised with less confidence may be wrong: its credit waits until somebody has looked."""


@dataclass(frozen=True)
class AuthorShare:
    """An author's part of an occurrence in parts per million (1..1,000,000)."""

    author_id: str
    ppm: int


class Rectangle(NamedTuple):
    """A part of a page (from 1) as it is shown: points, 1/72 inch, from its left and bottom."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class Occurrence:
    """Where a statement stands; `start`..`end` are half-open code points of the work's text.

    `authors` is empty when the author is unknown, else its ppm sum to 1,000,000.
    """

    id: int
    work_id: str
    work_title: str
    start: int
    end: int
    page: int | None
    line: int | None
    published_on: str | None
    registered_us: int
    disputed: bool
    authors: tuple[AuthorShare, ...]


@dataclass(frozen=True)
class Statement:
    """A statement with its occurrences that are not withdrawn, the credited one first.

    `text` is None once deleted. `store.statements.priority` says who is credited; occurrences in
    works that may not be used now come last.
    """

    id: int
    scope: str
    hash: str
    text: str | None
    language: str
    cluster_id: int
    withdrawn: bool
    occurrences: tuple[Occurrence, ...]
