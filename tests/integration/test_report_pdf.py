"""Rules of a credit report as PDF, read back with another library."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pypdfium2
import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from pylopdf_fonts_zh_cn import sans_path

from haozhi.accounting.report import CreditReport, WorkTotal
from haozhi.language import Language
from haozhi.reports.pdf import report_pdf
from haozhi.reports.pdf.font import font_file
from store.errors import BadInput
from store.records.ledger import StatementTotal
from tests.credit_reports import a_credit_report, a_line_of

PERIODS = [(2, {"论语译注": 1_000_000}), (3, {"论语译注": 8_000_000, "Tea <notes>": 1})]
LINES = [a_line_of(f"an{n:03}", 100 + n, 80_000) for n in range(120)]


def a_full_report() -> CreditReport:
    """A report with more statements and lines than a PDF lists."""
    return a_credit_report(
        opening=12_345_678,
        earned=9_600_001,
        deductions=1_600_000,
        paid=12_000_000,
        works=(
            WorkTotal("w1", "论语译注", 9_600_000, 119),
            WorkTotal("w2", "Tea <notes>", 1, 1),
        ),
        statements=tuple(StatementTotal(100 + n, "w1", 80_000, 1) for n in range(120)),
        line_count=120,
    )


def made(language: Language, name: str | None = "王羲之", **changes: object) -> bytes:
    """The PDF of the full report."""
    report = replace(a_full_report(), **changes)  # type: ignore[arg-type]  # fields by name
    return report_pdf(report, name=name, language=language, periods=PERIODS, lines=LINES)


def pages(data: bytes) -> list[str]:
    """The text of each page."""
    with pypdfium2.PdfDocument(data) as document:
        return [page.get_textpage().get_text_range() for page in document]


def test_chinese_pdf_has_every_part_of_the_report() -> None:
    """Who, when, the equation, where the closing balance is, works, statements, lines, checks."""
    text = "\n".join(pages(made("zh")))
    for expected in (
        "收益报告（第 3 期）",
        "姓名 王羲之",
        "权利人 h1",
        "作者 a1",
        "第 3 期，2026-01-01 00:00:00 至 2026-02-01 00:00:00（UTC）",
        "最终：本期已结期",
        "期初余额 12.345678",
        "收入 9.600001",
        "代扣 -1.600000",
        "已支付 -12.000000",
        "期末余额 8.345679",
        "应付 8.345679，结转 0.000000，暂留 0.000000",
        "论语译注 119 9.600000",
        "Tea <notes> 1 0.000001",
        "149 论语译注 1 0.080000",
        "仅列前 50 项，共 120 项",
        "2026-01-01 20:40:00 份额 an099 199 25.00 % 0.080000",
        "仅列前 100 项，共 120 项",
        "haozhi report verify",
    ):
        assert expected in text
    assert "an100" not in text


def test_english_pdf_has_its_words_and_the_same_amounts() -> None:
    """The language changes words only."""
    text = "\n".join(pages(made("en", status="amended")))
    for expected in (
        "Credit report, period 3",
        "Name 王羲之",
        "Closing 8.345679",
        "amended: a later",
    ):
        assert expected in text


def test_every_page_says_which_one_it_is() -> None:
    """A page that is missing from a print is noticed."""
    found = pages(made("zh"))
    assert len(found) >= 4
    for number, text in enumerate(found, start=1):
        assert f"第 {number} 页，共 {len(found)} 页" in text


def test_all_text_is_set_in_the_embedded_font() -> None:
    """A reader without Chinese fonts sees Chinese, and the file stays small."""
    data = made("zh")
    assert b"/Helvetica" not in data
    assert len(data) < 150_000
    with pypdfium2.PdfDocument(data) as document:
        embedded = [
            item.get_font().is_embedded
            for page in document
            for item in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT])
        ]
    assert embedded
    assert all(embedded)


def test_names_are_shown_as_they_are() -> None:
    """Markup is text; a rare character copies out right, with or without a glyph in the font."""
    assert "Name <b>José</b> &amp; 𠂇𠮷 한" in pages(made("en", "<b>José</b> &amp; 𠂇𠮷 한"))[0]


def test_report_without_name_author_or_lines_says_so() -> None:
    """What is not there is said, not left blank."""
    report = replace(a_credit_report(status="provisional"), author_id=None)
    data = report_pdf(report, name=None, language="en", periods=[], lines=[])
    text = "\n".join(pages(data))
    assert "Name not given or erased" in text
    assert "Author not an author" in text
    assert "provisional: the period is not closed yet" in text
    assert text.count("None in this period.") == 3


def test_documents_made_at_the_same_time_keep_their_own_characters() -> None:
    """ReportLab's table of fonts is shared by all threads; no document takes another's font."""
    names = ["王羲之", "顏真卿", "Ærøskøbing", "欧阳询"] * 2
    with ThreadPoolExecutor(4) as threads:
        for name, data in zip(names, threads.map(lambda n: made("zh", n), names), strict=True):
            assert f"姓名 {name}" in pages(data)[0]


def test_pdf_has_the_same_bytes_in_every_process() -> None:
    """No clock, no chance and no order of sets gets into the file."""
    code = (
        "import hashlib; from tests.integration.test_report_pdf import made;"
        "print(hashlib.sha256(made('zh')).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(hashes) == 1


def test_font_has_outlines_of_the_characters_asked_for() -> None:
    """A glyph redrawn as TrueType has the original's box; what the font lacks is its empty box."""
    with TTFont(BytesIO(font_file("永a永\U0001f600"))) as font, TTFont(sans_path()) as source:
        glyphs, cmap = font["glyf"], font.getBestCmap()
        assert set(cmap) == {ord("永"), ord("a"), 0x1F600}
        drawings = source.getGlyphSet()
        for character in "永a":
            pen = BoundsPen(drawings)
            drawings[source.getBestCmap()[ord(character)]].draw(pen)
            drawn = glyphs[cmap[ord(character)]]
            box = (drawn.xMin, drawn.yMin, drawn.xMax, drawn.yMax)
            assert box == pytest.approx(pen.bounds, abs=1)
        assert glyphs[cmap[0x1F600]] == glyphs[".notdef"]


def test_missing_extra_is_one_line_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who has not installed the extra is told its name."""
    monkeypatch.delitem(sys.modules, "haozhi.reports.pdf.drawing", raising=False)
    monkeypatch.setitem(sys.modules, "reportlab.lib.colors", None)
    with pytest.raises(BadInput, match=r"pip install 'haozhi\[pdf\]'"):
        made("en")
