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
# Somebody whom the line does not name.
_SOMEBODY = re.compile(
    "[我你您他她它其]们?|[我你他她]們|人|众人|有人|昔人|古人|前人|时人|世人|或|又|诗|詩|经|經|书|書|传|傳|语|語|古语|"
    "谚|諺|谚语|俗语|乃|因|遂|故|对|對|答|笑|叹|歎|i|he|she|they|we|you|it|who|one|someone|"
    "(?:the|an?|this|that|these|those|his|her|their|my|our|your)\\s.*",
    re.IGNORECASE,
)
# Without a verb only what can be nothing but a name is one.
_NAME = re.compile(
    r"[\u3400-\u9fff]{1,4}\s?[A-Za-z0-9]{0,3}|[\u3400-\u9fff]{1,8}[·•][\u3400-\u9fff·•]{1,12}|"
    r"[^\W\d_a-z\u3400-\u9fff][\w.'’-]*(?:\s+(?:[^\W_a-z][\w.'’-]*|de|da|van|von|der|bin|al)){0,3}"
)
_MOST_HAN = 8  # characters of a name in Chinese before a verb
_VERBS_IN_NAME = re.compile(r"[\u3400-\u9fff]{2,3}[云言谓謂]|[\u3400-\u9fff]*[是有为為者也焉]")
_AGAIN = re.compile(r"\s*又[曰说說云][:：]")
_MISPRINT = re.compile(r"(?P<name>[\u3400-\u9fff]{2,4})日")  # 日 for 曰
_RIGHT = re.compile(r"([\u3400-\u9fff]{2,4})曰：")
_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"'}


def speaker_passages(text: str, passages: tuple[Passage, ...]) -> Iterator[Passage]:
    """The passages line by line; a line that names its speaker keeps only what was said, by them.

    Lines without a speaker keep the authors of their passage. Somebody who is not named (`he said`)
    is unknown; 又曰 is by who spoke in the line before. Where 日 is printed for 曰, the speaker is
    known if another line names the same one.
    """
    right = frozenset(_RIGHT.findall(text))
    last: tuple[str, ...] = ()
    for passage in passages:
        if passage.voice or passage.whole:
            yield passage
            continue
        position = passage.start
        for line in text[passage.start : passage.end].splitlines(keepends=True):
            part = replace(passage, start=position, end=position + len(line))
            spoken = _spoken(text, part, right)
            if spoken.voice and _AGAIN.match(text, part.start):
                spoken = replace(spoken, authors=last)
            last = spoken.authors if spoken.voice else ()
            yield spoken
            position = part.end


def _spoken(text: str, line: Passage, right: frozenset[str]) -> Passage:
    match = _SPEAKER.match(text, line.start, line.end)
    if match is None:
        return line
    with_verb = any(map(str.isalpha, text[match.end("name") : match.end()]))
    authors = _speaker(match["name"].strip(), with_verb=with_verb, right=right)
    if authors is None:
        return line
    start, end = _inside_quotes(text, match.end(), line.end)
    return replace(line, start=start, end=end, authors=authors, voice=True)


def _speaker(name: str, *, with_verb: bool, right: frozenset[str]) -> tuple[str, ...] | None:
    """The author of what follows, () for somebody without a name, None when nobody speaks."""
    if misprint := _MISPRINT.fullmatch(name):
        return (misprint["name"],) if misprint["name"] in right else ()
    if _LABEL.fullmatch(name):
        return None
    if _SOMEBODY.fullmatch(name):
        return () if with_verb else None
    if not with_verb:
        if _NAME.fullmatch(name) is None:
            return None
        return () if _VERBS_IN_NAME.fullmatch(name) else known_names((name,))
    han = sum("\u3400" <= character <= "\u9fff" for character in name)
    return known_names((name,)) if han <= _MOST_HAN else ()


def _inside_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """The inside of a quotation that is all of text[start:end], else text[start:end]."""
    said = text[start:end].rstrip().rstrip("。.")
    closing = _QUOTES.get(said[:1])
    if closing and len(said) > 1 and said.find(closing, 1) == len(said) - 1:
        return start + 1, start + len(said) - 1
    return start, end
