"""What attribution is measured on: a question, six statements by six authors, what is relevant."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from haozhi.language import Language

STATEMENTS = 6
"""Per item, each by an author of its own: 2^6 coalitions can all be evaluated."""


@dataclass(frozen=True)
class Item:
    """One question. `authors[i]` said `statements[i]`.

    `relevant` are the numbers of the statements that answer, as people marked them or as the item
    was made; None where nobody says. `answer` is the right answer, '' where there is none.
    """

    id: str
    source: str
    kind: str
    language: Language
    question: str
    statements: tuple[str, ...]
    authors: tuple[str, ...]
    relevant: frozenset[int] | None
    answer: str

    def __post_init__(self) -> None:
        assert len(self.statements) == len(self.authors) == len(set(self.authors)), self.id

    def ordered(self, order: Sequence[int], statements: Sequence[str]) -> "Item":
        """The item with its statements, worded as given, in another order (old numbers)."""
        relevant = self.relevant
        if relevant is not None:
            relevant = frozenset(new for new, old in enumerate(order) if old in relevant)
        return Item(
            self.id,
            self.source,
            self.kind,
            self.language,
            self.question,
            tuple(statements[i] for i in order),
            tuple(self.authors[i] for i in order),
            relevant,
            self.answer,
        )


def spread(items: Iterable[Item], seed: int = 0) -> Iterator[Item]:
    """All items, so ordered that the first n are spread over languages, kinds and sources.

    Languages take turns, within them kinds, within these sources; which items of a source come
    first is drawn by the seed.
    """
    languages = _grouped(items, "language")
    yield from _turns(
        [
            _turns([_turns(_shuffled(kind, seed)) for kind in _grouped(group, "kind")])
            for group in languages
        ]
    )


def _shuffled(items: Iterable[Item], seed: int) -> list[list[Item]]:
    found = []
    for group in _grouped(items, "source"):
        random.Random(f"{seed} {group[0].source}").shuffle(group)
        found.append(group)
    return found


def _grouped(items: Iterable[Item], name: str) -> list[list[Item]]:
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[getattr(item, name)].append(item)
    return [groups[key] for key in sorted(groups)]


def _turns(groups: Iterable[Iterable[Item]]) -> list[Item]:
    rounds = zip_longest(*groups)
    return [item for each in rounds for item in each if item is not None]
