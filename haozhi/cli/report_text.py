"""A credit report for people: the equation from opening to closing, what becomes of it, lines."""

from collections.abc import Iterator
from typing import Any

from rich.cells import set_cell_size

from haozhi.cli.bars import column
from haozhi.credits import credits_text
from haozhi.language import Language
from haozhi.reports.words import words
from store.ledger.reasons import COLUMNS

Json = dict[str, Any]

#: Lines, statements and works that are listed; the export has them all.
MOST_LISTED = 20
_STEPS = (
    (" ", "opening"),
    *(("+" if sign > 0 else "-", name) for name, sign in COLUMNS.items()),
    ("=", "closing"),
)
_PARTS = ("payable", "carried", "held")


def report_lines(view: Json, language: Language = "en") -> Iterator[str]:
    """The lines that `haozhi report` prints of a `report_view`."""
    say = words(language)
    text, holder, period = say["terminal"], view["holder"], view["period"]
    name = view["author"]["name"] or holder["label"] or text["unnamed"]
    yield text["heading"].format(name=name, id=view["author"]["id"] or holder["id"])
    state, status = text["states"][period["state"]], text["statuses"][view["status"]]
    yield text["period"].format(period=period["id"], state=state, status=status)
    yield ""
    for sign, step in _STEPS:
        yield f"  {sign} {_amount(view, step, say)}"
    yield ""
    for part in _PARTS:
        yield f"    {_amount(view, part, say)}"
    yield from _works(view, say)
    yield from _lines(view, say)


def _amount(view: Json, name: str, say: Json) -> str:
    title = set_cell_size(say["columns"][name].lower(), 16)
    return f"{title}{credits_text(view[f'{name}_micro']):>20}"


def _works(view: Json, say: Json) -> Iterator[str]:
    text = say["terminal"]
    if view["works"] is None:
        yield from ("", text["not_summed"].format(count=view["line_count"]))
    elif view["works"]:
        listed = view["works"][:MOST_LISTED]
        titles = column([work["title"] or say["unnamed_work"] for work in listed])
        yield from ("", _heading("works", listed, len(view["works"]), say))
        for work, title in zip(listed, titles, strict=True):
            count = work["line_count"]
            lines = text["line" if count == 1 else "lines"].format(count=count)
            yield f"  {credits_text(work['amount_micro']):>14}  {title}  {lines}"


def _lines(view: Json, say: Json) -> Iterator[str]:
    text, listed = say["terminal"], view["lines"][-MOST_LISTED:]
    if not listed:
        return
    yield from ("", _heading("lines", listed, view["line_count"], say))
    for line in listed:
        reason = say["reasons"].get(line["reason"], line["reason"])
        share = "" if line["share_ppb"] is None else f"  {line['share_ppb'] / 10**7:6.2f} %"
        about = (
            f"  {text[name]} {line[f'{name}_id']}"
            for name in ("statement", "answer")
            if line[f"{name}_id"] is not None
        )
        yield f"  {credits_text(line['amount_micro']):>14}  {reason}{share}{''.join(about)}"


def _heading(what: str, listed: list[Json], count: int, say: Json) -> str:
    titles = say["terminal"]["all" if len(listed) == count else "some"]
    heading: str = titles[what].format(listed=len(listed), count=count)
    return heading
