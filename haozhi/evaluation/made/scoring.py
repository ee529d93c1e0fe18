"""What a way of attributing paid, held against what is owed: in parts of the fee."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from haozhi.evaluation.made.case import MadeCase


@dataclass(frozen=True)
class Paid:
    """Parts of the fee, 0..1, by author; what they lack of 1 is unattributed.

    `passes` are forward passes beyond the answer's own, `cpu_s` seconds of this process.
    """

    authors: Mapping[str, float]
    passes: int = 0
    cpu_s: float = 0.0


@dataclass(frozen=True)
class Score:
    """A case with what was paid for it; `support_part` is the policy's r, 0..1.

    Of a fact that the model knows, the rule promises r: what the statement supplied beyond that is
    the model's to say, so that there neither r nor the whole is wrong.
    """

    made: MadeCase
    paid: Paid
    support_part: float

    @property
    def misdirected(self) -> float:
        """Paid to authors who support nothing."""
        owed = self.made.owed
        return sum(part for author, part in self.paid.authors.items() if author not in owed)

    @property
    def withheld(self) -> float:
        """Owed, under the policy, and not paid."""
        return self._missing(self.support_part if self.made.is_known else 1.0)

    @property
    def withheld_of_whole(self) -> float:
        """What is not paid of a whole fee, whatever the model knew."""
        return self._missing(1.0)

    @property
    def unattributed(self) -> float:
        """Paid to nobody."""
        return max(0.0, 1.0 - sum(self.paid.authors.values()))

    @property
    def has_needed_paid(self) -> bool:
        """Whether every needed author has half of an equal split among the owed."""
        least = 0.5 / max(len(self.made.owed), 1)
        return all(self.paid.authors.get(author, 0.0) >= least for author in self.made.needed)

    def _missing(self, part: float) -> float:
        paid = self.paid.authors
        owed = self.made.owed
        return sum(max(0.0, part * float(p) - paid.get(author, 0.0)) for author, p in owed.items())


@dataclass(frozen=True)
class Figures:
    """Means over cases, in parts of the fee; None where no case counts.

    `withheld` and `needed` are over cases in which somebody is owed, or needed; `silent` is what
    stays unattributed where nobody is owed.
    """

    cases: int
    misdirected: float
    withheld: float | None
    withheld_of_whole: float | None
    needed: float | None
    silent: float | None
    passes: float
    cpu_s: float


def figures(scores: Sequence[Score]) -> Figures:
    """The figures of one or more cases."""
    owed = [score for score in scores if score.made.owed]
    needed = [score.has_needed_paid for score in scores if score.made.needed]
    silent = [score.unattributed for score in scores if not score.made.owed]
    return Figures(
        cases=len(scores),
        misdirected=fmean(score.misdirected for score in scores),
        withheld=_mean([score.withheld for score in owed]),
        withheld_of_whole=_mean([score.withheld_of_whole for score in owed]),
        needed=_mean([float(each) for each in needed]),
        silent=_mean(silent),
        passes=fmean(score.paid.passes for score in scores),
        cpu_s=fmean(score.paid.cpu_s for score in scores),
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
