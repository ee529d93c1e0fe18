"""PDF: paragraphs, places, and what is no statement."""

import io
from collections.abc import Callable

import pypdfium2
import pytest
from pypdf import PdfWriter
from pypdf.annotations import Text
from pypdf.generic import NameObject, TextStringObject
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from ingest.documents import Document
from ingest.formats import ocr
from ingest.formats.pdf import read_pdf
from store.errors import BadInput

ZH = "STSong-Light"
PAGE = (595, 842)


def _pdf(*pages: Callable[[Canvas], object], author: str = "", **options: object) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont(ZH))
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=PAGE, **options)
    canvas.setAuthor(author)
    for draw in pages:
        canvas.setFont("Helvetica", 10)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _lines(*lines: str, font: str = "Helvetica", top: float = 700) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 10)
        for number, line in enumerate(lines):
            canvas.drawString(72, top - 14 * number, line)

    return draw


def _read(data: bytes) -> Document:
    return read_pdf(data, lambda: None)


def _said(document: Document) -> list[str]:
    return [document.text[p.start : p.end] for p in document.passages]


PROSE = (
    "This is the first line of a paragraph that is long enough to reach the",
    "end of the column, where an extraordi-",
    "nary word is cut and goes on.",
    "The last one stands alone.",
)


def test_lines_become_paragraphs() -> None:
    """A line whose end the next word would have passed goes on; a cut word is joined."""
    first, second, third, fourth = PROSE
    wide = f"{first} {second[:-1]}{third}"
    assert _said(_read(_pdf(_lines(first, second, third, fourth)))) == [wide, fourth]


def test_chinese_lines_are_joined_without_a_space() -> None:
    """A sentence over two lines is one, and the next paragraph begins after a short line."""
    lines = ("天地玄黄，宇宙洪荒，日月盈昃，辰宿列张，寒来暑", "往，秋收冬藏。", "闰余成岁。")
    assert _said(_read(_pdf(_lines(*lines, font=ZH)))) == [lines[0] + lines[1], lines[2]]


END = "Yearly report, part 3\n3\n"


def test_a_sentence_goes_on_over_the_page() -> None:
    """Headers, footers and page numbers between are no statements; the page is where it begins."""

    def page(number: int, *lines: str) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(72, 810, f"Yearly report, part {number}")
            canvas.drawString(290, 30, str(number))
            _lines(*lines)(canvas)

        return draw

    full = "The sentence begins here and it is long enough to fill this line up to"
    document = _read(
        _pdf(page(1, full), page(2, "the end of the page.", "Next."), page(3, "Last."))
    )
    assert _said(document) == [f"{full} the end of the page.", "Next.", "Last."]
    assert [document.page_at(p.start) for p in document.passages] == [1, 2, 3]
    assert document.page_at(document.text.index("the end")) == 2
    assert document.text.endswith("Yearly report, part 1\n1\nYearly report, part 2\n2\n" + END)


def _turned(data: bytes, degrees: int) -> bytes:
    writer = PdfWriter(io.BytesIO(data))
    writer.pages[0].rotate(degrees)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_boxes_lie_on_the_words(degrees: int) -> None:
    """Where a box says that a line stands, the page as it is shown has all its ink."""
    data = _turned(_pdf(_lines("Wide line.")), degrees)
    [box] = _read(data).boxes
    assert len(box.edges) == box.end - box.start + 1
    image = pypdfium2.PdfDocument(data)[0].render(scale=1, grayscale=True).to_numpy()
    height = image.shape[0]
    rows = slice(round(height - box.top), round(height - box.bottom) + 1)
    inside = (image[rows, round(box.left) : round(box.right) + 1] < 200).sum()
    assert inside == (image < 200).sum() > 0
    low, high = (box.bottom, box.top) if degrees in (90, 270) else (box.left, box.right)
    assert sorted(box.edges, reverse=degrees in (90, 180)) == list(box.edges)
    assert low - 0.2 <= min(box.edges) <= max(box.edges) <= high + 0.2


