"""What a text is found by."""

import pytest

from store.lexical.naming import heading_token, longest_names, nameable
from store.lexical.tokens import LONGEST, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Cat's 3 kittens", ["the", "cat", "s", "3", "kittens"]),
        ("我家猫", ["我", "家", "猫", "我家", "家猫"]),
        ("猫", ["猫"]),
        ("用 Python写", ["用", "python", "写"]),
        ("1 + 1 = 2", ["1", "1", "2"]),
        ("?!。 …_", []),
        ("", []),
    ],
)
def test_words_and_han_pairs_are_tokens(text: str, expected: list[str]) -> None:
    """Words and numbers count whole, Han characters by themselves and in overlapping pairs."""
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＧＰＴ－４ １２３", "gpt-4 123"),
        ("ﾃｽﾄ", "テスト"),
        ("臺灣的後臺", "台湾的后台"),
        ("什麼著作裡面", "什么着作里面"),
        ("乾隆皇帝與皇后", "干隆皇帝与皇后"),
        ("Straße", "STRASSE"),
    ],
)
def test_ways_of_writing_the_same_give_the_same_tokens(one: str, other: str) -> None:
    """Full and half width, upper and lower case, traditional and simplified do not differ."""
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(
    "date",
    [
        "2023-09-06",
        "2023/9/6",
        "2023年9月6日",
        "２０２３年０９月０６號",
        "September 6, 2023",
        "Sept. 6th 2023",
        "6 September 2023",
        "6th of September, 2023",
    ],
)
def test_a_day_has_one_token_however_it_is_written(date: str) -> None:
    """A Chinese date finds an English one."""
    assert [token for token in tokens(f"on {date}.") if "_" in token] == ["2023_09_06"]


@pytest.mark.parametrize("text", ["12023-09-06", "2023-09-061", "x2023-09-06", "May 2023"])
def test_what_is_no_whole_day_has_no_token_of_one(text: str) -> None:
    """A part of a longer number, or a month alone, names no day."""
    assert "2023_09_06" not in tokens(text)


def test_an_endless_word_counts_by_its_beginning() -> None:
    """No token is longer than LONGEST, so that no index refuses one."""
    assert tokens("x" * 10_000) == ["x" * LONGEST]


def test_a_heading_is_a_token_as_a_whole() -> None:
    """It is the same in any case and script; letters, numbers and long titles name nothing."""
    assert heading_token("The Verge") == heading_token("THE  verge!") == "_the_verge"
    assert heading_token("幽夢影") == heading_token("《幽梦影》") == "_幽_梦_影"
    assert [heading_token(each) for each in ("A", "史", "2023", "…", "w " * 11)] == [None] * 5


def test_a_text_names_the_longest_heading_in_it() -> None:
    """`Times` inside `New York Times` is not meant; a second name elsewhere is."""
    named = nameable("Did the New York Times and 幽夢影 agree?")
    known = tuple(each for each in named if each in {"_times", "_new_york_times", "_幽_梦_影"})
    assert longest_names(known) == ("_new_york_times", "_幽_梦_影")
