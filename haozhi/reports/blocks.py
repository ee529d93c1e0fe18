"""What a document is made of, as values; how it looks is for who draws it."""

from dataclasses import dataclass

from haozhi.reports.charts import Figure


@dataclass(frozen=True)
class Heading:
    """The title of the document (level 1) or of a section (level 2)."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Running text; a faint one is a remark on what stands before it."""

    text: str
    faint: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table: its title, its part of the width, and whether it holds numbers."""

    title: str
    part: float
    number: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text, as long as `columns`; without titles there is no head row."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()


Block = Heading | Paragraph | Table | Figure
