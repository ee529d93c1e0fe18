"""Lines of PDF pages become paragraphs: what a page break or a line end interrupts is joined."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from statistics import median

from ingest.documents import Box
from ingest.drafts import Draft
from ingest.formats.pdf_lines import Line, usual_size

_MARGIN = 0.15  # part of a page's height where headers and footers stand
_ENDS = re.compile(r"[.!?。！？…:：;；][”’」』）)\"']*\Z")
_LIST_ITEM = re.compile(
    r"\s*(?:[•‣▪●○■□◆◇*＊·–—-]\s|[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.．、)）]\s?\S)"
)
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:page|p\.|第)?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*(?:(?:of|/|页|頁|共)\s*\d{0,4}\s*[页頁]?)?[-–—\s]*",
    re.IGNORECASE,
)
_NO_SPACE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")  # Korean has spaces


_CUT = re.compile(r"[^\W\d_]-\Z")
_DIGITS = re.compile(r"\d+")
_FIRST_WORD = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff]+")
_FEW_LINES, _PROSE = 8, 0.15  # in prose more of the lines than this reach the end of the column
_LEAST_REPEATS = 3


class Page:
    """The lines of a page without its furniture, and what is usual among them."""

    def __init__(self, lines: Sequence[Line], before: "Page | None" = None) -> None:
        self.lines = lines
        self.size = usual_size(lines)
        gaps = [b.across[0] - a.across[1] for a, b in pairwise(lines)]
        self._gap = median([gap for gap in gaps if 0 < gap < 1.2 * self.size] or [0.0])
        few = before is not None and len(lines) < _FEW_LINES
        self._ends: dict[int, tuple[float, float]] = dict(before._ends) if before and few else {}
        for line in lines:
            for column in range(self._column(line) - 1, self._column(line) + 2):
                furthest = (*self._ends.get(column, (-math.inf, -math.inf)), line.along[1])
                second, most = sorted(furthest)[-2:]
                self._ends[column] = (second, most)
        full = sum(self._reaches_end(line, self.size) for line in lines)
        self.is_verse = len(lines) >= _FEW_LINES and full < _PROSE * len(lines)

    def goes_on(self, last: Line, line: Line, before: "Page") -> bool:
        """Whether `line` continues the paragraph ending with `last`, on this page or `before`."""
        if last.direction != line.direction or not 0.7 < last.size / line.size < 1.4:
            return False
        if last.hyphenated:
            return True
        if _is_item(line) or not before.is_full(last, line):
            return False
        if last.page == line.page and last.across[0] <= line.across[0]:
            gap = line.across[0] - last.across[1]
            if gap <= -0.5 * self.size or gap > self._gap + 0.5 * self.size:
                return False
            # Behind a full line that ends a sentence, an indentation begins a paragraph.
            indented = line.along[0] - last.along[0] > 1.2 * self.size
            return not (indented and _ENDS.search(last.text)) or _is_item(last)
        next_column = last.page != line.page or line.along[0] > last.along[1] - self.size
        return next_column and _ENDS.search(last.text) is None

    def is_full(self, line: Line, following: Line) -> bool:
        """Whether the next line's first word had no place in this one: so the text goes on."""
        second, _ = self._ends.get(self._column(line), (-math.inf, 0.0))
        alone = second < line.along[1] - self.size  # it alone says where the column ends
        if self.is_verse or (alone and _ENDS.search(line.text)):
            return False
        word = _FIRST_WORD.match(following.text)
        share = len(word[0]) / len(following.text) if word else 0
        return self._reaches_end(
            line, share * (following.along[1] - following.along[0]) + self.size / 2
        )

    def _reaches_end(self, line: Line, space: float) -> bool:
        return line.along[1] + space > self._ends.get(self._column(line), (0.0, 0.0))[1]

    def _column(self, line: Line) -> int:
        return int(line.along[0] // (4 * self.size))


def _is_item(line: Line) -> bool:
    return _LIST_ITEM.match(line.text) is not None


def write_paragraphs(
    draft: Draft, pages: Sequence[Sequence[Line]], heights: Sequence[float]
) -> None:
    """Write the pages; headers, footers and page numbers stand at the end and are no statements."""
    furniture = _furniture(pages, heights)
    pending: list[Line] = []
    before = Page(())
    for lines in pages:
        page = Page([line for line in lines if line not in furniture], before)
        for line in page.lines:
            last = pending[-1] if pending else line
            of = page if last.page == line.page else before
            if pending and not page.goes_on(last, line, of):
                _write(draft, pending)
                pending = []
            pending.append(line)
        before = page if page.lines else before
    _write(draft, pending)
    in_order = (line.text for lines in pages for line in lines if line in furniture)
    for text in dict.fromkeys(in_order):
        draft.aside(text)


def _write(draft: Draft, lines: list[Line]) -> None:
    """Write a paragraph, and where each of its lines stands in the text."""
    lines = [_cut(line, following) for line, following in zip_longest(lines, lines[1:]) if line]
    text = ""
    for previous, line in zip([None, *lines], lines, strict=False):
        if previous is not None and not previous.hyphenated:
            text += "" if _NO_SPACE.match(line.text) and _NO_SPACE.match(text[-1]) else " "
        start = draft.length + len(text)
        draft.turn_to(line.page, start)
        place = (start, start + len(line.text), line.page)
        draft.boxes.append(Box(*place, *line.frame, line.edges, line.direction in ("down", "up")))
        text += line.text
    known = [line.confidence for line in lines if line.confidence is not None]
    draft.add(text, confidence=min(known, default=None))


def _cut(line: Line, following: Line | None) -> Line:
    """The line without a hyphen that only stands where a word is cut."""
    if following is None or not (_CUT.search(line.text) and following.text[:1].islower()):
        return line
    return replace(line, text=line.text[:-1], edges=line.edges[:-1], hyphenated=True)


def _furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[Line]:
    """What stands in the margins of several pages but for its numbers, and page numbers."""
    margins = [
        [line for line in lines if _is_in_margin(line, height)]
        for lines, height in zip(pages, heights, strict=True)
    ]
    seen = Counter(key for lines in margins for key in {_without_digits(line) for line in lines})
    return {
        line
        for lines in margins
        for line in lines
        if seen[_without_digits(line)] >= _LEAST_REPEATS or _PAGE_NUMBER.fullmatch(line.text)
    }


def _is_in_margin(line: Line, height: float) -> bool:
    return line.frame[1] > (1 - _MARGIN) * height or line.frame[3] < _MARGIN * height


def _without_digits(line: Line) -> str:
    return _DIGITS.sub("#", line.text)
