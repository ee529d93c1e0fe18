"""Blanks in place of words, one for each code point, so that every span stays where it is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from store.deletions.windows import WINDOWS, Beginnings, window_of

BLANK = "█"

SHORTEST_QUOTE = 4
"""Code points: what is shorter is a word that others use too, not a quotation."""

Span = tuple[int, int]


class Quotes:
    """Finds texts verbatim in other texts, thousands of them in one pass.

    A text that ends in a letter or digit is no quotation inside a longer word or number:
    `1 + 1 = 2` does not stand in `11 + 1 = 21`. Between Han characters there is no such border.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = frozenset(text for text in texts if len(text) >= SHORTEST_QUOTE)
        self.shortest = min(map(len, self.texts), default=SHORTEST_QUOTE)
        lengths: dict[str, set[int]] = defaultdict(set)
        for text in self.texts:
            lengths[text[: window_of(text)]].add(len(text))
        self._lengths = {start: sorted(each, reverse=True) for start, each in lengths.items()}
        self._beginnings = Beginnings(self._lengths)

    def spans(self, text: str) -> Iterator[Span]:
        """Where they stand in a text, half-open; of those that start together the longest."""
        for _, start in self._beginnings.among([text]):
            end = self._end(text, start)
            if end:
                yield start, end

    def standing_in(self, texts: Sequence[str]) -> list[int]:
        """The numbers of the texts in which one of them stands."""
        may = self._beginnings.among(texts)
        return sorted({number for number, start in may if self._end(texts[number], start)})

    def _end(self, text: str, start: int) -> int | None:
        """Where the longest that begins here ends; None: none does."""
        for window in WINDOWS:
            for length in self._lengths.get(text[start : start + window], ()):
                said = text[start : start + length]
                if said in self.texts and _bounded(text, start, start + len(said)):
                    return start + len(said)
        return None

    def blanked(self, value: Any) -> Any:
        """The text, or the JSON value, with every quotation blanked."""
        if isinstance(value, str):
            return blank(value, self.spans(value))
        if isinstance(value, list):
            return [self.blanked(each) for each in value]
        if isinstance(value, dict):
            return {self.blanked(key): self.blanked(each) for key, each in value.items()}
        return value


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with a blank for each code point of these half-open spans."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        parts += text[done:start], BLANK * (min(end, len(text)) - max(start, done))
        done = max(done, end)
    return "".join((*parts, text[done:]))


def texts_in(value: object) -> Iterator[str]:
    """A text, or all texts of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts_in(key)
            yield from texts_in(each)


def _bounded(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_in_word(before) and _in_word(text[start])) and not (
        _in_word(text[end - 1]) and _in_word(after)
    )


def _in_word(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
