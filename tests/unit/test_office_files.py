"""Word, presentations, workbooks and OpenDocument: whose text is read, and whose is not."""

import io

import openpyxl
import pytest
from openpyxl.comments import Comment

from ingest.documents import Document
from ingest.formats.doc import read_doc
from ingest.formats.docx import read_docx
from ingest.formats.odt import read_odt
from ingest.formats.pptx import read_pptx
from ingest.formats.rtf import read_rtf
from ingest.formats.xlsx import read_xlsx
from ingest.formats.xml import parse_xml, text_of
from ingest.readers import read_document
from store.errors import BadInput
from tests.made_files import doc, docx, odt, paragraph, pptx, slide


def _said(document: Document) -> list[tuple[str, tuple[str, ...]]]:
    return [(document.text[p.start : p.end], p.authors) for p in document.passages]


@pytest.mark.parametrize("strict", [False, True])
def test_a_word_document_is_by_its_author(strict: bool) -> None:
    """Paragraphs are by the author in the properties, in both namespaces of the format."""
    document = read_docx(docx(paragraph("猫叫", "团子。"), author="张三; 李四", strict=strict))
    assert _said(document) == [("猫叫团子。", ("张三", "李四"))]


@pytest.mark.parametrize("author", ["python-docx", "微软用户", "Unknown Author", "WPS_1700000000"])
def test_the_name_of_a_program_is_no_author(author: str) -> None:
    """What a program writes where the author stands leaves the author unknown."""
    assert _said(read_docx(docx(paragraph("x"), author=author))) == [("x", ())]


def test_comments_are_by_who_wrote_them() -> None:
    """A comment is its author's; one without an author is nobody's, not the document author's."""
    comments = "".join(
        f'<w:comment w:author="{name}" w:date="2024-05-01T00:00:00Z">{paragraph(text)}</w:comment>'
        for name, text in (("Rita", "Is it true?"), ("", "No name."), ("用户", "Nobody."))
    )
    document = read_docx(docx(paragraph("Text."), author="A", parts={"comments": comments}))
    assert _said(document) == [
        ("Text.", ("A",)),
        ("Is it true?", ("Rita",)),
        ("No name.", ()),
        ("Nobody.", ()),
    ]
    assert [p.voice for p in document.passages] == [False, True, True, True]
    assert document.passages[1].published_on == "2024-05-01"


def test_what_is_not_seen_in_word_is_not_read() -> None:
    """Deleted, moved and hidden runs and field codes are no text; inserted ones are."""
    body = paragraph(
        "Seen",
        "<w:del><w:r><w:delText> deleted</w:delText><w:t> gone</w:t></w:r></w:del>",
        "<w:moveFrom><w:r><w:t> moved</w:t></w:r></w:moveFrom>",
        "<w:ins><w:r><w:t> and inserted</w:t></w:r></w:ins>",
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t> hidden</w:t></w:r>",
        "<w:r><w:instrText> HYPERLINK</w:instrText></w:r>",
        "<w:r><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t></w:r>",
    )
    assert _said(read_docx(docx(body))) == [("Seen and inserted\tx\ny", ())]


def test_text_boxes_tables_and_notes_are_read_once() -> None:
    """The fallback of a text box repeats it; a row is one statement; headings are none."""
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    body = (
        paragraph("Title", properties='<w:pStyle w:val="2"/>')
        + paragraph("Host.", f"<w:r><c><Choice>{box}</Choice><Fallback>{box}</Fallback></c></w:r>")
        + f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    )
    parts = {
        "styles": '<w:style w:styleId="2"><w:name w:val="heading 1"/></w:style>',
        "header": paragraph("Page header"),
        "footnotes": f"<w:footnote>{paragraph('A note.')}</w:footnote>"
        f'<w:footnote w:type="separator">{paragraph("-")}</w:footnote>',
    }
    document = read_docx(docx(body, parts=parts))
    assert [text for text, _ in _said(document)] == ["Host.", "In the box.", "a\tb", "A note."]
    assert [p.whole for p in document.passages] == [False, False, True, False]
    assert (document.title, document.headings[0].level) == ("Title", 1)
    assert document.text.endswith("Page header\n")


def test_a_meeting_transcript_has_a_voice_for_each_turn() -> None:
    """A paragraph of times, name and text is said by that name."""
    turn = (
        "<w:r><w:t>0:0:3.2 --&gt; 0:0:4.2</w:t><w:br/><w:t>李雷</w:t><w:br/><w:t>好。</w:t></w:r>"
    )
    assert _said(read_docx(docx(paragraph(turn), author="A"))) == [("好。", ("李雷",))]


