"""Whom a pronoun may mean: titles, headings and what the sentences before open with."""

import pytest

from haozhi.judge.about import about
from store.statements.setting import Setting


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (Setting("Lu Xun"), "Lu Xun"),
        (Setting("Physics", ("Life",), ("Marie Curie was born in Warsaw.",)),
         "Physics. Life. Marie Curie"),
        (Setting("笔记", ("晚年",), ("居里夫人在巴黎教书。",)), "笔记. 晚年. 居里夫人"),
        (Setting("笔记", (), ("鲁迅出生于绍兴。", "团子是一只猫。")), "笔记. 鲁迅. 团子"),
        (Setting("", (), ("in 1881 it rained.", "在绍兴。")), ""),
    ],
)  # fmt: skip
def test_names_are_taken_and_what_is_said_of_them_is_left(setting: Setting, expected: str) -> None:
    """That Curie was born in Warsaw is not what the sentence after it says."""
    assert about(setting) == expected
