"""Lines that name their speaker."""

import pytest

from ingest.documents import Passage
from ingest.speakers import speaker_passages

PASSAGE_AUTHOR = ("the author of the passage",)


def _read(text: str) -> list[tuple[tuple[str, ...], str]]:
    passage = Passage(0, len(text), line=1, authors=PASSAGE_AUTHOR)
    found = speaker_passages(text, (passage,))
    return [(part.authors, text[part.start : part.end].strip()) for part in found]


@pytest.mark.parametrize(
    ("line", "speaker", "said"),
    [
        ("A 说：“1 + 1 = 2”", "A", "1 + 1 = 2"),
        ('A said: "1 + 1 = 2"', "A", "1 + 1 = 2"),
        ('A said, "1 + 1 = 2".', "A", "1 + 1 = 2"),
        ("B said: “2 + 1 = 3”。", "B", "2 + 1 = 3"),
        ("  Marie Curie wrote: it glows", "Marie Curie", "it glows"),
        ("张潮曰：可想见其百城时。", "张潮", "可想见其百城时。"),
        ("马云：你好。", "马云", "你好。"),
        ("王五说道：「好。不好。」", "王五", "好。不好。"),
        ("甲曰：“一”，又曰：“二”。", "甲", "“一”，又曰：“二”。"),
        ("Anna: see you", "Anna", "see you"),
    ],
)
def test_a_speaker_line_keeps_what_was_said(line: str, speaker: str, said: str) -> None:
    """The speaker is the author, and quotes around all that was said are not part of it."""
    assert _read(line) == [((speaker,), said)]


@pytest.mark.parametrize(
    "line",
    [
        "http://a.example/b",
        "12:30 开会",
        'However, "yes".',
        "“A”：b",
        "no colon",
        "A:b",
        "said: x",
        "曰：一",
        "注意：地滑",
        "Note: it is wet",
        "问：为什么？",
        "水之为声有四：一曰瀑布",
        "吾欲致书雨师：春雨宜始",
        "The result: it is wet",
        "he: x",
    ],
)
def test_other_lines_keep_their_author(line: str) -> None:
    """A colon in a time, an address or a quotation does not make a speaker."""
    assert _read(line) == [(PASSAGE_AUTHOR, line)]


def test_each_line_has_its_own_speaker() -> None:
    """A speaker speaks for one line; the next line without one is by the passage's author."""
    assert _read("甲：一\n二\r\n乙：三") == [
        (("甲",), "一"),
        (PASSAGE_AUTHOR, "二"),
        (("乙",), "三"),
    ]


def test_a_misprinted_verb_makes_no_new_person() -> None:
    """`X日：` is by X where the text says `X曰：` too; else nobody knows, and it is no `X日`."""
    assert _read("张竹坡曰：一\n张竹坡日：二\n弟木山日：三") == [
        (("张竹坡",), "一"),
        (("张竹坡",), "二"),
        ((), "三"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "他说：“好。”",
        "She said: “No.”",
        "The minister said: “No.”",
        "昔人云：好。",
        "或曰：好。",
        "我的朋友小明昨天下午跟我说：“好。”",
    ],
)
def test_somebody_without_a_name_is_unknown(line: str) -> None:
    """What a speaker said whom the line does not name is nobody's, not the passage author's."""
    [(authors, said)] = _read(line)
    assert authors == ()
    assert said in ("好。", "No.")


def test_who_speaks_again_is_who_spoke_before() -> None:
    """`又曰` names nobody itself; behind a line without a speaker it is nobody's."""
    assert [authors for authors, _ in _read("甲曰：一\n又曰：二\n三\n又曰：四")] == [
        ("甲",),
        ("甲",),
        PASSAGE_AUTHOR,
        (),
    ]


def test_a_voice_is_not_read_for_another_speaker() -> None:
    """What a format has given to a speaker stays theirs, whatever the line looks like."""
    voice = Passage(0, 4, line=1, authors=("Rita",), voice=True)
    assert list(speaker_passages("A：b！", (voice,))) == [voice]
