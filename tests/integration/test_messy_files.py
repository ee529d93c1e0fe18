"""47 real files that break readers: each gives the right text and author, or the stated refusal.

HAOZHI_EVAL_DATA names the folder that holds `messy_files`.
"""

import io
import json
import os
import socket
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.cutting import cut
from ingest.documents import Document
from ingest.kinds import DOCX
from ingest.readers import parse, read_document
from store.errors import BadInput

pytestmark = pytest.mark.evaldata

SECONDS = 10.0
"""Longest time for one file."""

Check = Callable[[Document], bool]


def _folder() -> Path:
    return Path(os.environ["HAOZHI_EVAL_DATA"]) / "messy_files"


def _texts(document: Document) -> list[str]:
    return [document.text[p.start : p.end] for p in document.passages]


def _said(document: Document) -> list[tuple[str, tuple[str, ...]]]:
    return [(document.text[p.start : p.end], p.authors) for p in document.passages]


def _by(*authors: str) -> Check:
    return lambda document: {p.authors for p in document.passages} == {authors}


def _says(*texts: str, authors: tuple[str, ...] = ()) -> Check:
    """All that is said, by the authors of each passage."""
    return lambda document: _said(document) == [(text, authors) for text in texts]


def _begins(text: str, count: int) -> Check:
    return lambda d: d.text[d.passages[0].start :].startswith(text) and len(d.passages) == count


