"""The word lists of made cases, and draws from them."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from haozhi.evaluation.made.case import Half
from haozhi.language import Language


@cache
def words(language: Language) -> Mapping[str, Any]:
    """The lists of one language, both halves; read from the package at the first call only."""
    text = files(__package__).joinpath(f"words_{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class Draw:
    """The draws of one case, all from its seed; within a case no name and no value comes twice."""

    def __init__(self, seed: str, language: Language, half: Half) -> None:
        """`seed` names the case: equal seeds, equal draws."""
        self.random = random.Random(seed)
        self.language: Language = language
        self.lists: Mapping[str, Any] = words(language)[half]
        self.is_nonce = self.random.random() < 1 / 2
        self._taken: set[str] = set()

    def of(self, kind: str) -> str:
        """A person, place or nonce word, or a value of a list or range in the word lists."""
        while (word := self._word(kind)) in self._taken:
            pass
        self._taken.add(word)
        return word

    def authors(self) -> list[str]:
        """All authors in random order."""
        names = list(self.lists["authors"])
        self.random.shuffle(names)
        return names

    def _word(self, kind: str) -> str:
        listed: Sequence[Any] = self.lists["values"].get(kind, ())
        if listed and isinstance(listed[0], int):
            return str(self.random.randint(*listed))
        listed = listed or self.lists.get({"person": "people", "place": "places"}.get(kind, ""), ())
        if listed and not (self.is_nonce and kind in ("person", "place")):
            return str(self.random.choice(listed))
        return " ".join(self._nonce() for _ in range(self._parts_of(kind)))

    def _parts_of(self, kind: str) -> int:
        return 2 if kind == "person" and self.language == "en" else 1

    def _nonce(self) -> str:
        syllables, endings = self.lists["syllables"].split(), self.lists["endings"].split()
        word: str = "".join(self.random.sample(syllables, 2)) + self.random.choice(endings)
        return word.capitalize()
