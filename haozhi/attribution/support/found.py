"""The values that the support finder takes and gives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SupportStatement:
    """A statement of the context by its id.

    `about`: whom or what it may mean by the pronoun that it opens with, as its setting says; '' for
    one that needs none. That is read beside it and never backs anything.
    """

    id: int
    text: str
    about: str = ""


@dataclass(frozen=True)
class FoundSet:
    """Statements (1..3 ids, ascending) that together yield a segment; `strength` is 0..1.

    `method`: verbatim, equation, terms (one statement), chain (several), inherited; of a denial
    polarity (a not) or number (another one).
    """

    statement_ids: tuple[int, ...]
    strength: float
    method: str


@dataclass(frozen=True)
class SegmentSupport:
    """Minimal sets, strongest first, and the statements, one each, that deny the segment."""

    sets: tuple[FoundSet, ...] = ()
    denials: tuple[FoundSet, ...] = ()

    @property
    def contradicts(self) -> tuple[int, ...]:
        """Ids of the statements that deny the segment, ascending."""
        return tuple(sorted({i for denial in self.denials for i in denial.statement_ids}))


MOST_STATEMENTS = 3


def distinct(denials: Iterable[FoundSet]) -> tuple[FoundSet, ...]:
    """One denial per statement, the first given, by id."""
    first: dict[tuple[int, ...], FoundSet] = {}
    for denial in denials:
        first.setdefault(denial.statement_ids, denial)
    return tuple(first[ids] for ids in sorted(first))


def minimal(sets: Sequence[FoundSet]) -> tuple[FoundSet, ...]:
    """The sets that contain no other, strongest first; of equal ones the strongest."""
    kept: list[FoundSet] = []
    for found in sorted(sets, key=lambda s: (len(s.statement_ids), -s.strength, s.statement_ids)):
        ids = set(found.statement_ids)
        if not any(ids.issuperset(other.statement_ids) for other in kept):
            kept.append(found)
    return tuple(sorted(kept, key=lambda s: (-s.strength, s.statement_ids)))


def combined(parts: Sequence[tuple[FoundSet, ...]], method: str) -> tuple[FoundSet, ...]:
    """One set of each part, joined; those of more than MOST_STATEMENTS statements are left out."""
    if len(parts) == 1:
        return minimal(parts[0])
    joined = [FoundSet((), 1.0, method)]
    for part in parts:
        joined = [
            FoundSet(
                tuple(sorted({*left.statement_ids, *right.statement_ids})),
                min(left.strength, right.strength),
                method,
            )
            for left in joined
            for right in part
        ]
        joined = [found for found in joined if len(found.statement_ids) <= MOST_STATEMENTS]
    return minimal(joined)
