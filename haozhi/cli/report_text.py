"""A credit report for people: the equation from opening to closing, what becomes of it, lines."""

from collections.abc import Iterator
from typing import Any

from haozhi.cli.bars import column
from haozhi.credits import credits_text

#: Lines, statements and works that are listed; the export has them all.
MOST_LISTED = 20
_STEPS = (
    (" ", "opening"), ("+", "earned"), ("-", "adjustments"), ("-", "deductions"),
    ("-", "recouped"), ("-", "disputed"), ("+", "released"), ("-", "paid"), ("=", "closing"),
)  # fmt: skip
_PARTS = (("payable", "payable"), ("carried", "carried forward"), ("held", "held"))


def report_lines(view: dict[str, Any]) -> Iterator[str]:
    """The lines that `haozhi report` prints of a `report_view`."""
    holder, period = view["holder"], view["period"]
    name = view["author"]["name"] or holder["label"] or "an unnamed author"
    yield f"Credit report of {name} ({view['author']['id'] or holder['id']})"
    yield f"period {period['id']}, {period['state']}, {view['status']}"
    yield ""
    for sign, step in _STEPS:
        yield f"  {sign} {step:<16}{credits_text(view[f'{step}_micro']):>20}"
    yield ""
    for part, words in _PARTS:
        yield f"    {words:<16}{credits_text(view[f'{part}_micro']):>20}"
    yield from _totals(view)
    yield from _lines(view)


def _totals(view: dict[str, Any]) -> Iterator[str]:
    if view["works"] is None:
        yield from ("", f"{view['line_count']} lines: summed by work when the period closes")
    elif view["works"]:
        listed = view["works"][:MOST_LISTED]
        titles = column([work["title"] or "an unknown work" for work in listed])
        yield from ("", _heading("By work", len(listed), len(view["works"])))
        for work, title in zip(listed, titles, strict=True):
            amount, count = credits_text(work["amount_micro"]), work["line_count"]
            yield f"  {amount:>14}  {title}  {count} line{'' if count == 1 else 's'}"


def _lines(view: dict[str, Any]) -> Iterator[str]:
    listed = view["lines"][-MOST_LISTED:]
    if not listed:
        return
    yield from ("", _heading("Lines", len(listed), view["line_count"]))
    for line in listed:
        share = "" if line["share_ppb"] is None else f"  {line['share_ppb'] / 10**7:6.2f} %"
        about = "" if line["statement_id"] is None else f"  statement {line['statement_id']}"
        answer = "" if line["answer_id"] is None else f"  answer {line['answer_id']}"
        yield f"  {credits_text(line['amount_micro']):>14}  {line['reason']}{share}{about}{answer}"


def _heading(what: str, listed: int, count: int) -> str:
    if listed == count:
        return what
    last = "the last " if what == "Lines" else ""
    return f"{what}: {last}{listed} of {count}; `haozhi report export` writes them all"
