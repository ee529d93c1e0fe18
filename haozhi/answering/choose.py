"""Takes the first candidate that is backed throughout, else the one that is backed most."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from haozhi.answering.backing import back
from haozhi.answering.candidates import Candidate
from haozhi.answering.segments import Worded, worded
from haozhi.attribution.support import SegmentSupport, SupportStatement
from haozhi.attribution.support.readings import Readings
from haozhi.models.generator import Generator


@dataclass(frozen=True)
class Choice:
    """The chosen candidate in words with the support of each segment.

    `readings` are what models made of it where words alone did not back it throughout.
    """

    candidate: Candidate
    worded: Worded
    support: tuple[SegmentSupport, ...]
    readings: Readings | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every segment is backed and none denied."""
        return all(s.sets and not s.contradicts for s in self.support)


def choose(
    generator: Generator,
    question: str,
    candidates: Iterable[Candidate],
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
    reads: Callable[[Sequence[str]], Readings | None] = lambda _: None,
) -> Choice | None:
    """The answer to give, None when nothing in the context backs any candidate.

    Candidates are looked at in order, and generated only as far as they are looked at; models read
    (`reads`) only what words do not back.
    Where none is backed throughout, quotations do not count: each is a true copy of something, and
    only its conclusion says whether it answers.
    """
    best: Choice | None = None
    for candidate in candidates:
        said = worded(generator, candidate.ids)
        if not said.segments:
            continue
        choice = Choice(candidate, said, back(question, said.texts, statements, similarities))
        readings = None if choice.is_whole else reads(said.texts)
        if readings:
            support = back(question, said.texts, statements, similarities, readings)
            choice = Choice(candidate, said, support, readings)
        if choice.is_whole:
            return choice
        if candidate.way == "free" and (best is None or _backed(choice) > _backed(best)):
            best = choice
    return best if best and _backed(best) else None


def _backed(choice: Choice) -> int:
    return sum(bool(support.sets) for support in choice.support)
