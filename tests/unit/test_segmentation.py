"""Sentences of Chinese and English text, and the spans that they stand at."""

import time

import pytest

from ingest.segmentation import MAX_STATEMENT, language_of, sentences


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 1 = 2", ["1 + 1 = 2"]),
        ("1 + 1 = 2。2 + 1 = 3。", ["1 + 1 = 2。", "2 + 1 = 3。"]),
        ("1 + 1 = 2. 2 + 1 = 3.", ["1 + 1 = 2.", "2 + 1 = 3."]),
        ("5! = 120。0! = 1。", ["5! = 120。", "0! = 1。"]),
        ("圆周率约为3.14。它是无理数。", ["圆周率约为3.14。", "它是无理数。"]),
        ("Pi is 3.14. It is irrational.", ["Pi is 3.14.", "It is irrational."]),
        ("他走了。2023年他回来了。", ["他走了。", "2023年他回来了。"]),
        ("１．第一条。２．第二条。", ["１．第一条。", "２．第二条。"]),
        ("1. 第一条。2. 第二条。", ["1. 第一条。", "2. 第二条。"]),
        ("1. First. 2. Second.", ["1. First.", "2. Second."]),
        ("真的吗？！我不信……算了。", ["真的吗？！", "我不信……算了。"]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("他说：“你好。”她笑了。", ["他说：“你好。”", "她笑了。"]),
        ("他说“好！”，然后走了。", ["他说“好！”，然后走了。"]),
        ("她问：「你去哪里？」我答：「上海。」", ["她问：「你去哪里？」", "我答：「上海。」"]),
        ("他说：“好。不好。”对。", ["他说：“好。不好。”", "对。"]),
        ('他说："好。"她走了。', ['他说："好。"', "她走了。"]),
        ('He said "ok." Then left.', ['He said "ok."', "Then left."]),
        ("Dr. Li lives in St. Louis. He is old.", ["Dr. Li lives in St. Louis.", "He is old."]),
        ("你好。hello there. Bye.", ["你好。", "hello there.", "Bye."]),
        ("第一行\r\n  second line\u2028第三行", ["第一行", "second line", "第三行"]),
        (" \n\t\u3000", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    """A sentence ends at its stop and closing quote, not at a decimal, number or title."""
    assert _split(text) == expected


@pytest.mark.parametrize("clause", ["一个很长的分句，", "quite a long clause, "])
def test_an_endless_sentence_is_cut_between_its_clauses(clause: str) -> None:
    """A sentence over the limit is cut after clause punctuation, so no part exceeds the limit."""
    parts = _split(clause * 200 + "end")
    assert all(len(part) <= MAX_STATEMENT for part in parts)
    assert all(part.endswith(clause.strip()[-1]) for part in parts[:-1])


def test_text_without_any_break_is_cut_at_the_limit() -> None:
    """A run of letters with nowhere to break is cut at exactly the limit."""
    assert [len(part) for part in _split("字" * 1500)] == [600, 600, 300]


@pytest.mark.parametrize("unit", ["今天很好。", "“好。", "A b c. ", "字"])
def test_one_very_long_line_takes_linear_time(unit: str) -> None:
    """Ten times the line takes about ten times as long, because sentencex never sees it whole."""

    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        began = time.process_time()
        list(sentences(text))
        return time.process_time() - began

    seconds(1_000)
    assert seconds(300_000) < 40 * max(seconds(30_000), 0.005)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我用 Python 写程序", "zh"),
        ("The word 道 means way", "en"),
        ("1 + 1 = 2", "en"),
        ("猫", "zh"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_most_words_are_in(text: str, language: str) -> None:
    """Han characters count against Latin words; a bare expression counts as English."""
    assert language_of(text) == language
