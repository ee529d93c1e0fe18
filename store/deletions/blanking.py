"""Blanks in place of words, one for each code point, so that every span stays where it is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

BLANK = "█"

SHORTEST_QUOTE = 4
"""Code points: what is shorter is a word that others use too, not a quotation."""

_FEW = 50
"""Texts that are faster looked for one by one, since almost no text has one of them in it."""

Span = tuple[int, int]


class Quotes:
    """Finds texts verbatim in other texts, thousands of them in one pass.

    A text that ends in a letter or digit is no quotation inside a longer word or number:
    `1 + 1 = 2` does not stand in `11 + 1 = 21`. Between Han characters there is no such border.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = frozenset(text for text in texts if len(text) >= SHORTEST_QUOTE)
        self._by_start: dict[str, list[str]] = defaultdict(list)
        for text in sorted(self.texts, key=len, reverse=True):
            self._by_start[text[:SHORTEST_QUOTE]].append(text)

    def spans(self, text: str) -> Iterator[Span]:
        """Where they stand in a text, half-open; of those that start together the longest."""
        if len(self.texts) <= _FEW and not any(each in text for each in self.texts):
            return
        starts = self._by_start
        for i in range(len(text) - SHORTEST_QUOTE + 1):
            for quote in starts.get(text[i : i + SHORTEST_QUOTE], ()):
                end = i + len(quote)
                if text.startswith(quote, i) and _bounded(text, i, end):
                    yield i, end
                    break

    def stand_in(self, value: object) -> bool:
        """Whether one of them stands in a text, or in any text of a JSON value."""
        return any(True for text in texts_in(value) for _ in self.spans(text))

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
    letters = list(text)
    for start, end in spans:
        letters[start:end] = BLANK * len(letters[start:end])
    return "".join(letters)


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
