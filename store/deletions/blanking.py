"""Blanks in place of words, one for each code point, so that every span stays where it is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

BLANK = "█"

SHORTEST_QUOTE = 4
"""Code points: what is shorter is a word that others use too, not a quotation."""

_START = 16
"""Code points by which a text is looked up; a shorter one by all that it has."""

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
        lengths: dict[str, set[int]] = defaultdict(set)
        for text in self.texts:
            lengths[text[:_START]].add(len(text))
        self._lengths = {start: sorted(each, reverse=True) for start, each in lengths.items()}
        self._starts = sorted({len(start) for start in lengths}, reverse=True)

    def spans(self, text: str) -> Iterator[Span]:
        """Where they stand in a text, half-open; of those that start together the longest."""
        if len(self.texts) <= _FEW and not any(each in text for each in self.texts):
            return
        known, found = self._lengths, dict[int, int]()
        for start in self._starts:
            last = len(text) - start + 1
            for i in [i for i in range(last) if text[i : i + start] in known]:
                for end in (i + length for length in known[text[i : i + start]]):
                    if text[i:end] in self.texts and _bounded(text, i, end):
                        found.setdefault(i, end)
        yield from sorted(found.items())

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
