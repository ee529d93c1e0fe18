"""What a text is found by: words, Han characters and pairs of them, and dates."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from store.lexical.han import simplified

LONGEST = 64
"""Code points of a word that count; what differs only later is the same word."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af"
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_IS_HAN = re.compile(f"[{_HAN}]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = tuple(
    re.compile(rf"(?<![0-9a-z]){form}(?![0-9])")
    for form in (
        r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
        r"(?P<year>[0-9]{4}) ?年 ?(?P<month>[0-9]{1,2}) ?月 ?(?P<day>[0-9]{1,2}) ?[日号]",
        rf"{_MONTH} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<year>[0-9]{{4}})",
        rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH},? (?P<year>[0-9]{{4}})",
    )
)


def tokens(text: str) -> list[str]:
    """The tokens of a text, repeated as often as they stand in it.

    Letters in any case and width, traditional and simplified characters, and the usual ways of
    writing a day in Chinese and English are the same. A run of Han characters counts as its
    characters and its overlapping pairs, everything else as words and numbers.
    """
    folded = _folded(text)
    found: list[str] = []
    for run in _RUN.findall(folded):
        if _IS_HAN.match(run):
            found += run
            found += map("".join, pairwise(run))
        else:
            found.append(run[:LONGEST])
    return found + list(_days(folded))


def units(text: str) -> list[str]:
    """The words and single Han characters of a text in their order."""
    runs = _RUN.findall(_folded(text))
    return [unit for run in runs for unit in (run if _IS_HAN.match(run) else (run[:LONGEST],))]


def _folded(text: str) -> str:
    return simplified(unicodedata.normalize("NFKC", text).casefold())


def _days(folded: str) -> Iterator[str]:
    """The days that are named, as `2023_09_26`; an underscore stands in no other token."""
    for form in _DATES:
        for date in form.finditer(folded):
            named = date.groupdict()
            month = _MONTHS.index(named["name"]) + 1 if "name" in named else int(named["month"])
            yield f"{named['year']}_{month:02}_{int(named['day']):02}"
