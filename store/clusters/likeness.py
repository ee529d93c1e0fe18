"""When one text is a copy of another: the same words in the same order, and nothing that counts.

A copy may leave out, add or replace a few words. What it may not change is what makes another
statement of it: a number, a negation, a name, or one of a pair of opposites (first, last; 前, 后).
Chinese does not mark names, so nothing in Han characters may be replaced, only left out or added.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from math import inf

from store.clusters.forms import plain, words_of
from store.clusters.words import (
    COMMON,
    NEGATIONS,
    NUMBERS,
    OPENERS,
    OPPOSITES,
    PREFIXES,
    QUALIFIERS,
)

LEAST_WORDS = 6
"""Telling words (Han characters count half) that both texts need."""
LEAST_SHARED = 0.5
"""Part of the telling words of both that both have (Jaccard)."""
LEAST_COSINE = 0.93
"""Of the vectors of both texts, where one only leaves words of the other out."""
LEAST_COSINE_REPLACED = 0.97
"""Where telling words stand in the place of others: synonyms come out above, other things below."""

_NAME = re.compile(r"https?:\S+|[^\W\d_]*[A-Z\u00c0-\u00de][^\W_]*")
_IS_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]")


@dataclass(frozen=True)
class Likeness:
    """A text as it is compared."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words, numbers and single Han characters, in order, in simplified small letters."""
        return tuple(words_of(self.text))

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """The words that are not common ones."""
        return tuple(word for word in self.words if word not in COMMON)

    @cached_property
    def features(self) -> frozenset[str]:
        """What is counted: telling words, and pairs of Han characters."""
        pairs = zip(self.words, self.words[1:], strict=False)
        han = {a + b for a, b in pairs if is_han(a) and is_han(b)}
        return frozenset({word for word in self.telling if not is_han(word)} | han)

    @cached_property
    def fixed(self) -> tuple[tuple[str, ...], ...]:
        """The numbers in order, and what denies or sets apart as often as it occurs."""
        numbers = tuple(w for w in self.words if w[0].isdigit() or w in NUMBERS)
        return numbers, tuple(sorted(w for w in self.words if w in NEGATIONS | QUALIFIERS))

    @cached_property
    def opposites(self) -> "Counter[str]":
        """How often words occur that have an opposite."""
        return Counter(word for word in self.words if word in OPPOSITES)

    @cached_property
    def names(self) -> frozenset[str]:
        """Words written like a name or in an address, and the first word unless it is an opener."""
        found = list(_NAME.finditer(plain(self.text)))
        named = [m[0] for m in found if m.start() or m[0].casefold() not in OPENERS]
        return frozenset(word for name in named for word in words_of(name)) - COMMON

    @property
    def size(self) -> float:
        """How much there is to compare."""
        han = sum(map(is_han, self.telling))
        return len(self.telling) - han / 2


def is_copy(one: Likeness, other: Likeness, cosine: float) -> bool:
    """Whether two texts say the same in nearly the same words; it does not matter which is first.

    `cosine` is that of their vectors.
    """
    return (
        min(one.size, other.size) >= LEAST_WORDS
        and shared(one, other) >= LEAST_SHARED
        and one.fixed == other.fixed
        and not (one.opposites - other.opposites and other.opposites - one.opposites)
        and _same_names(one, other)
        and _same_order(one, other)
        and cosine >= _least_cosine(one, other)
    )


def shared(one: Likeness, other: Likeness) -> float:
    """Part of the features of both that both have, 0..1."""
    both = one.features | other.features
    return len(one.features & other.features) / len(both) if both else 0.0


def is_han(word: str) -> bool:
    """Whether it begins with a Han character."""
    return bool(_IS_HAN.match(word))


def _same_names(one: Likeness, other: Likeness) -> bool:
    """No name stands in the place of another; one of the two may leave names out."""
    return one.names <= set(other.words) or other.names <= set(one.words)


def _same_order(one: Likeness, other: Likeness) -> bool:
    """What both have once stands in the same order: who did what to whom."""
    once = _once(one) & _once(other)
    return [w for w in one.telling if w in once] == [w for w in other.telling if w in once]


def _once(text: Likeness) -> set[str]:
    return {word for word, count in Counter(text.telling).items() if count == 1}


def _least_cosine(one: Likeness, other: Likeness) -> float:
    """How near the vectors must be; none is near enough where Han characters or opposites swap."""
    # In one order, because the matcher's result depends on it.
    first, second = sorted((one.telling, other.telling))
    least = LEAST_COSINE
    for operation, a, b, c, d in SequenceMatcher(None, first, second, False).get_opcodes():
        if operation == "replace":
            old, new = first[a:b], second[c:d]
            if _is_forbidden(old, new):
                return inf
            least = LEAST_COSINE_REPLACED
    return least


def _is_forbidden(old: Sequence[str], new: Sequence[str]) -> bool:
    if any(map(is_han, old)) and any(map(is_han, new)):
        return True
    return any(_opposes(x, y) or _opposes(y, x) for x in old for y in new)


def _opposes(word: str, other: str) -> bool:
    return any(word == prefix + other for prefix in PREFIXES)
