"""The word lists of `lexicon.toml`, read once and made ready for matching."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class English:
    """Lower-case words by role; `families` gives the symbol that a family's stems share."""

    stop: frozenset[str]
    negation: frozenset[str]
    asking: frozenset[str]
    interrogative: frozenset[str]
    auxiliary: frozenset[str]
    conjunctions: frozenset[str]
    linking: frozenset[str]
    place: frozenset[str]
    abbreviations: frozenset[str]
    name_particles: frozenset[str]
    name_shifters: frozenset[str]
    qualifiers: frozenset[str]
    dimensions: frozenset[str]
    time_stems: frozenset[str]
    month_stems: frozenset[str]
    self: frozenset[str]
    families: dict[str, str]
    frame: re.Pattern[str]
    not_negation: re.Pattern[str]


@dataclass(frozen=True)
class Chinese:
    """`scan` finds every listed string, longest first; `roles` says what it is there for."""

    scan: re.Pattern[str]
    roles: dict[str, str]
    families: dict[str, str]
    interrogative: re.Pattern[str]
    conjunctions: re.Pattern[str]
    asking: re.Pattern[str]
    linking: re.Pattern[str]
    place: re.Pattern[str]
    qualifiers: re.Pattern[str]
    time: re.Pattern[str]
    types: re.Pattern[str]
    measures: re.Pattern[str]
    frame: re.Pattern[str]
    acts: frozenset[str]


_ENDINGS = (("ies", "y"), ("est", ""), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))


def stem(word: str) -> str:
    """A lower-case English word without its inflection; the same cut on both sides of a match.

    It need not be a word: completed, completes and complete all give `complet`.
    """
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            word = word.removesuffix(ending) + instead
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def english() -> English:
    """The English lists."""
    source = _source()
    plain = {
        name: frozenset(_words(value))
        for name, value in source["en"].items()
        if name not in ("frame", "not_negation", "time", "months")
    }
    return English(
        **plain,
        time_stems=frozenset(map(stem, _words(source["en"]["time"] + source["en"]["months"]))),
        month_stems=frozenset(map(stem, _words(source["en"]["months"]))),
        families={stem(word): s for s, line in _families() for word in line[0].split()},
        frame=re.compile(rf"\b(?:{'|'.join(source['en']['frame'])})\b", re.IGNORECASE),
        not_negation=_any_of(source["en"]["not_negation"]),
    )


@cache
def chinese() -> Chinese:
    """The Chinese lists."""
    words = {name: _words(value) for name, value in _source()["zh"].items()}
    families = {word: s for s, line in _families() for word in line[2].split()}
    roles = dict.fromkeys(families, "family")
    for role in ("stop", "negation", "not_negation", "self"):
        roles |= dict.fromkeys(words[role], role)
    counted = f"(?:哪|几|这|那|每|某|一)一?(?:{_any_of(words['measures']).pattern})"
    patterns = {
        name: _any_of(listed)
        for name, listed in words.items()
        if name not in ("stop", "negation", "not_negation", "self", "acts")
    }
    return Chinese(
        **patterns,
        acts=frozenset(words["acts"]),
        scan=re.compile(f"{counted}|{_any_of(roles).pattern}"),
        roles=roles,
        families=families,
    )


@cache
def units() -> dict[str, frozenset[str]]:
    """What each unit measures, English ones by their stem: pound is money and weight."""
    found: dict[str, frozenset[str]] = {}
    for kind, line in _source()["units"].items():
        latin, _, han = line.partition("|")
        for unit in [*map(stem, latin.split()), *han.split()]:
            found[unit] = found.get(unit, frozenset()) | {kind}
    return found


@cache
def abbreviated() -> tuple[re.Pattern[str], dict[str, str]]:
    """Where an abbreviated unit stands right after a number, and what each is short for."""
    names: dict[str, str] = _source()["abbreviated"]
    return re.compile(rf"(?<=\d)\s?({'|'.join(names)})\b"), names


@cache
def _source() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))


def _families() -> list[tuple[str, tuple[str, str, str]]]:
    """A symbol per family; `§!n` for those that a question means exactly."""
    return [
        (f"§!{n}" if line.startswith("!") else f"§{n}", line.lstrip("! ").partition("|"))
        for n, line in enumerate(_source()["families"])
    ]


def _words(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
