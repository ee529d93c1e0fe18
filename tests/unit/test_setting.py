"""Which statements need their setting, and what is made of it."""

import pytest

from ingest.setting import LONGEST, in_setting, needs_setting, setting_text, with_setting
from store.statements import NewStatement
from store.statements.setting import Setting


@pytest.mark.parametrize(
    "text",
    [
        "She moved to Paris in 1891.",
        "“It is the oldest bridge of the town.”",
        "This made the shop famous.",
        "Their cat is called Dumpling.",
        "她后来搬到了巴黎。",
        "「他是渔夫。」",
        "其作品收藏在博物馆。",
        "此后，她没有再写诗。",
        "該市位於河的北岸。",
        "这是镇上最老的桥。",
    ],
)
def test_a_pronoun_at_the_beginning_needs_a_setting(text: str) -> None:
    """In English and in Chinese, simplified and traditional, quoted or not."""
    assert needs_setting(text)


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie was born in Warsaw.",
        "Items are sold at nine.",
        "Hershey is a town.",
        "1 + 1 = 2",
        "我的猫叫团子。",
        "其他人都走了。",
        "其实她住在巴黎。",
        "此外，图书馆九点开门。",
        "这学期的高数课由庄老师来上。",
    ],
)
def test_what_speaks_for_itself_needs_none(text: str) -> None:
    """A name, a number, and words that only begin like a pronoun."""
    assert not needs_setting(text)
    assert with_setting(text, Setting("Title", ("Heading",), ("Before.",))) == text


def test_a_setting_is_the_path_and_what_comes_before() -> None:
    """One line, however the parts were written, the nearest words kept."""
    setting = Setting("Marie\nCurie", ("Life", "Paris"), ("She studied.", "It was\nhard."))
    line = "Marie Curie / Life / Paris: She studied. It was hard."
    assert setting_text(setting) == line
    assert with_setting("She moved.", setting) == f"{line}\nShe moved."
    assert with_setting("She moved.", Setting("")) == "She moved."
    long = setting_text(Setting("T", (), ("a" * 500, "end")))
    assert long.endswith("a end")
    assert len(long) == len("T: ") + LONGEST


def test_the_setting_is_at_most_two_statements_under_the_same_heading() -> None:
    """What stands under another heading, or comes after, does not count."""
    texts = ["Anna paints.", "Bo writes.", "Cleo sings.", "She also dances.", "It is late."]
    headings = [("One",), ("Two",), ("Two",), ("Two",), ("Three",)]
    new = [
        NewStatement(text, "en", n, n + 1, headings=path)
        for n, (text, path) in enumerate(zip(texts, headings, strict=True))
    ]
    found = [each.setting for each in in_setting("Notes", new)]
    assert found[:3] == [None, None, None]
    assert found[3] == Setting("Notes", ("Two",), ("Bo writes.", "Cleo sings."))
    assert found[4] == Setting("Notes", ("Three",), ())
