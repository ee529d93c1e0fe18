"""A credit report as a document: what it says, in order, before anything is drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from haozhi.accounting.report import CreditReport
from haozhi.credits import credits_text
from haozhi.language import Language
from haozhi.reports.blocks import Block, Column, Heading, Paragraph, Table
from haozhi.reports.charts import Figure, earned_chart, shares_chart, waterfall_chart
from haozhi.reports.charts.shares import earned_shares
from haozhi.reports.words import cut, words
from haozhi.times import utc_text
from store.records.ledger import Line, Period

#: A document is read by a person; the CSV and JSON files have every row.
MOST_ROWS = 50
MOST_LINES = 100


def report_document(
    report: CreditReport,
    *,
    name: str | None,
    language: Language,
    periods: Sequence[tuple[int, Mapping[str, int]]],
    lines: Iterable[Line],
) -> tuple[Block, ...]:
    """Everything that the PDF of a report says; `name` is the holder's, None when there is none.

    `periods` is what `earned_chart` takes. `lines` are the report's, read once; the first hundred
    are listed.
    """
    say = words(language)
    text = say["document"]
    lines = iter(lines)
    listed = tuple(islice(lines, MOST_LINES))
    shares = (share for part in (listed, lines) for share in earned_shares(part))
    return (
        Heading(text["heading"].format(period=report.period.id), level=1),
        _facts(report, name, say),
        Heading(text["balance"]),
        _balance(report, say),
        Paragraph(_split(report, say)),
        waterfall_chart(report, language),
        *_figure(earned_chart(periods, language)),
        *_figure(shares_chart(shares, language)),
        *_section("works", _works(report, say), len(report.works), say),
        *_section("statements", _statements(report, say), len(report.statements), say),
        *_section("lines", _lines(listed, say), report.line_count, say),
        Heading(text["verify"]),
        *(Paragraph(check) for check in say["checks"].values()),
    )


def _facts(report: CreditReport, name: str | None, say: Mapping[str, Any]) -> Table:
    text = say["document"]
    rows = (
        (text["name"], name or text["no_name"]),
        (text["holder"], report.holder_id),
        (text["author"], report.author_id or text["no_author"]),
        (text["period"], _period(report.period, text)),
        (text["status"], say["statuses"][report.status]),
    )
    return Table((Column("", 0.2), Column("", 0.8)), rows)


def _period(period: Period, text: Mapping[str, str]) -> str:
    form = text["period_open" if period.closed_us is None else "period_span"]
    closed = "" if period.closed_us is None else utc_text(period.closed_us)
    return form.format(period=period.id, opened=utc_text(period.opened_us), closed=closed)


def _balance(report: CreditReport, say: Mapping[str, Any]) -> Table:
    steps = (
        ("opening", report.opening_micro),
        *report.moves().items(),
        ("closing", report.closing_micro),
    )
    rows = tuple((say["columns"][column], credits_text(amount)) for column, amount in steps)
    text = say["document"]
    columns = (Column(text["column"], 0.6), Column(text["amount"], 0.4, number=True))
    return Table(columns, rows, frozenset({0, len(rows) - 1}))


def _split(report: CreditReport, say: Mapping[str, Any]) -> str:
    split: str = say["document"]["split"]
    return split.format(
        payable=credits_text(report.payable_micro),
        carried=credits_text(report.carried_micro),
        held=credits_text(report.held_micro),
    )


def _figure(figure: Figure) -> tuple[Block, ...]:
    return Heading(figure.title), figure


def _section(key: str, table: Table, count: int, say: Mapping[str, Any]) -> Iterator[Block]:
    """A heading, the rows there are, and how many more there would be."""
    text = say["document"]
    yield Heading(text[key])
    if table.rows:
        yield table
    if not count:
        yield Paragraph(text["none"], faint=True)
    elif count > len(table.rows):
        yield Paragraph(text["first"].format(shown=len(table.rows), count=count), faint=True)


def _works(report: CreditReport, say: Mapping[str, Any]) -> Table:
    rows = tuple(
        (work.title or say["unnamed_work"], str(work.line_count), credits_text(work.amount_micro))
        for work in report.works[:MOST_ROWS]
    )
    text = say["document"]
    return Table((Column(text["work"], 0.6), *_counted(text)), rows)


def _statements(report: CreditReport, say: Mapping[str, Any]) -> Table:
    titles = {work.work_id: work.title for work in report.works}
    rows = tuple(
        (
            str(total.statement_id),
            cut(titles.get(total.work_id) or say["unnamed_work"], 25),
            str(total.line_count),
            credits_text(total.amount_micro),
        )
        for total in report.statements[:MOST_ROWS]
    )
    text = say["document"]
    columns = (Column(text["statement"], 0.15), Column(text["work"], 0.45), *_counted(text))
    return Table(columns, rows)


def _counted(text: Mapping[str, str]) -> tuple[Column, Column]:
    return Column(text["line_count"], 0.15, number=True), Column(text["amount"], 0.25, number=True)


def _lines(lines: Iterable[Line], say: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            utc_text(line.created_us),
            say["reasons"].get(line.reason, line.reason),
            line.answer_id or "",
            "" if line.statement_id is None else str(line.statement_id),
            "" if line.share_ppb is None else f"{line.share_ppb / 10**7:.2f} %",
            credits_text(line.amount_micro),
        )
        for line in lines
    )
    text = say["document"]
    columns = (
        Column(text["booked"], 0.18),
        Column(text["reason"], 0.14),
        Column(text["answer"], 0.27),
        Column(text["statement"], 0.12),
        Column(text["share"], 0.11, number=True),
        Column(text["amount"], 0.18, number=True),
    )
    return Table(columns, rows)
