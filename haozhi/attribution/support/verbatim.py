"""Whether a statement and a segment say the same, word for word."""

import re
import unicodedata

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LEAST_PART = 0.6  # of the longer text: a bare `Poland` stands in many statements


def plain(text: str) -> str:
    """NFKC, casefold, one space for punctuation and white space."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return f" {_BETWEEN_WORDS.sub(' ', text).strip()} "


def is_verbatim(segment: str, statement: str) -> bool:
    """Whether the statement holds the whole segment, or the segment the whole statement.

    Chinese has no spaces to match: a segment may begin inside a longer run.
    """
    said, stated = plain(segment), plain(statement)
    if not said.isascii():
        said, stated = said.replace(" ", ""), stated.replace(" ", "")
    shorter, longer = sorted((said, stated), key=len)
    return shorter in longer and len(shorter) >= _LEAST_PART * len(longer)
