"""Whom or what a statement that opens with a pronoun may mean, as its setting says."""

import re

from haozhi.judge.words import words
from store.statements.setting import Setting

# What a sentence opens with when that is a name.
_NAME_EN = re.compile(r"(?:[A-Z][\w'’.-]*\s*)+")
_NAME_ZH = re.compile(r"[\u3400-\u9fff]{2,}")
_MOST_HAN = 4
_NO_NAME = re.compile(r"[在是有于於曾的也就都和与與被把了從从]")


def about(setting: Setting) -> str:
    """Title and headings, and the names that the sentences before open with; '' for nothing.

    What those sentences say of them is left out: it is not what this statement says.
    """
    names = (_opening_name(text.strip()) for text in setting.before)
    return ". ".join(part for part in (setting.title, *setting.headings, *names) if part)


def _opening_name(text: str) -> str:
    """`Marie Curie` of `Marie Curie was born …`, 居里夫人 of 居里夫人在…; '' where none is seen."""
    if match := _NAME_EN.match(text):
        return match.group().strip()
    match = _NAME_ZH.match(text)
    name = _NO_NAME.split(match.group()[:_MOST_HAN])[0] if match else ""
    for group in words().groups_zh:
        for word in group:
            name = name.partition(word)[0] if len(word) > 1 else name
    return name if len(name) > 1 else ""
