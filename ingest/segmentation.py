"""Text becomes sentences: exact half-open code-point spans, Chinese and English alike.

sentencex knows where a full stop is only an abbreviation. What it misses is decided here: it never
ends a sentence before a digit or a small letter (`。2023年…`), takes a list number for a sentence,
and is quadratic in the length of a line.
"""

import re
from collections.abc import Iterator

from sentencex import get_sentence_boundaries

MAX_STATEMENT = 600
"""Longest statement in code points; a longer sentence is cut, at punctuation where it has any."""

_MAX_PIECE = 2000  # what sentencex sees at once, in code points
_HAN = re.compile(r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_CLOSERS = "”’」』）》"
_STOP_OR_ENCLOSED = re.compile(
    rf"[。！？]+[{_CLOSERS}]*|“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》|（[^（）]*）|\"[^\"]*\""
)
_LIST_NUMBER = re.compile(r"\s*[(（]?(?:[0-9０-９]{1,3}|[a-zA-Z])[.．、)）]\s*")
# A sentence does not begin with one of these: 他说“好！”，… / 5! = 120 / What?!
_CONTINUES = re.compile(r"\s*[，、；：。．！？,;:.!?)\]}）】》”’」』…=＝≠≈≤≥+×÷]")
_BREAKS = (
    ("。", "！", "？", ". ", "! ", "? "),
    ("；", "，", "、", "：", "; ", ", ", ": "),
    (" ", "\t"),
)


def language_of(text: str) -> str:
    """`zh` when the Han characters are at least as many as the Latin words, else `en`.

    A text with neither, such as `1 + 1 = 2`, counts as `en`.
    """
    han = len(_HAN.findall(text))
    return "zh" if han and han >= len(_WORD.findall(text)) else "en"


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The spans of the sentences in text[start:end], in order, without outer white space.

    Spans do not overlap, are 1..MAX_STATEMENT long and cover everything but white space. A line
    break always ends a sentence; an ellipsis never does (it hesitates as often as it ends).
    """
    end = len(text) if end is None else end
    position = start
    for line in text[start:end].splitlines(keepends=True):
        for low, high in _chunks(text, position, position + len(line), _MAX_PIECE):
            for span in _split(text, low, high):
                yield from _trimmed(text, *span)
        position += len(line)


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentences of one piece of one line, white space included."""
    piece = text[start:end]
    found = get_sentence_boundaries(language_of(piece), piece)
    cuts = {boundary["end_index"] for boundary in found} | _full_stops(piece)
    low = 0
    for cut in sorted(cuts - {len(piece)}):
        is_number = _LIST_NUMBER.fullmatch(piece, low, cut)
        if not is_number and not _CONTINUES.match(piece, cut):
            yield start + low, start + cut
            low = cut
    yield start + low, end


def _full_stops(piece: str) -> set[int]:
    """Where `。！？` end, after the quotes that they close; inside a quotation none counts."""
    marks = _STOP_OR_ENCLOSED.finditer(piece)
    return {m.end() for m in marks if m[0].rstrip(_CLOSERS + '"').endswith(("。", "！", "？"))}


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for low, high in _chunks(text, start, end, MAX_STATEMENT):
        part = text[low:high].rstrip()
        bare = part.lstrip()
        if bare:
            yield low + len(part) - len(bare), low + len(part)


def _chunks(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """text[start:end] in parts of at most `limit`, cut after the strongest break in reach."""
    while end - start > limit:
        cut = _last_break(text, start + limit // 2, start + limit)
        yield start, cut
        start = cut
    yield start, end


def _last_break(text: str, start: int, end: int) -> int:
    """The end of the last sentence, else clause, else word in text[start:end]; else `end`."""
    for marks in _BREAKS:
        ends = [at + len(mark) for mark in marks if (at := text.rfind(mark, start, end)) >= 0]
        if ends:
            return max(ends)
    return end
