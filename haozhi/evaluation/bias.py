"""Whether what is paid of what is owed depends on what should not matter.

One row per author who is owed something of a made case; groups are compared by the mean of paid /
owed. By chance about one group in twenty lies apart, so that two groups differ only where their
intervals do.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.final import final_shares
from haozhi.evaluation.made import MadeCase
from haozhi.evaluation.made.paying import by_author
from haozhi.evaluation.made.posing import Parts, case_of, pose
from haozhi.evaluation.retrieval_figures import Figure, mean_figure
from haozhi.language import Language


@dataclass(frozen=True)
class Row:
    """An author who is owed a part of an answer, and what might but should not matter.

    `place` is that of the best of the supporting statements among the `of` retrieved, 0 the best;
    `length` its code points, `size` the author's statements in the context.
    """

    language: Language
    place: int
    of: int
    length: int
    is_rare: bool
    size: int
    owed: float
    paid: float


def rows_of(parts: Parts, made: MadeCase, rules: ShareRules) -> list[Row]:
    """The rows of a case under these rules; none when nobody is owed anything."""
    if not made.owed:
        return []
    posed = pose(parts, made)
    shares, _ = final_shares(parts.generator, case_of(parts, posed), rules, made.id)
    paid, found = by_author(shares), posed.found
    support = {number for proof in made.proofs for number in proof}
    rows = []
    for author, owed in made.owed.items():
        places = [place for place, name in enumerate(posed.authors) if name == author]
        place = next(place for place in places if found[place].number in support)
        rows.append(
            Row(
                language=made.language,
                place=place,
                of=len(found),
                length=len(found[place].saying.text),
                is_rare=made.is_rare,
                size=len(places),
                owed=float(owed),
                paid=paid.get(author, 0.0),
            )
        )
    return rows


def bias_figures(rows: Sequence[Row]) -> dict[str, dict[str, tuple[int, Figure]]]:
    """By dimension and group the number of rows and the mean of paid / owed; no empty group."""
    return {name: _groups(rows, group_of) for name, group_of in _dimensions(rows).items()}


def apart(groups: Mapping[str, tuple[int, Figure]]) -> bool:
    """Whether the intervals of two groups do not meet."""
    found = [figure for _, figure in groups.values()]
    return max(each.low for each in found) > min(each.high for each in found)


def _groups(rows: Iterable[Row], group_of: Callable[[Row], str]) -> dict[str, tuple[int, Figure]]:
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        values[group_of(row)].append(row.paid / row.owed)
    return {name: (len(found), mean_figure(found)) for name, found in sorted(values.items())}


def _dimensions(rows: Sequence[Row]) -> dict[str, Callable[[Row], str]]:
    """How a row is grouped; long is longer than the median of its language."""
    lengths: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        lengths[row.language].append(row.length)
    middle = {language: median(found) for language, found in lengths.items()}
    return {
        "position": _position,
        "language": lambda row: row.language,
        "length": lambda row: "long" if row.length > middle[row.language] else "short",
        "names": lambda row: "nobody's" if row.is_rare else "common",
        "author size": lambda row: "one statement" if row.size == 1 else "several",
    }


def _position(row: Row) -> str:
    if row.place == 0:
        return "retrieved first"
    return "first half" if 2 * row.place < row.of else "second half"
