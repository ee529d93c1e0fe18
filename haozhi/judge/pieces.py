"""A text's content in pieces: English stems and Han characters, and how one text covers another."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from haozhi.judge.words import words
from haozhi.language import Language, detect
from store.text import normalise

_WORD = re.compile(r"[a-z0-9]+(?:['’.,:-][a-z0-9]+)*", re.IGNORECASE)
_HAN = re.compile(r"[㐀-鿿]+")
_LIMIT = 600  # characters of a statement that are looked at: an answer stands near its subject
_SYNONYM = 0.8  # how far another word of the same relation covers a piece


@dataclass(frozen=True)
class Pieces:
    """A text seen once: folded text, its language, English words by stem, capitalised ones, Han."""

    text: str
    marked: str  # folded text in which ^ stands before a capitalised word inside a sentence
    language: Language
    order: tuple[str, ...]  # stems in order, "" for a word without content
    stems: dict[str, str]  # content stem -> word as written, lower case
    names: frozenset[str]  # stems of capitalised words
    han: tuple[str, ...]  # runs of Han content characters


@lru_cache(maxsize=256)
def pieces_of(text: str, question: bool) -> Pieces:
    """Cut a text; asking phrases are taken out of a question, so that what it is about is left."""
    text = " ".join(unicodedata.normalize("NFKC", text[:_LIMIT]).split())
    lists = words()
    order: list[str] = []
    stems, names, marks = {}, set(), []
    for match in _WORD.finditer(text):
        word = match.group().lower().removesuffix("'s").removesuffix("’s")
        stem = stem_of(word)
        capital = match.group()[0].isupper()
        if capital and not _starts_sentence(text, match.start()):
            marks.append(match.start())
        order.append("" if word in lists.empty_en else stem)
        if word in lists.empty_en:
            continue
        stems[stem] = word
        if capital and (match.start() in marks or len(word) > 2):
            names.add(stem)
    marked = text
    for place in reversed(marks):
        marked = f"{marked[:place]}^{marked[place:]}"
    folded = normalise(text)
    bare = lists.asking_zh.sub(" ", folded) if question else folded
    han = tuple(_HAN.findall(lists.empty_zh.sub(" ", bare)))
    language = detect(text) or "en"
    return Pieces(folded, marked.lower(), language, tuple(order), stems, frozenset(names), han)


def _starts_sentence(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \"'“‘")
    return not before or before[-1] in ".!?:。！？："


def stem_of(word: str) -> str:
    """A crude English stem: plural, -ed, -ing, doubled consonant and final e are taken off."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def covered(question: Pieces, statement: Pieces) -> dict[str, float]:
    """For each content piece of the question how far the statement holds it, 0..1.

    Pieces are English stems and single Han characters with their place (`3校`); a Han character
    counts fully only beside a neighbour that is held with it.
    """
    held = {stem: _stem_held(stem, word, statement) for stem, word in question.stems.items()}
    place = 0
    for run in question.han:
        for number, grade in enumerate(_run_held(run, statement.text)):
            held[f"{place + number}{run[number]}"] = grade
        place += len(run)
    return held


def _stem_held(stem: str, word: str, statement: Pieces) -> float:
    if stem in statement.stems or (len(word) > 1 and word in statement.text and not word.isascii()):
        return 1.0
    groups = words().groups_en
    mine = groups.get(word, frozenset())
    if mine and any(mine & groups.get(other, frozenset()) for other in statement.stems.values()):
        return _SYNONYM
    return 0.0


def _run_held(run: str, text: str) -> list[float]:
    grades = [(0.5 if len(run) > 1 else 1.0) * (char in text) for char in run]
    for start in range(len(run) - 1):
        if run[start : start + 2] in text:
            grades[start] = grades[start + 1] = 1.0
    for group in words().groups_zh:
        if not any(word in text for word in group):
            continue
        for word in group:
            start = run.find(word)
            if start >= 0:
                for place in range(start, start + len(word)):
                    grades[place] = max(grades[place], _SYNONYM)
    return grades


def replaced(question: Pieces, statement: Pieces) -> bool:
    """Whether a term that both hold is told of something else: chess club for maths club.

    That is: the content right before the term is lacking in the statement, and the statement has
    other content in its place that the question lacks.
    """
    before = {after: word for word, after in pairwise(statement.order) if word and after}
    for word, term in pairwise(question.order):
        other = before.get(term)
        if word and word not in statement.stems and other and other not in question.stems:
            return True
    return any(_han_replaced(run, question.text, statement.text) for run in question.han)


def _han_replaced(run: str, question: str, statement: str) -> bool:
    for place in range(2, len(run) - 1):
        before, term = run[place - 2 : place], run[place : place + 2]
        found = statement.find(term)
        if found < 2 or any(char in statement for char in before):
            continue
        other = statement[found - 2 : found]
        if _HAN.fullmatch(other) and not any(char in question for char in other):
            return True
    return False
