"""Lines such as `A 说：“1 + 1 = 2”` or `A said: "1 + 1 = 2"`: a speaker, and what was said."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ingest.documents import Passage
from ingest.names import known_names

# The name ends at the first verb or colon. An ASCII colon needs a space or a quote after it, since
# 12:30 and http://… are no speakers; a comma needs a verb before it and a quote after it.
_ZH, _EN = "说道|说|曰|写道|问道|答道", "said|says|wrote|writes"
_VERB = rf"(?:\s*(?:{_ZH})|\s+(?:{_EN}))"
_SPEAKER = re.compile(
    rf"\s*(?!(?:{_ZH}|{_EN})\s*[:：])"
    r"(?P<name>[^\W\d_][^:：,，。！!？?；;“”\"「」『』]{0,39}?)"
    rf"(?:{_VERB}?\s*(?:：|:(?=[\s“\"「『]))|{_VERB}\s*[,，](?=\s*[“\"「『]))\s*"
)
# What stands before a colon and names nobody.
_LABEL = re.compile(
    "注|注意|备注|附注|按|编者按|问|答|例|例如|比如|即|如下|时间|地点|日期|标题|题目|摘要|关键词|"
    "来源|作者|译者|出处|链接|网址|电话|邮箱|总结|结论|提示|警告|定义|原文|译文|今日|明日|次日|節|节日|"
    "註|備註|編者按|問|時間|地點|標題|題目|關鍵詞|來源|譯者|出處|連結|網址|電話|總結|結論|警告|定義|"
    "notes?|warning|caution|question|answer|example|e\\.g|i\\.e|source|summary|date|time|place|"
    "title|subject|author|abstract|keywords|url|link|phone|e-?mail|conclusion|tip|ps|see also|from|"
    "to|cc|re|step \\d+|chapter \\d+|figure \\d+|table \\d+",
    re.IGNORECASE,
)
_MISPRINT = re.compile(r"(?P<name>[\u3400-\u9fff]{2,4})日")  # 日 for 曰
_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"'}


def speaker_passages(text: str, passages: tuple[Passage, ...]) -> Iterator[Passage]:
    """The passages line by line; a line that names its speaker keeps only what was said, by them.

    Lines without a speaker keep the authors of their passage. Where 日 is printed for 曰, the
    speaker is known if another line names the same one, else unknown.
    """
    for passage in passages:
        if passage.voice or passage.whole:
            yield passage
            continue
        position = passage.start
        for line in text[passage.start : passage.end].splitlines(keepends=True):
            part = replace(passage, start=position, end=position + len(line))
            yield _spoken(text, part)
            position = part.end


def _spoken(text: str, line: Passage) -> Passage:
    match = _SPEAKER.match(text, line.start, line.end)
    if match is None or _LABEL.fullmatch(name := match["name"].strip()):
        return line
    start, end = _inside_quotes(text, match.end(), line.end)
    authors = known_names((name,))
    if misprint := _MISPRINT.fullmatch(name):
        authors = (misprint["name"],) if f"{misprint['name']}曰：" in text else ()
    return replace(line, start=start, end=end, authors=authors, voice=True)


def _inside_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """The inside of a quotation that is all of text[start:end], else text[start:end]."""
    said = text[start:end].rstrip().rstrip("。.")
    closing = _QUOTES.get(said[:1])
    if closing and len(said) > 1 and said.find(closing, 1) == len(said) - 1:
        return start + 1, start + len(said) - 1
    return start, end