CHECKS: dict[str, Check] = {
    "Langchain-__langchain-ChatGLM_closed.csv": lambda d: (
        len(d.passages) == len(list(cut(d, speaker_lines=False))) + _long(d) == 172
        and not d.rejected
        and _texts(d)[0].startswith(
            "title: 加油~以及一些建议; file: 2023-03-31.0002; url: https://"
        )
    ),
    "Langchain-__ocr_test.docx": _says(
        "我是文字",
        "我是表格1\t我是表格2",
        "我是表格3\t我是表格4",
        authors=("xiechuangjian",),
    ),
    "charsetnor__sample-chinese.txt": lambda d: (
        d.encoding == "big5hkscs" and d.text.startswith("維基大典（Wikipedia）者，網路為礎；")
    ),
    "charsetnor__sample-english.bom.txt": lambda d: (
        d.media_type == "application/x-subrip"
        and "\ufeff" not in d.text
        and _texts(d)[0].startswith("About 2 months ago I found myself on the comment section of")
    ),
    "csv-spectr__quotes_and_newlines.csv": _says('a: 1; b: ha "ha" ha', "a: 3; b: 4"),
    "docling__Strict.docx": _says("Some text", authors=("Cragun, Randy",)),
    "docling__docx_comments.docx": lambda d: (
        [p.authors for p in d.passages]
        == [(), (), (), (), ("John Reviewer",), ("Jane Editor",), ()]
        and [p.voice for p in d.passages] == [False] * 4 + [True] * 3
        and _texts(d)[6] == "Anonymous feedback on this paragraph."
        and d.passages[4].published_on == "2026-01-04"
    ),
    "docling__docx_external_image.docx": _says(
        "This paragraph has text before the image.",
        "This paragraph comes after the external image.",
    ),
    "docling__textbox.docx": lambda d: (
        _by("吳麗招")(d)
        and "Student falls ill" in _texts(d)
        and len(set(_texts(d))) >= len(_texts(d)) - 3  # the form itself repeats a few labels
        and d.title == "傳染病通報作業流程"
    ),
    "docling__webvtt_example_01.vtt": lambda d: (
        [p.authors for p in d.passages]
        == [("Roger Bingham",), ("Neil deGrasse Tyson",)] * 2 + [("Roger Bingham",)]
        and _texts(d)[3] == "Laughs"
    ),
    "markitdown__test.epub": lambda d: (
        _by("Test Author")(d)
        and "This is a test paragraph with some formatting." in _texts(d)
        and d.title == "Test EPUB Document"
    ),
    "markitdown__test_mskanji.csv": lambda d: (
        d.encoding == "cp932" and _texts(d)[0] == "名前: 佐藤太郎; 年齢: 30; 住所: 東京"
    ),
    "messytable__badcolspan.html": _says(*["05\t06\t08\t09"] * 4),
    "messytable__invisible_text.html": lambda d: (
        "01879-07-01-0000" not in d.text
        and "7000558" not in d.text
        and "1 July 1879" in _texts(d)[2]
        and d.raw is not None
        and "01879-07-01-0000" in d.raw
    ),
    "messytable__utf8bom.csv": _says("kitten; win"),
    "paper-qa__dummy_jap.docx": lambda d: _by()(d) and _begins("大規模言語モデル（LLM）", 3)(d),
    "pdfjs__issue12823.pdf": lambda d: (
        sum("\u4e00" <= c <= "\u9fff" for c in d.text) == 86
        and "描述团队的共同目标，有利于团队成员理解目标并朝着目标努力。" in _texts(d)
    ),
    "pdfminersi__issue-449-vertical.pdf": _says(
        "Test", "Vertical", "Layout", authors=("Yawney, John",)
    ),
    "pdfminersi__jo.pdf": lambda d: (
        _texts(d)[:4]
        == ["序", "わたくしといふ現象は", "假定された有機交流電燈の", "ひとつの青い照明です"]
        and d.text.rstrip().endswith("宮澤賢治")
    ),
    "pypdf__attachment.pdf": lambda d: (
        d.notes == ("the attached file jpeg.pdf is not read",)
        and "Maybe they have to be crazy." in _texts(d)
    ),
    "pypdf__commented.pdf": lambda d: (
        {p.authors for p in d.passages if p.voice} == {("moose",)}
        and {p.authors for p in d.passages if not p.voice} == {()}
        and "Note in second paragraph" in _texts(d)
    ),
    "pypdf__metadata.pdf": lambda d: (
        d.title == "The Title" and _says("Whatever", authors=("Martin Thoma",))(d)
    ),
    "pypdf__r4-owner-password.pdf": lambda d: "pdf encryption test" in d.text and _by("cheng")(d),
    "python-doc__doc-no-coreprops.docx": lambda d: not d.passages and not d.authors,
    "python-doc__hdr-header-footer.docx": lambda d: (
        _says(
            "section with header", "section without header of its own.", authors=("Steve Canny",)
        )(d)
        and d.text.count("Header for section-1") == 1
    ),
    "unstructur__csv-with-escaped-commas.csv": _says(
        "A; A; A; A; A", "A; A; A; A,A; A", "A; A; A; A,A; A"
    ),
    # One statement with six occurrences: the store knows a text once.
    "unstructur__duplicate-paragraphs.docx": _says(*["some text"] * 6),
    "unstructur__empty.txt": lambda d: not list(cut(d, speaker_lines=False)),
    # Statements are zh or en; Spanish counts as Latin text.
    "unstructur__eng_spa_mult.epub": lambda d: (
        _begins("All human beings are born free and equal in dignity and rights.", 5)(d)
        and '"Todos los seres humanos nacen libres' in d.text
    ),
    "unstructur__fake-doc-emphasized-text.doc": _says(
        "Header Col 1\tHeader Col 2",
        "A bold italic bold-italic example\tA Link example",
        "I am a bold italic bold-italic text.",
        "I am a normal text.",
    ),
    "unstructur__fake-doc.rtf": lambda d: (
        d.title == "My First Heading"
        and _says(
            "My first paragraph.",
            "Table Example:",
            "Column 1\tColumn 2",
            "Row 1, Cell 1\tRow 1, Cell 2",
            "Row 2, Cell 1\tRow 2, Cell 2",
        )(d)
    ),
    "unstructur__fake-email-utf-16.eml": lambda d: (
        d.encoding == "utf-16"
        and (d.title, d.published_on) == ("Test Email", "2022-12-16")
        and _says(
            "This is a test email to use for unit tests.",
            "Important points:",
            "- Roses are red\n- Violets are blue",
            authors=("Matthew Robinson",),
        )(d)
    ),
    "unstructur__fake-html-cp1252.html": lambda d: (
        d.encoding == "cp1252"
        and "L'été était très chaud cette année." in d.text
        and "3,50 €" in d.text
    ),
    "unstructur__fake-memo-with-duplicate-page.pdf": lambda d: (
        _texts(d)[:5] == _texts(d)[5:]
        and [d.page_at(p.start) for p in d.passages] == [1] * 5 + [2] * 5
        and "200 laptops delivered on January 23, 2023. A total of 3 trucks" in _texts(d)[2]
    ),
    "unstructur__fake-text-all-whitespace.txt": lambda d: not list(cut(d, speaker_lines=False)),
    "unstructur__fake.odt": _says(
        "Lorem ipsum dolor sit amet.",
        "Header row\tMon\tWed\tFri",
        "Color\tBlue\tRed\tGreen",
        "Time\t1pm\t2pm\t3pm",
        "Leader\tSarah\tMark\tRyan",
    ),
    "unstructur__korean-text-with-tables.pdf": lambda d: (
        "적립 제외 대상" in _texts(d) and "쿠팡, 티몬, 위메프" in _texts(d)
    ),
    "unstructur__rotated-page-90.pdf": _says(
        "Rotated page fixture", "Second line of text here", "Hello World Test Text"
    ),
    "unstructur__semicolon-delimited.csv": lambda d: (
        _texts(d)[0] == "Lorem, ipsum: consectetur; dolor sit: adipiscing; amet: elit"
    ),
    "unstructur__stanley-cups-utf-16.csv": lambda d: (
        d.encoding == "utf-16" and _texts(d)[-1] == "Maple Leafs; TOR; 13"
    ),
    "unstructur__teams_chat.docx": lambda d: (
        _said(d)[:2] == [("OK. Yeah.", ("Some Body",)), ("Umm.", ("James Bond",))]
        and _said(d)[2] == ("saved-by\tDennis Forsythe", ())
    ),
    "unstructur__winter-sports.epub": lambda d: (
        _by("E. F. Benson")(d)
        and not any("Project Gutenberg" in text for text in _texts(d))
        and "Project Gutenberg License" in d.text
        and len(d.passages) > 700
    ),
}

