"""How large the shares are: a histogram in tenths of an answer."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from haozhi.accounting.split import WHOLE_PPB
from haozhi.language import Language
from haozhi.reports.charts.axes import BOTTOM, SMALL, WIDTH, empty, slot_axis, slots, value_axis
from haozhi.reports.charts.figure import Bar, Figure, Label, Mark
from haozhi.reports.words import words
from store.records.ledger import Line

BINS = 10
_EDGES = tuple(range(0, 101, 100 // BINS))


def earned_shares(lines: Iterable[Line]) -> Iterator[int]:
    """The shares, in ppb, of the lines that earned something; corrections repeat none of them."""
    for line in lines:
        if line.reason in {"share", "grant"} and line.share_ppb is not None:
            yield line.share_ppb


def shares_chart(shares_ppb: Iterable[int], language: Language) -> Figure:
    """How many lines have a share in each tenth of an answer; shares are 0..10^9.

    A share on an edge counts in the higher bin, a whole answer in the last. The iterable is read
    once and only counted, so that a million lines may stream through.
    """
    say = words(language)
    counts: Counter[int] = Counter()
    for share in shares_ppb:
        assert 0 <= share <= WHOLE_PPB, f"{share} is not a share"
        counts[min(share * BINS // WHOLE_PPB, BINS - 1)] += 1
    if not counts:
        return empty("shares", language)
    scale, axis = value_axis(0, max(counts.values()), str, say["lines_axis"])
    names = [f"{low}–{high}" for low, high in pairwise(_EDGES)]
    marks: list[Mark] = [*axis, *slot_axis(names, say["share_axis"])]
    told = []
    for number, (x, width) in enumerate(slots(BINS, gap=0.06)):
        count = counts[number]
        told.append(say["bin_value"].format(bin=names[number], count=count))
        if count:
            top = scale(count)
            marks.append(Bar(x, top, width, BOTTOM - top, "level", told[-1]))
            marks.append(Label(x + width / 2, top - 5, str(count), "middle", SMALL))
    description = say["list"].join(told)
    title = say["titles"]["shares"]
    return Figure("shares", language, title, description, WIDTH, BOTTOM + 40, tuple(marks))
