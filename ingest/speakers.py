"""Lines such as `A 说：“1 + 1 = 2”` or `A said: "1 + 1 = 2"`: a speaker, and what was said."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ingest.documents import Passage

# The name ends at the first verb or colon. An ASCII colon needs a space or a quote after it, since
# 12:30 and http://… are no speakers; a comma needs a verb before it and a quote after it.
_ZH, _EN = "说道|说|曰|写道|问道|答道", "said|says|wrote|writes"
_VERB = rf"(?:\s*(?:{_ZH})|\s+(?:{_EN}))"
_SPEAKER = re.compile(
    rf"\s*(?!(?:{_ZH}|{_EN})\s*[:：])"
    r"(?P<name>[^\W\d_][^:：,，。！!？?；;“”\"「」『』]{0,39}?)"
    rf"(?:{_VERB}?\s*(?:：|:(?=[\s“\"「『]))|{_VERB}\s*[,，](?=\s*[“\"「『]))\s*"
)
_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"'}


def speaker_passages(text: str, passages: tuple[Passage, ...]) -> Iterator[Passage]:
    """The passages line by line; a line that names its speaker keeps only what was said, by them.

    Lines without a speaker keep the authors of their passage.
    """
    for passage in passages:
        position = passage.start
        for line in text[passage.start : passage.end].splitlines(keepends=True):
            part = replace(passage, start=position, end=position + len(line))
            yield _spoken(text, part)
            position = part.end


def _spoken(text: str, line: Passage) -> Passage:
    match = _SPEAKER.match(text, line.start, line.end)
    if match is None:
        return line
    start, end = _inside_quotes(text, match.end(), line.end)
    return replace(line, start=start, end=end, authors=(match["name"].strip(),))


def _inside_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """The inside of a quotation that is all of text[start:end], else text[start:end]."""
    said = text[start:end].rstrip().rstrip("。.")
    closing = _QUOTES.get(said[:1])
    if closing and len(said) > 1 and said.find(closing, 1) == len(said) - 1:
        return start + 1, start + len(said) - 1
    return start, end
