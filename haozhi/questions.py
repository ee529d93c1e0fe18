"""Whether a question can be asked, and its kind: a sum, a fact, or who a claim comes from."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from haozhi.language import Language, detect
from haozhi.sums import asked_sum, equations_in
from store.errors import BadInput
from store.text import check_text

Kind = Literal["sum", "fact"]
Relation = Literal["said", "first", "source", "taught", "credit"]

MOST_CHARACTERS = 10_000
"""Code points of a question that is answered, or of a claim."""


@dataclass(frozen=True)
class ProvenanceQuestion:
    """A question about who a claim comes from, in the asker's language."""

    claim: str
    relation: Relation
    language: Language


def check_question(question: str) -> None:
    """BadInput: empty, longer than MOST_CHARACTERS, or not storable as text."""
    if not question.strip():
        raise BadInput("the question is empty")
    if len(question) > MOST_CHARACTERS:
        raise BadInput(
            f"the question has {len(question)} characters; at most {MOST_CHARACTERS} are answered"
        )
    check_text(question)


def kind_of(question: str) -> Kind:
    """`sum` when only the value of an expression is asked for, in any wording, else `fact`."""
    return "sum" if asked_sum(question) else "fact"


def claim_question(claim: str) -> str | None:
    """The question a claim answers: `1 + 1 + 1 = ?` for `1 + 1 + 1 = 3`; None for other text."""
    left, equals, right = unicodedata.normalize("NFKC", claim).partition("=")
    if not equals or not equations_in(claim) or not asked_sum(left) or "=" in right:
        return None
    return f"{left.strip()} = ?"


def provenance_of(question: str) -> ProvenanceQuestion | None:
    """The claim and the relation asked for, None for every other question.

    A claim is a sum, quoted text, or a sentence (one with a linking word: is, has, 是, 有 …): `Who
    said goodbye at the station?` and `Who first proposed the theory of relativity?` ask for facts.
    """
    text = question.strip().rstrip("?？。.!！ ")
    for relation, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        claim = _claim(next(filter(None, match.groups()))) if match else ""
        if claim:
            return ProvenanceQuestion(claim, relation, detect(question) or "en")
    return None


_QUOTES = "“”\"'‘’「」『』《》"
_EDGE = " \t,，、:：;；—-"
_THIS = r"(?:这个|这种|这一|该|这)(?:想法|说法|观点|结论|主张|知识|道理|句话|话)?"
_WHO = r"(?:到底|究竟|又|都)?是?谁"
_CHINESE: dict[Relation, str] = {
    "first": rf"{_WHO}(?:最先|最早|首先|率先|第一个)(?:提出|说出|说|想到|发现)[了过来的]*",
    "said": rf"{_WHO}(?:曾经|曾)?[说讲](?:出来)?[过了的]*",
    "source": rf"(?:{_THIS})?是?(?:从(?:哪里|哪儿|何处|哪)来|[来出]自(?:哪里|哪儿|何处|谁))的?",
    "taught": rf"{_WHO}教[会给]?了?(?:你|您|我们|大家)的?",
    "credit": rf"(?:{_THIS})?(?:应该|应当|应|该|要)?归功于谁",
}
_SAID = r"(?:say|said|stated?|claimed|wrote)"
_IDEA = r"(?:the|this|that) (?:idea|claim|belief|notion|statement|view|thought|conclusion)"
_ENGLISH: dict[Relation, str] = {
    "first": rf"who (?:was the )?(?:first|originally) (?:to )?(?:propose|{_SAID}|suggest)\w*#",
    "said": rf"who (?:has )?{_SAID}#",
    "source": rf"where (?:does|did) (?:(?:{_IDEA})?# come from|{_IDEA} come from#)",
    "taught": r"who (?:has )?(?:taught|told) (?:you|us)#",
    "credit": r"who (?:deserves|gets|should get|earns) (?:the )?credit for#",
}
_PATTERNS: tuple[tuple[Relation, re.Pattern[str]], ...] = tuple(
    (relation, re.compile(rf"(?:请问)?(?:{pattern})", re.IGNORECASE))
    for relation, phrase in _CHINESE.items()
    for pattern in (f"{phrase}(.+)", f"(.+?)(?:{_THIS})?{phrase}")
) + tuple(
    (relation, re.compile(phrase.replace("#", "(.+)"), re.IGNORECASE))
    for relation, phrase in _ENGLISH.items()
)
_IS_THIS = re.compile(rf"{_THIS}|它|那|that|this|it|so", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\S\s*(?:是|有|等于|不|能|会|在|叫|为)\s*\S|"
    r"\w\s+(?:is|are|was|were|has|have|had|can|will|does|do|did|equals?|isn't|aren't)\s+\w",
    re.IGNORECASE,
)


def _claim(raw: str) -> str:
    """The claim without its wrapping, "" when the raw text is no claim."""
    text = raw.strip(_EDGE)
    for word in ("that ", "of ", "the claim that ", "the idea that "):
        if text.lower().startswith(word):
            text = text[len(word) :].strip(_EDGE)
    bare = text.strip(_QUOTES + _EDGE)
    quoted = bare != text
    if bare.endswith("的") and equations_in(bare[:-1]):
        bare = bare[:-1].strip(_EDGE + _QUOTES)
    if not bare or _IS_THIS.fullmatch(bare):
        return ""
    return bare if quoted or equations_in(bare) or _SENTENCE.search(bare) else ""