REFUSALS = {
    "pdfjs__bug1020226.pdf": "damaged",
    "pdfjs__poppler-742-0-fuzzed.pdf": "damaged",
    "pdfjs__poppler-85140-0.pdf": "no text is seen on its 1 pages",
    "pypdf__libreoffice-writer-password.pdf": "protected by a password",
    "pypdf__r6-user-password.pdf": "protected by a password",
}


def _long(document: Document) -> int:
    """How many statements fewer or more the rows are than one each, because some are too long."""
    return len(document.passages) - len(list(cut(document, speaker_lines=False)))


def test_every_file_has_its_expectation() -> None:
    """No file of the manifest goes unchecked."""
    manifest = (_folder() / "MANIFEST.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["file"] for line in manifest} == CHECKS.keys() | REFUSALS.keys()


def _read(name: str) -> Document:
    """The file, read within the time."""
    data = (_folder() / name).read_bytes()
    start = time.monotonic()
    try:
        return read_document(name, data)
    finally:
        assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_a_messy_file_is_read_as_expected(name: str) -> None:
    """The right text by the right author, or by nobody where the file does not say."""
    document = _read(name)
    assert CHECKS[name](document), _said(document)[:20]


@pytest.mark.parametrize("name", sorted(REFUSALS))
def test_a_messy_file_is_refused_with_its_reason(name: str) -> None:
    """What cannot be read is one line that says why."""
    with pytest.raises(BadInput, match=REFUSALS[name]):
        _read(name)


def test_reading_never_uses_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that a document links to is not fetched."""
    name = "docling__docx_external_image.docx"
    data = (_folder() / name).read_bytes()
    assert b"http" in zipfile.ZipFile(io.BytesIO(data)).read("word/_rels/document.xml.rels")
    monkeypatch.setattr(socket, "socket", None)
    assert CHECKS[name](parse(DOCX, name, data, {}))
