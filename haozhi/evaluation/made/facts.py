"""Cases about one fact: single, alternative, duplicate, echo, negation, known, …"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from haozhi.evaluation.made.case import MadeCase, Saying
from haozhi.evaluation.made.words import Draw, words

_NUMBERS = ("year", "metres", "hour", "crowns")
"""Values of which there is only one: who says another contradicts."""


@dataclass(frozen=True)
class Fact:
    """A relation of the word lists between a subject and a value, in words."""

    relation: dict[str, str]
    subject: str
    value: str

    def __getitem__(self, wording: str) -> str:
        """`says`, `also`, `asks`, `short` or `denies`, filled in."""
        text = self.relation[wording].format(s=self.subject, v=self.value)
        return text[:1].upper() + text[1:]


def single(draw: Draw, turn: int) -> MadeCase:
    """One statement answers; others are about the same subject or say the same of another."""
    fact = _fact(draw, turn)
    return _made(draw, "single", turn, fact, [fact["says"]], proofs=[{0}])


def alternative(draw: Draw, turn: int) -> MadeCase:
    """Two authors say the same in different words; either is enough."""
    fact = _fact(draw, turn)
    said = [fact["says"], fact["also"]]
    return _made(draw, "alternative", turn, fact, said, proofs=[{0}, {1}])


def duplicate(draw: Draw, turn: int) -> MadeCase:
    """A later author repeats the answering statement: as it is, with other marks, or shortened."""
    fact = _fact(draw, turn)
    forms = words(draw.language)
    says = fact["says"]
    about = {"text": says, "bare": says.rstrip(".。"), "lower": _inside(says)}
    original, copy = (forms[form][turn % 3].format(**about) for form in ("copies", "copied"))
    if copy == original:
        copy = f" {copy}"
    return _made(draw, "duplicate", turn, fact, [original, copy], proofs=[{0}])


def echo(draw: Draw, turn: int) -> MadeCase:
    """A statement repeats the question; in each third case nothing else answers it."""
    fact = _fact(draw, turn)
    repeated = draw.random.choice(words(draw.language)["echoes"]).format(question=fact["asks"])
    return _beside(draw, "echo", turn, fact, repeated)


def injection(draw: Draw, turn: int) -> MadeCase:
    """A statement asks to be cited; in each third case nothing answers the question."""
    fact = _fact(draw, turn)
    listed = words(draw.language)["injections"]
    return _beside(draw, "injection", turn, fact, listed[turn % len(listed)].format(**_asked(fact)))


def negation(draw: Draw, turn: int) -> MadeCase:
    """A denial of another value or of another subject; in each third case only of the answer."""
    fact = _fact(draw, turn)
    relation = fact.relation
    if turn % 3 == 2:
        return _made(draw, "negation", turn, fact, [fact["denies"]], proofs=[])
    if turn % 3 == 1:
        other = Fact(relation, draw.of(relation["about"]), fact.value)
    else:
        other = Fact(relation, fact.subject, draw.of(relation["value"]))
    return _made(draw, "negation", turn, fact, [fact["says"], other["denies"]], proofs=[{0}])


def contradiction(draw: Draw, turn: int) -> MadeCase:
    """One says it, another denies it or, of a number, says another one: nobody is owed."""
    fact = _fact(draw, turn)
    other = Fact(fact.relation, fact.subject, draw.of(fact.relation["value"]))
    is_number = fact.relation["value"] in _NUMBERS
    against = other["says"] if is_number and draw.random.random() < 1 / 2 else fact["denies"]
    return _made(draw, "contradiction", turn, fact, [fact["says"], against], proofs=[])


def known(draw: Draw, turn: int) -> MadeCase:
    """A statement of what every model has read."""
    facts = draw.lists["facts"]
    here = facts[turn % len(facts)]
    others = [fact["says"] for fact in draw.random.sample([f for f in facts if f != here], 3)]
    answer = here["says"] if turn % 2 else here["short"]
    sayings, proofs = mixed(draw, [here["says"]], others, [{0}])
    return MadeCase(
        "", "known", draw.language, here["asks"], sayings, answer, proofs, is_known=True
    )


def mixed(
    draw: Draw, said: Sequence[str], others: Sequence[str], proofs: Sequence[set[int]]
) -> tuple[tuple[Saying, ...], tuple[frozenset[int], ...]]:
    """What matters, each by an author of its own, among others by anybody; both shuffled together.

    What matters keeps its order, so that a copy stays behind its original.
    """
    authors = draw.authors()
    sayings = [Saying(text, author) for text, author in zip(said, authors, strict=False)]
    places = sorted(draw.random.sample(range(len(said) + len(others)), len(said)))
    mixed_in = [Saying(text, draw.random.choice(authors)) for text in others]
    for place, saying in zip(places, sayings, strict=True):
        mixed_in.insert(place, saying)
    found = tuple(frozenset(places[number] for number in proof) for proof in proofs)
    return tuple(mixed_in), found


def bystanders(draw: Draw, count: int) -> list[str]:
    """Statements about subjects and of relations drawn at random."""
    return [_fact(draw, draw.random.randrange(100))["says"] for _ in range(count)]


def _fact(draw: Draw, turn: int) -> Fact:
    relations: Sequence[dict[str, str]] = draw.lists["relations"]
    relation = relations[turn % len(relations)]
    return Fact(relation, draw.of(relation["about"]), draw.of(relation["value"]))


def _beside(draw: Draw, kind: str, turn: int, fact: Fact, beside: str) -> MadeCase:
    if turn % 3 == 2:
        return _made(draw, kind, turn, fact, [beside], proofs=[])
    return _made(draw, kind, turn, fact, [fact["says"], beside], proofs=[{0}])


def _made(
    draw: Draw, kind: str, turn: int, fact: Fact, said: Sequence[str], proofs: Sequence[set[int]]
) -> MadeCase:
    answer = fact["says"] if turn % 2 else fact["short"]
    sayings, found = mixed(draw, said, _distractors(draw, fact), proofs)
    return MadeCase("", kind, draw.language, fact["asks"], sayings, answer, found)


def _distractors(draw: Draw, fact: Fact) -> list[str]:
    """The same of another subject, something else of the same subject, and two bystanders."""
    relation = fact.relation
    related = [
        each
        for each in draw.lists["relations"]
        if each["about"] == relation["about"] and each is not relation
    ]
    other = draw.random.choice(related)
    return [
        Fact(relation, draw.of(relation["about"]), draw.of(relation["value"]))["says"],
        Fact(other, fact.subject, draw.of(other["value"]))["says"],
        *bystanders(draw, 2),
    ]


def _asked(fact: Fact) -> dict[str, Any]:
    return {"question": fact["asks"]}


def _inside(sentence: str) -> str:
    """A sentence inside another: `The dog` becomes `the dog`, names stay."""
    return "t" + sentence[1:] if sentence.startswith("The ") else sentence
