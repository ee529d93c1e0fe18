"""Words and numbers of renderings in Chinese and English."""

import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

from haozhi.language import Language

# XML and PDF text have no place for control characters, lone surrogates and two non-characters.
_UNPRINTABLE = dict.fromkeys(
    (*range(32), *range(127, 160), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "�"
)
_UNPRINTABLE |= dict.fromkeys((9, 10, 13), " ")


@cache
def words(language: Language) -> dict[str, Any]:
    """The texts of `words.toml` in one language; tables are dicts."""
    text = files(__package__).joinpath("words.toml").read_text("utf-8")
    chosen: dict[str, Any] = tomllib.loads(text)[language]
    return chosen


def printable(text: str) -> str:
    """The text on one line, what cannot be printed replaced by U+FFFD."""
    return text.translate(_UNPRINTABLE)


def width_em(text: str) -> float:
    """About how wide the text is set, in em: a Chinese character takes 1, others a good half."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    capitals = sum(c.isupper() for c in text)
    return wide + 0.7 * capitals + 0.57 * (len(text) - wide - capitals)


def cut(text: str, most_em: float) -> str:
    """The text, shortened with … to at most this width."""
    if width_em(text) <= most_em:
        return text
    while text and width_em(text) + 1 > most_em:
        text = text[:-1]
    return text.rstrip() + "…"
