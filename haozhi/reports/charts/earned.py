"""What each work earned, period by period: stacked bars."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from haozhi.credits import credits_text, short_credits
from haozhi.language import Language
from haozhi.reports.charts.axes import (
    BOTTOM,
    SMALL,
    WIDTH,
    Scale,
    empty,
    slot_axis,
    slots,
    value_axis,
)
from haozhi.reports.charts.figure import Bar, Figure, Label, Mark
from haozhi.reports.words import cut, words

#: As many works have a bar and a colour of their own; the others share one.
SERIES = 6
_TONES = (*(f"series-{number}" for number in range(1, SERIES + 1)), "rest")
_LEGEND = BOTTOM + 50
_LEGEND_ROW = 22

Stack = dict[str, int]


def earned_chart(periods: Sequence[tuple[int, Mapping[str, int]]], language: Language) -> Figure:
    """One bar per (period id, micro-credits by title of the work), in the given order.

    Titles are distinct: works of one title come summed. What a work lost hangs below the axis.
    """
    say = words(language)
    totals, stacks = _stacks([amounts for _, amounts in periods], say)
    if not any(any(stack.values()) for stack in stacks):
        return empty("earned", language)
    low = min(sum(v for v in stack.values() if v < 0) for stack in stacks)
    high = max(sum(v for v in stack.values() if v > 0) for stack in stacks)
    scale, axis = value_axis(low, high, short_credits, say["unit"])
    marks: list[Mark] = [*axis, *slot_axis([str(p) for p, _ in periods], say["period_axis"])]
    told = []
    for (period, _), stack, slot in zip(periods, stacks, slots(len(stacks), 0.35), strict=True):
        notes = {
            work: say["work_value"].format(work=work, period=period, amount=credits_text(amount))
            for work, amount in stack.items()
        }
        marks += _bars(stack, slot, scale, notes)
        amount = credits_text(sum(stack.values()))
        told.append(say["period_value"].format(period=period, amount=amount))
    marks += _legend(totals)
    height = _LEGEND + _LEGEND_ROW * -(-len(totals) // 2)
    description = say["list"].join(told)
    title = say["titles"]["earned"]
    return Figure("earned", language, title, description, WIDTH, height, tuple(marks))


def _stacks(
    periods: Sequence[Mapping[str, int]], say: Mapping[str, str]
) -> tuple[Stack, list[Stack]]:
    """The total and each period's amounts of the largest works and of all others as one."""
    sums: Counter[str] = Counter()
    for amounts in periods:
        sums.update(amounts)
    ranked = sorted(sums, key=lambda work: (-abs(sums[work]), work))
    names = {work: work or say["unnamed_work"] for work in ranked[:SERIES]}
    rest = ranked[SERIES:]
    other = say["other_works"].format(count=len(rest)) if len(rest) > 1 else "".join(rest)
    names |= dict.fromkeys(rest, other)
    return _merged(sums, names), [_merged(amounts, names) for amounts in periods]


def _merged(amounts: Mapping[str, int], names: Mapping[str, str]) -> Stack:
    """The amounts by name, every name once and in the order of `names`."""
    merged = dict.fromkeys(names.values(), 0)
    for work, amount in amounts.items():
        merged[names[work]] += amount
    return merged


def _bars(
    stack: Stack, slot: tuple[float, float], scale: Scale, notes: Mapping[str, str]
) -> Iterator[Mark]:
    """The bars of a period: gains upwards from zero, losses downwards."""
    x, width = slot
    above = below = 0
    for (work, amount), tone in zip(stack.items(), _TONES, strict=False):
        if amount > 0:
            above += amount
            top, bottom = scale(above), scale(above - amount)
        else:
            below += amount
            top, bottom = scale(below - amount), scale(below)
        if amount:
            yield Bar(x, top, width, bottom - top, tone, notes[work])


def _legend(totals: Stack) -> Iterator[Mark]:
    """Colour, title and total of each series, in two columns."""
    for number, ((work, amount), tone) in enumerate(zip(totals.items(), _TONES, strict=False)):
        x, y = number % 2 * (WIDTH / 2 + 10), _LEGEND + number // 2 * _LEGEND_ROW
        yield Bar(x, y, 12, 12, tone)
        yield Label(x + 20, y + 10.5, cut(work, 17))
        yield Label(x + WIDTH / 2 - 10, y + 10.5, short_credits(amount), "end", SMALL, faint=True)
