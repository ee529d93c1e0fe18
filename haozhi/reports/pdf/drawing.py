"""Draws a document as PDF; the home of ReportLab."""

import re
import string
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO
from threading import Lock
from xml.sax.saxutils import escape

from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, SimpleDocTemplate, Spacer
from reportlab.platypus import Paragraph as SetParagraph
from reportlab.platypus import Table as SetTable

from haozhi.language import Language
from haozhi.reports.blocks import Block, Heading, Paragraph, Table
from haozhi.reports.charts.figure import Figure, Label
from haozhi.reports.pdf.figures import FAINT_TEXT, FONT, HAIRLINE, Drawing
from haozhi.reports.pdf.font import font_file
from haozhi.reports.words import printable, words

MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
#: ReportLab keeps this free inside the margins of a page.
_PADDING = 6
_TEXT = ParagraphStyle("text", fontName=FONT, fontSize=9.5, leading=14, wordWrap="CJK")
_REMARK = ParagraphStyle("remark", _TEXT, fontSize=8.5, textColor=FAINT_TEXT, spaceBefore=3)
_CELL = ParagraphStyle("cell", _TEXT, fontSize=8.5, leading=11)
_HEADINGS = {
    1: ParagraphStyle("title", _TEXT, fontSize=18, leading=26, spaceAfter=6),
    2: ParagraphStyle("section", _TEXT, fontSize=12, leading=16, spaceBefore=14, spaceAfter=4),
}
_one_at_a_time = Lock()


def draw(blocks: Sequence[Block], language: Language) -> bytes:
    """The PDF of these blocks on A4 pages; the first block is the heading that names it."""
    say = words(language)["document"]
    characters = {*string.printable, *say["page"], *say["title"], *_characters(blocks)}
    font = font_file({printable(c) for c in characters})
    with _one_at_a_time:
        _register(_Font(FONT, BytesIO(font)))
        # The first run counts the pages that the second one names.
        pages, _ = _run(blocks, language, pages=0)
        return _run(blocks, language, pages)[1]


def _register(font: TTFont) -> None:
    """Make it the font of this name.

    ReportLab finds fonts by name in tables of the process and keeps the first of a name, but each
    document has a font of its own: hence the lock, and the old one goes first.
    """
    pdfmetrics._fonts.pop(font.fontName, None)
    pdfmetrics._dynFaceNames.pop(font.face.name, None)
    pdfmetrics.registerFont(font)


def _run(blocks: Sequence[Block], language: Language, pages: int) -> tuple[int, bytes]:
    target = BytesIO()
    head = blocks[0]
    assert isinstance(head, Heading)
    document = SimpleDocTemplate(
        target,
        pagesize=A4,
        leftMargin=MARGIN - _PADDING,
        rightMargin=MARGIN - _PADDING,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=head.text,
        lang=language,
        initialFontName=FONT,
        creator="haozhi",
        # No clock and no chance in the file: the same blocks give the same bytes.
        invariant=1,
    )
    foot = partial(_foot, title=head.text, form=words(language)["document"]["page"], pages=pages)
    document.build(list(_flowables(blocks)), onFirstPage=foot, onLaterPages=foot)
    return document.page, target.getvalue()


def _foot(
    canvas: Canvas, document: SimpleDocTemplate, *, title: str, form: str, pages: int
) -> None:
    canvas.setFont(FONT, 8)
    canvas.setFillColor(FAINT_TEXT)
    canvas.drawString(MARGIN, MARGIN / 2, printable(title))
    number = form.format(page=document.page, pages=pages)
    canvas.drawRightString(A4[0] - MARGIN, MARGIN / 2, number)


def _characters(blocks: Sequence[Block]) -> Iterator[str]:
    """Every character that is drawn."""
    for block in blocks:
        match block:
            case Heading() | Paragraph():
                yield from block.text
            case Table():
                yield from "".join(column.title for column in block.columns)
                yield from "".join("".join(row) for row in block.rows)
            case Figure():
                yield from "".join(m.text for m in block.marks if isinstance(m, Label))


def _flowables(blocks: Sequence[Block]) -> Iterator[Flowable]:
    for number, block in enumerate(blocks):
        match block:
            case Heading():
                if not isinstance(blocks[number + 1], Figure):
                    yield CondPageBreak(30 * mm)
                    yield _set(block.text, _HEADINGS[block.level])
            case Paragraph():
                yield _set(block.text, _REMARK if block.faint else _TEXT)
            case Table():
                yield _table(block)
            case Figure():
                before = blocks[number - 1]
                heading = [_set(before.text, _HEADINGS[2])] if isinstance(before, Heading) else []
                yield KeepTogether([*heading, Spacer(0, 6), Drawing(block, WIDTH)])


def _set(text: str, style: ParagraphStyle) -> SetParagraph:
    return SetParagraph(escape(printable(text)), style)


def _table(table: Table) -> SetTable:
    """Numbers on the right in one line each, other cells broken into lines."""
    numbers = [column.number for column in table.columns]
    titles = [column.title for column in table.columns]
    rows = [
        [
            printable(text) if number else _set(text, _CELL)
            for text, number in zip(row, numbers, strict=True)
        ]
        for row in ([titles] if any(titles) else []) + [list(row) for row in table.rows]
    ]
    head = int(any(titles))
    style = [
        ("FONT", (0, 0), (-1, -1), FONT, _CELL.fontSize, _CELL.leading),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ("LEFTPADDING", (0, 0), (0, -1), 0),
        ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, HAIRLINE),
        *(("ALIGN", (n, 0), (n, -1), "RIGHT") for n, number in enumerate(numbers) if number),
        *(("LINEABOVE", (0, head + r), (-1, head + r), 0.8, black) for r in table.strong if r),
        *([("LINEBELOW", (0, 0), (-1, 0), 0.8, black)] if head else []),
    ]
    widths = [column.part * WIDTH for column in table.columns]
    return SetTable(rows, widths, repeatRows=head, style=style, spaceAfter=5)


class _Font(TTFont):  # type: ignore[misc]  # ReportLab has no types
    """A font whose characters beyond U+FFFF, rare Chinese names among them, copy out right."""

    def addObjects(self, doc: PDFDocument) -> None:  # noqa: N802  # the name is ReportLab's
        super().addObjects(doc)
        for name, stream in doc.idToObject.items():
            if name.startswith("toUnicodeCMap:"):
                # PDF wants UTF-16, ReportLab writes the code point.
                stream.content = re.sub("<([0-9A-F]{5,6})>", _utf16, stream.content)


def _utf16(code_point: re.Match[str]) -> str:
    return f"<{chr(int(code_point[1], 16)).encode('utf-16-be').hex()}>"
