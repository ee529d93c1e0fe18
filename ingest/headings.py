"""Under which headings a passage stands."""

from bisect import bisect_right
from dataclasses import dataclass

from ingest.documents import Document, Heading


@dataclass(frozen=True)
class Outline:
    """From which offset of a text on which headings hold, the highest first."""

    starts: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]

    def at(self, offset: int) -> tuple[str, ...]:
        """The headings above a code point."""
        index = bisect_right(self.starts, offset)
        return self.paths[index - 1] if index else ()


def outline_of(document: Document) -> Outline:
    """The headings of a document below its title, which is no heading of its passages."""
    starts: list[int] = []
    paths: list[tuple[str, ...]] = []
    above: list[Heading] = []
    for heading in sorted(document.headings, key=lambda each: each.start):
        above = [each for each in above if each.level < heading.level] + [heading]
        words = (document.text[each.start : each.end].strip() for each in above)
        starts.append(heading.start)
        paths.append(tuple(each for each in words if each and each != document.title))
    return Outline(tuple(starts), tuple(paths))
