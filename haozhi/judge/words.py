"""The judge's word lists and patterns, read once from words.toml when they are first needed."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Capitalised in English, but nobody's name.
_CALENDAR = (
    "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    "|august|september|october|november|december|christmas|easter|i)"
    r"\b"
)


@dataclass(frozen=True)
class Kind:
    """A kind of answer: how it is asked for, and the form that it has in a statement."""

    name: str
    strict: bool
    asks: re.Pattern[str]
    holds: re.Pattern[str]


@dataclass(frozen=True)
class Words:
    """Everything that words.toml holds, compiled."""

    empty_en: frozenset[str]
    empty_zh: re.Pattern[str]
    asking_zh: re.Pattern[str]
    sort: re.Pattern[str]
    clause: re.Pattern[str]
    echo: re.Pattern[str]
    negation: re.Pattern[str]
    sum: re.Pattern[str]
    sum_question: re.Pattern[str]
    kinds: tuple[Kind, ...]
    places: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]  # asks, names
    groups_en: dict[str, frozenset[int]]
    groups_zh: tuple[tuple[str, ...], ...]


@cache
def words() -> Words:
    """The lists, compiled; read from the package at the first call only."""
    raw = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    numbers, pieces, signals = raw["numbers"], raw["pieces"], raw["signals"]
    kinds = tuple(
        Kind(
            kind["name"],
            kind["strict"],
            re.compile(kind["asks"]),
            re.compile(_with_numbers(kind["holds"], numbers)),
        )
        for kind in raw["kinds"]
    )
    return Words(
        frozenset(pieces["en"].split()),
        _any_of(pieces["zh_empty"].split()),
        _any_of(pieces["zh_asking"].split()),
        re.compile(f"{pieces['sort_en']}|{pieces['sort_zh']}"),
        re.compile(signals["clause"]),
        re.compile(signals["echo"]),
        re.compile(signals["negation"]),
        re.compile(signals["sum"]),
        re.compile(signals["sum_question"]),
        kinds,
        tuple((re.compile(row["asks"]), re.compile(row["names"])) for row in raw["places"]),
        _english_groups(raw["relations"]["en"]),
        tuple(tuple(group.split()) for group in raw["relations"]["zh"].split(";")),
    )


def _with_numbers(pattern: str, numbers: dict[str, str]) -> str:
    """N stands for an English number word, H for one character of a number, Han or digit.

    CAP stands for a capitalised word, which pieces.py marks with a leading ^.
    """
    pattern = re.sub(r"\bN\b(?!\w)", lambda _: f"(?:{numbers['en']})", pattern)
    pattern = re.sub(r"(?<![A-Za-z\\])H(?=[+{|])", lambda _: numbers["zh"], pattern)
    return pattern.replace("CAP", rf"\^(?!{_CALENDAR})\w+")


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, phrases), key=len, reverse=True)))


def _english_groups(text: str) -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, group in enumerate(text.split(";")):
        for word in group.split():
            groups.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}
