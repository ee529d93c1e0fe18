"""Made facts with words that no model has read, so that only the statements can supply them."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from haozhi.evaluation.attribution.items import STATEMENTS, Item
from haozhi.language import Language

PER_KIND = 8
"""Items of each kind and language."""

_ENGLISH = """
    zor bel tik mav lun pra quo dre fis gol hep ryn bax cud vel wim yas jor kem nup
    oth ulb erg ima sto fla gri pho chu twe spi sna blo cri dwo fro glu kra ply sve
"""
#: Two make a name. The names of one item share none: small models mix up names that look alike.
_SYLLABLES: Mapping[Language, Sequence[str]] = {
    "en": _ENGLISH.split(),
    "zh": "佐贝卡洛米塔维诺瑞索葛杜菲萨团霜桐鹭岚砚菱荻槐麓汐澜烨珏琅璃钰铎瀚灏翎翊芷蔚虬骁",
}


@dataclass(frozen=True)
class _Fact:
    """What x did to y in two wordings, and who did it to one or to two."""

    said: str
    said_again: str
    asked: str
    asked_both: str


_FACTS: Mapping[Language, tuple[_Fact, ...]] = {
    "en": (
        _Fact(
            "The tower of {y} was built by {x}.",
            "It was {x} who built the tower of {y}.",
            "Who built the tower of {y}?",
            "Who built the towers of {y} and {z}?",
        ),
        _Fact(
            "{x} discovered the metal {y}.",
            "The metal {y} was first found by {x}.",
            "Who discovered the metal {y}?",
            "Who discovered the metals {y} and {z}?",
        ),
        _Fact(
            "The song {y} was written by {x}.",
            "{x} is the one who wrote the song {y}.",
            "Who wrote the song {y}?",
            "Who wrote the songs {y} and {z}?",
        ),
    ),
    "zh": (
        _Fact(
            "{y}塔是{x}建造的。",
            "建造{y}塔的人是{x}。",
            "{y}塔是谁建造的？",
            "{y}塔和{z}塔分别是谁建造的？",
        ),
        _Fact(
            "{x}发现了金属{y}。",
            "金属{y}最早由{x}找到。",
            "金属{y}是谁发现的？",
            "金属{y}和{z}分别是谁发现的？",
        ),
        _Fact(
            "歌曲《{y}》是{x}写的。",
            "{x}创作了《{y}》这首歌。",
            "歌曲《{y}》是谁写的？",
            "歌曲《{y}》和《{z}》分别是谁写的？",
        ),
    ),
}
_LIVES: Mapping[Language, str] = {
    "en": "{x} lives in the town of {y}.",
    "zh": "{x}住在{y}镇。",
}
_LIES: Mapping[Language, str] = {
    "en": "The town of {y} lies in the land of {x}.",
    "zh": "{y}镇位于{x}国。",
}
_WHICH_LAND: Mapping[Language, str] = {
    "en": "In which land does {x} live?",
    "zh": "{x}住在哪个国家？",
}
_AND: Mapping[Language, str] = {"en": "{x} and {y}", "zh": "{x}和{y}"}


@dataclass(frozen=True)
class _Made:
    """A question with the statements that answer it and others that do not."""

    question: str
    needed: tuple[str, ...]
    others: tuple[str, ...]
    answer: str


def synthetic_items(seed: int = 0, per_kind: int = PER_KIND) -> Iterator[Item]:
    """Items of the kinds single, duplicate, conjunction and two-hop, Chinese and English.

    Every run with the same seed makes the same ones.
    """
    for language in _FACTS:
        for kind, make in _KINDS.items():
            for number in range(per_kind):
                draw = random.Random(f"{seed} {language} {kind} {number}")
                names = _names(language, draw, 14 + STATEMENTS)
                made = make(language, number, names)
                id_ = f"synthetic-{language}-{kind}-{number}"
                yield _item(id_, kind, language, made, draw, names[-STATEMENTS:])


def _names(language: Language, draw: random.Random, count: int) -> list[str]:
    """Distinct names."""
    syllables = draw.sample(_SYLLABLES[language], 2 * count)
    return [(a + b).capitalize() for a, b in zip(syllables[::2], syllables[1::2], strict=True)]


def _item(
    id_: str, kind: str, language: Language, made: _Made, draw: random.Random, authors: list[str]
) -> Item:
    statements = [*made.needed, *made.others][:STATEMENTS]
    order = draw.sample(range(STATEMENTS), STATEMENTS)
    return Item(
        id=id_,
        source="synthetic",
        kind=kind,
        language=language,
        question=made.question,
        statements=tuple(statements[i] for i in order),
        authors=tuple(authors),
        relevant=frozenset(p for p, i in enumerate(order) if i < len(made.needed)),
        answer=made.answer,
    )


def _fact(language: Language, number: int) -> _Fact:
    facts = _FACTS[language]
    return facts[number % len(facts)]


def _others(fact: _Fact, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(fact.said.format(x=names[i], y=names[i + 1]) for i in (4, 6, 8, 10, 12))


def _single(language: Language, number: int, names: Sequence[str]) -> _Made:
    fact, x, y = _fact(language, number), *names[:2]
    said = fact.said.format(x=x, y=y)
    return _Made(fact.asked.format(y=y), (said,), _others(fact, names), x)


def _duplicate(language: Language, number: int, names: Sequence[str]) -> _Made:
    fact, x, y = _fact(language, number), *names[:2]
    both = (fact.said.format(x=x, y=y), fact.said_again.format(x=x, y=y))
    return _Made(fact.asked.format(y=y), both, _others(fact, names), x)


def _conjunction(language: Language, number: int, names: Sequence[str]) -> _Made:
    fact, x, y, v, w = _fact(language, number), *names[:4]
    both = (fact.said.format(x=x, y=y), fact.said.format(x=v, y=w))
    question = fact.asked_both.format(y=y, z=w)
    return _Made(question, both, _others(fact, names), _AND[language].format(x=x, y=v))


def _two_hop(language: Language, _number: int, names: Sequence[str]) -> _Made:
    lives, lies, x, y, z = _LIVES[language], _LIES[language], *names[:3]
    chain = (lives.format(x=x, y=y), lies.format(x=z, y=y))
    others = (
        lives.format(x=names[4], y=names[5]),
        lies.format(x=names[6], y=names[5]),
        lives.format(x=names[7], y=names[8]),
        lies.format(x=names[9], y=names[8]),
    )
    return _Made(_WHICH_LAND[language].format(x=x), chain, others, z)


_KINDS: Mapping[str, Callable[[Language, int, Sequence[str]], _Made]] = {
    "single": _single,
    "duplicate": _duplicate,
    "conjunction": _conjunction,
    "two-hop": _two_hop,
}
