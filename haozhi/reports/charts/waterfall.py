"""From opening to closing: each column of a credit report as a step."""

from collections.abc import Iterator
from typing import NamedTuple

from haozhi.accounting.report import CreditReport
from haozhi.credits import credits_text
from haozhi.language import Language
from haozhi.reports.charts.axes import WIDTH, Scale, empty
from haozhi.reports.charts.figure import Bar, Figure, Label, Mark, Rule
from haozhi.reports.words import words

#: Rows lie down, so that names and exact amounts of any length stand beside them.
ROW = 28
LEFT, RIGHT = 120, WIDTH - 130


class Step(NamedTuple):
    """A column and the levels before and after it; opening and closing stand on zero."""

    column: str
    before_micro: int
    after_micro: int

    @property
    def moved_micro(self) -> int:
        """What the column adds; negative when it takes away."""
        return self.after_micro - self.before_micro


def waterfall_chart(report: CreditReport, language: Language) -> Figure:
    """One row per column of the report, with its exact amount; what goes out is negative."""
    say = words(language)
    steps = tuple(_steps(report))
    levels = [0, *(step.after_micro for step in steps)]
    if not any(levels):
        return empty("waterfall", language)
    scale = Scale(min(levels), max(levels), LEFT, RIGHT)
    marks: list[Mark] = [Rule(scale(0), 0, scale(0), ROW * len(steps))]
    for row, step in enumerate(steps[:-1]):
        # From the middle of a row to the middle of the next, behind the bars.
        x, y = scale(step.after_micro), ROW * (row + 0.5)
        marks.append(Rule(x, y, x, y + ROW))
    told = []
    for row, step in enumerate(steps):
        name, amount = say["columns"][step.column], credits_text(step.moved_micro)
        told.append(say["named_value"].format(name=name, amount=amount))
        marks += _row(step, ROW * row, scale, name, amount)
    description = say["list"].join(told)
    title = say["titles"]["waterfall"]
    height = ROW * len(steps)
    return Figure("waterfall", language, title, description, WIDTH, height, tuple(marks))


def _row(step: Step, y: float, scale: Scale, name: str, amount: str) -> Iterator[Mark]:
    ends = scale(step.before_micro), scale(step.after_micro)
    total = step.column in {"opening", "closing"}
    tone = "level" if total else "plus" if step.moved_micro > 0 else "minus"
    yield Label(LEFT - 14, y + 18, name, "end")
    if step.moved_micro:
        # A small step of a large balance is still seen.
        width = max(max(ends) - min(ends), 1)
        yield Bar(min(ends), y + 6, width, ROW - 12, tone, f"{name} {amount}")
    yield Label(WIDTH, y + 18, amount, "end", faint=not step.moved_micro)


def _steps(report: CreditReport) -> Iterator[Step]:
    level = report.opening_micro
    yield Step("opening", 0, level)
    for column, moved in report.moves().items():
        yield Step(column, level, level + moved)
        level += moved
    yield Step("closing", 0, level)