def test_vertical_columns_are_read_from_the_right() -> None:
    """Upright characters below each other are columns, tier by tier, right to left."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(ZH, 10)
        for column, text in enumerate(("右行先读", "左行后读")):
            for row, character in enumerate(text):
                canvas.drawString(300 - 20 * column, 700 - 11 * row, character)

    assert _said(_read(_pdf(draw))) == ["右行先读左行后读"]
    assert all(box.vertical for box in _read(_pdf(draw)).boxes)


def test_an_author_of_the_fields_and_one_of_a_note() -> None:
    """The document's author is that of its fields; a note is by who wrote it."""
    note = Text(rect=(72, 700, 90, 720), text="Really?")
    note[NameObject("/T")] = TextStringObject("Rita")
    writer = PdfWriter(io.BytesIO(_pdf(_lines("Text."), author="Yawney, John")))
    writer.add_annotation(0, note)
    writer.add_attachment("data.csv", b"a,b")
    target = io.BytesIO()
    writer.write(target)
    document = _read(target.getvalue())
    assert _said(document) == ["Text.", "Really?"]
    assert [p.authors for p in document.passages] == [("Yawney, John",), ("Rita",)]
    assert (document.passages[1].voice, document.passages[1].page) == (True, 1)
    assert document.notes == ("the attached file data.csv is not read",)
    assert _read(_pdf(_lines("x"), author="Administrator")).authors == ()


def test_a_password_is_asked_for_only_where_it_is_needed() -> None:
    """A file that only its owner may change is read; one that nobody may open is refused."""
    owner = StandardEncryption("", ownerPassword="o", strength=128)
    assert _said(_read(_pdf(_lines("Open."), encrypt=owner))) == ["Open."]
    user = StandardEncryption("u", ownerPassword="o", strength=128)
    with pytest.raises(BadInput, match="protected by a password"):
        _read(_pdf(_lines("Closed."), encrypt=user))


def test_pages_without_text_are_listed() -> None:
    """A page without text among others is named; a file without any is refused."""
    empty = _lines()
    assert _read(_pdf(_lines("a"), empty, _lines("c"))).pages_without_text == (2,)
    with pytest.raises(BadInput, match="no text is seen on its 2 pages"):
        _read(_pdf(empty, empty))


def test_damaged_files_are_mended_or_refused() -> None:
    """What neither library opens is refused; the second one may open what the first does not."""
    whole = _pdf(_lines("Mended."))
    for data in (b"%PDF-1.7", whole[:200], whole.replace(b"/Page\n", b"/Pagf\n")):
        with pytest.raises(BadInput, match="damaged|no text"):
            _read(data)
    mended = _read(whole.replace(b"/Root", b"/Roof"))
    assert (_said(mended), len(mended.notes)) == (["Mended."], 1)


def _scan(text: str) -> bytes:
    """A page that is a picture of a page with this text."""
    page = pypdfium2.PdfDocument(_pdf(_lines(text)))[0]
    picture = page.render(scale=3).to_pil()
    return _pdf(lambda canvas: canvas.drawInlineImage(picture, 0, 0, *PAGE))


def test_a_picture_of_text_is_recognised() -> None:
    """Each passage says how sure it is, and where it stands."""
    document = _read(_scan("The cat is called Tuanzi."))
    assert _said(document) == ["The cat is called Tuanzi."]
    [passage] = document.passages
    assert passage.confidence is not None
    assert ocr.LOW_CONFIDENCE < passage.confidence <= 1
    [box] = document.boxes
    assert (round(box.left / 10), round(box.bottom / 10)) == (7, 70)


def test_without_the_extra_a_scan_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names what reads scans."""
    monkeypatch.setattr("ingest.formats.ocr.can_recognise", lambda: False)
    monkeypatch.setattr("ingest.formats.pdf.can_recognise", lambda: False)
    with pytest.raises(BadInput, match=r"install the extra `haozhi\[ocr\]`"):
        _read(_scan("The cat."))
