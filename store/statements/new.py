"""A statement that is to be added, and what became of it."""

from dataclasses import dataclass

from store.records.corpus import AuthorShare, Rectangle
from store.statements.setting import Setting


@dataclass(frozen=True)
class NewStatement:
    """A text that stands at the half-open code-point span `start`..`end` of a work's text.

    `authors` is empty when unknown, else its ppm sum to 1,000,000. `headings` are those above it,
    below the title of the work, the highest first. `confidence_ppm` is None for text that is text.
    """

    text: str
    language: str
    start: int
    end: int
    authors: tuple[AuthorShare, ...] = ()
    page: int | None = None
    line: int | None = None
    published_on: str | None = None
    headings: tuple[str, ...] = ()
    confidence_ppm: int | None = None
    setting: Setting | None = None
    """Where it stands, for one that is not understood by itself."""
    boxes: tuple[Rectangle, ...] = ()
    """Where it stands on its pages; empty where that is not known."""

    @property
    def headings_text(self) -> str:
        """As they are stored."""
        return "\n".join(" ".join(each.split()) for each in self.headings)

    @property
    def boxes_json(self) -> list[list[float]] | None:
        """As they are stored."""
        return [list(box) for box in self.boxes] or None


@dataclass(frozen=True)
class AddedStatement:
    """What became of a NewStatement.

    `is_new`: the text was not in the scope. `occurrence_is_new` false: this span of the work was
    stored before. `withdrawn`: the text was taken out of the scope earlier and stays out.
    """

    statement_id: int
    occurrence_id: int
    is_new: bool
    occurrence_is_new: bool
    withdrawn: bool
