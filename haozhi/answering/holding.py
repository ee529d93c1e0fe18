"""Whether a statement says what a segment says, read by characters and words alone."""

import re

from haozhi.sums import canonical_number
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


def adds(segment: str, said: str) -> bool:
    """The segment of a worked sum says more than sums: a word that is neither in `said`, a number
    nor one that joins steps. `1 + 1 = 2, so B is a thief` does, `so the answer is 2` does not."""
    part, known = normalise(segment), normalise(said)
    words = set(_WORD.findall(part)) - set(_WORD.findall(known)) - _FUNCTION - _JOINING
    han = {character for run in _HAN.findall(part) for character in run}
    new = words | (han - set(known) - _JOINING_HAN)
    return any(not canonical_number(word)[0].isdigit() for word in new)


#: Words that say nothing by themselves.
_FUNCTION = frozenset(
    ("a", "an", "the", "in", "on", "at", "of", "to", "is", "are", "was", "were", "it", "by")
) | {"for", "from", "and", "answer"}

#: Words that join the steps of a worked sum or name its result.
_JOINING = frozenset(
    ("so", "then", "thus", "therefore", "hence", "now", "we", "get", "gives", "makes", "that")
) | {"equals", "equal", "result", "sum", "total", "which", "this", "plus", "minus", "times", "x"}
_JOINING_HAN = frozenset(
    "所以因此那么然后再于是最终答案结果是等于得到为就共一总和即又故加减乘除上去的"
)


def _bare(text: str) -> str:
    return _EDGE.sub("", normalise(text))
