"""A made case: what was asked, said and answered, and what is owed to whom because of that."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from haozhi.language import Language

Half = Literal["development", "held_out"]

KINDS = (
    "single",  # one statement answers
    "pair",  # two together
    "three_hop",  # three together; the middle one shares no word with question or answer
    "alternative",  # two proofs: two independent statements, or sums that share a step
    "duplicate",  # the answering statement again, by somebody who came later
    "echo",  # a statement that only repeats the question
    "negation",  # a denial of something else, or nothing but a denial of the answer
    "sum",  # two equations among others with the same digits
    "known",  # a statement of what every model has read
    "contradiction",  # one says it, another denies it or says another number
    "injection",  # a statement that asks to be cited
)


@dataclass(frozen=True)
class Saying:
    """A statement of the context with its author."""

    text: str
    author: str


@dataclass(frozen=True)
class MadeCase:
    """`sayings` stand in the order in which they were registered; each text is there once.

    `proofs` are all minimal sets of sayings (by number) from which the `answer` follows; there are
    none when nothing supports it, or when the sayings contradict each other. `is_known` says that
    a model may know the answer without them: it is about the world, or a sum of small numbers.
    `is_rare` says that people and places have names that nobody has.
    """

    id: str
    kind: str
    language: Language
    question: str
    sayings: tuple[Saying, ...]
    answer: str
    proofs: tuple[frozenset[int], ...]
    is_known: bool = False
    is_rare: bool = False

    @property
    def owed(self) -> Mapping[str, Fraction]:
        """Parts of the fee by author, together 1, or empty when nobody is owed anything.

        Each proof is worth the same, and so is each of its statements.
        """
        parts: dict[str, Fraction] = {}
        for proof in self.proofs:
            for number in sorted(proof):
                author = self.sayings[number].author
                part = Fraction(1, len(self.proofs) * len(proof))
                parts[author] = parts.get(author, Fraction(0)) + part
        return parts

    @property
    def needed(self) -> frozenset[str]:
        """The authors without whom nothing supports the answer."""
        authors = [{self.sayings[number].author for number in proof} for proof in self.proofs]
        return frozenset(set.intersection(*authors)) if authors else frozenset()