def test_a_presentation_is_read_slide_by_slide() -> None:
    """A slide is a page, its title a heading; notes follow, comments have a voice."""
    slides = [
        slide(("title", "First"), ("body", "Said here."), ("sldNum", "1")),
        slide(("body", "Hidden."), show="0"),
        slide(("body", "Last.")),
    ]
    document = read_pptx(pptx(slides, author="A"))
    assert _said(document) == [
        ("Said here.", ("A",)),
        ("A note for the speaker.", ("A",)),
        ("Too short.", ("Rita",)),
        ("Last.", ("A",)),
    ]
    assert [document.page_at(p.start) for p in document.passages] == [1, 1, 1, 3]
    assert (document.title, document.notes) == ("First", ("slide 2 is hidden and not read",))


def _book() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["text", "author", "date"], ["One. Two.", "B", None], ["三。", None, 2024]):
        sheet.append(row)
    other = book.create_sheet("other")
    other.append(["name", "number"])
    other.append(["x", 5.0])
    other["A2"].comment = Comment("Rita:\nReally?", "Rita")
    book.create_sheet("secret").sheet_state = "hidden"
    book.properties.creator = "A"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_rows_of_a_workbook_are_read_as_those_of_a_table() -> None:
    """Columns give text and author, else the workbook's author; each sheet has its own columns."""
    document = read_xlsx(_book(), "a.xlsx", {})
    assert _said(document) == [
        ("One. Two.", ("B",)),
        ("三。", ("A",)),
        ("name: x; number: 5", ("A",)),
        ("Really?", ("Rita",)),
    ]
    assert document.passages[1].published_on == "2024"
    assert document.notes == ("the sheet secret is hidden and not read",)


def test_an_opendocument_text_is_by_who_began_it() -> None:
    """Who saved it last is not its author; annotations have a voice, deletions are no text."""
    body = (
        "<t:tracked-changes><t:p>deleted</t:p></t:tracked-changes>"
        '<t:h t:outline-level="2">Heading</t:h>'
        "<t:p>One<t:s t:c='2'/>two<t:line-break/>three<o:annotation><d:creator>Rita</d:creator>"
        "<d:date>2024-05-01T08:00:00</d:date><t:p>Hm.</t:p></o:annotation></t:p>"
        "<b:table><b:table-row><b:table-cell><t:p>a</t:p></b:table-cell>"
        "<b:table-cell><t:p>b</t:p></b:table-cell></b:table-row></b:table>"
    )
    document = read_odt(odt(body, author="A", saved_by="Z"))
    assert _said(document) == [("One  two\nthree", ("A",)), ("a\tb", ("A",)), ("Hm.", ("Rita",))]
    assert (document.title, document.headings[0].level) == ("Heading", 2)


def test_rich_text_is_read_in_the_character_set_of_its_font() -> None:
    """GBK bytes, Unicode escapes with their fallback, and no hidden or deleted text."""
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 A;}{\f1\fcharset134 S;}}"
        rb"{\info{\author Jos\'e9}{\title T}{\company C}}{\header head}"
        rb"\f0 caf\'e9 {\f1 \'c3\'a8\'bd\'d0}\u12290 ?{\v hidden}{\deleted gone}{\*\x unknown}\par"
        rb"\pard\outlinelevel0 H\par\pard \u-10179?\u-8704?\par}"
    )
    document = read_rtf(data)
    assert _said(document) == [("café 猫叫。", ("José",)), ("😀", ("José",))]
    assert (document.title, document.headings[0].level) == ("T", 1)


def test_damaged_rich_text_is_refused() -> None:
    """Bytes that the character set does not have, and groups without end, are refused."""
    for data in (rb"{\rtf1\ansicpg936 \'ff\'ff}", b"{" * 5000):
        with pytest.raises(BadInput, match="damaged"):
            read_rtf(b"{\\rtf1" + data)


def test_an_old_word_file_is_read_piece_by_piece() -> None:
    """Both encodings of pieces give the text; cells of a row are one statement."""
    text = "One\x13 HYPERLINK x\x14 two\x15.\ra\x07b\x07\x07\r第二句话，很长很长。\r"
    document = read_document("a.doc", doc(text.replace("第二句话，很长很长。", "Café.")))
    assert [said for said, _ in _said(document)] == ["One two.", "a\tb", "Café."]
    assert [said for said, _ in _said(read_doc(doc("Abcdefgh\r一二三四五六七。\r")))] == [
        "Abcdefgh",
        "一二三四五六七。",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (doc("x", flags=0x0300), "protected by a password"),
        (doc("x", version=0x0065), "from before Word 97"),
        (docx(paragraph("x"))[:-30], "damaged"),
    ],
)
def test_what_cannot_be_opened_is_refused(data: bytes, message: str) -> None:
    """Protected, too old and damaged files are refused with what to do."""
    with pytest.raises(BadInput, match=message):
        read_document("a", data)


def test_entities_are_neither_expanded_nor_fetched() -> None:
    """An entity that names a file, or grows without end, adds nothing."""
    bomb = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'><!ENTITY b '&a;&a;'>]>"
    assert text_of(parse_xml(f"{bomb}<x>y&b;<z>&a;</z></x>".encode())) == "y"
