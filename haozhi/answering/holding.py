"""Whether a statement says what a segment says, read by characters and words alone."""

import re

from store.text import normalise

_HAN = re.compile(r"[㐀-鿿]+")
_WORD = re.compile(r"[^\W_㐀-鿿]+(?:[.,:]\d+)*")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")


def says(statement: str, segment: str) -> bool:
    """The segment is the statement, word for word but for case and outer punctuation."""
    return _bare(statement) == _bare(segment) != ""


def holds(statement: str, segment: str, question: str) -> bool:
    """The statement has every word of the segment that the question lacks, and there is one.

    Latin words and numbers must match whole; a run of Han characters must stand in the statement
    unbroken.
    """
    said, asked = normalise(statement), normalise(question)
    words = set(_WORD.findall(said)) | set(_WORD.findall(asked))
    part = _bare(segment)
    if any(word not in words for word in _WORD.findall(part)):
        return False
    runs = _HAN.findall(part)
    if any(run not in said for run in runs):
        return False
    new_words = set(_WORD.findall(part)) - set(_WORD.findall(asked)) - _FUNCTION
    return bool(new_words) or any(run not in asked for run in runs)


#: Words that say nothing by themselves.
_FUNCTION = frozenset(
    ("a", "an", "the", "in", "on", "at", "of", "to", "is", "are", "was", "were", "it", "by")
) | {"for", "from", "and", "answer"}


def _bare(text: str) -> str:
    return _EDGE.sub("", normalise(text))
