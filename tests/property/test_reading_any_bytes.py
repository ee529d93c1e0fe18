"""What holds for files with any content whatever."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.cutting import cut
from ingest.documents import Document
from ingest.kinds import media_type_of
from ingest.readers import parse, read_document
from ingest.speakers import speaker_passages
from store.errors import BadInput
from store.text import check_text
from tests.made_files import doc, docx, epub, odt, paragraph, pptx, slide

_MARKUP = st.sampled_from(
    [
        "---\n",
        "```\n",
        "~~~",
        "# ",
        "- ",
        "> ",
        "\n",
        "\r\n",
        ",",
        '"',
        "text",
        "author",
        "：",
        "说",
    ]
)
_TEXTS = st.lists(_MARKUP | st.text(max_size=4)).map("".join)
_CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


_NAMES = st.sampled_from(["a.txt", "a.md", "a.jsonl", "a.json", "a.csv", "a.tsv", "a.srt", "a"])
_WHOLE = {
    "docx": docx(paragraph("Some text."), author="A"),
    "pptx": pptx([slide(("title", "T"), ("body", "Text."))]),
    "odt": odt("<t:p>Text.</t:p>"),
    "epub": epub(["<p>Text.</p>"], "<dc:title>T</dc:title>"),
    "doc": doc("Some text.\r"),
    "rtf": rb"{\rtf1\ansi\ansicpg936 text \'c3\'a8\u29483 ?\par}",
    "html": b"<html><body><h1>T</h1><p>Text.<table><tr><td>1<td>2</table></body></html>",
    "eml": b"From: A <a@b.c>\nDate: Fri, 16 Dec 2022 17:04:16 -0500\n\nText.\n> quoted\n",
    "pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 1"
    b"/Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
    b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    b"4 0 obj<</Length 33>>stream\nBT /F 9 Tf 9 50 Td (Text.) Tj ET \nendstream endobj\n"
    b"trailer<</Root 1 0 R>>\n",
}


def _is_sound(document: Document) -> None:
    """Passages in order inside the text, which a database can hold."""
    position = 0
    for passage in speaker_passages(document.text, document.passages):
        assert position <= passage.start <= passage.end <= len(document.text)
        position = passage.end
    for sentence in cut(document, speaker_lines=True):
        check_text(document.text[sentence.start : sentence.end])
    assert all(len(box.edges) == box.end - box.start + 1 for box in document.boxes)


@settings(deadline=None)  # the first call of a kind imports its library
@given(
    name=_NAMES | st.text(max_size=8),
    data=st.binary() | _TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
)
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    """A file gives a sound document or one BadInput, whatever its name, and never another error."""
    try:
        _is_sound(parse(media_type_of(name, data), name, data, {}))
    except BadInput:
        return


@pytest.mark.parametrize("kind", _WHOLE)
@settings(deadline=None)
@given(
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3)), max_size=4
    ),
    kept=st.floats(0.2, 1),
)
def test_damaged_documents_are_read_or_refused(
    kind: str, changes: list[tuple[float, bytes]], kept: float
) -> None:
    """Spoilt or cut-off files of every format give a sound document or one BadInput."""
    data = bytearray(_WHOLE[kind])
    for place, new in changes:
        at = int(place * len(data))
        data[at : at + len(new)] = new
    name = f"a.{kind}"
    spoilt = bytes(data[: int(kept * len(data))])
    try:
        _is_sound(parse(media_type_of(name, spoilt), name, spoilt, {}))
    except BadInput:
        return


@given(st.lists(st.tuples(_CELLS, _CELLS)))
def test_a_json_line_goes_in_or_is_rejected(rows: list[tuple[str, str]]) -> None:
    """Every record is either one passage that reads exactly as its text, or one rejected line."""
    lines = [json.dumps({"text": text, "author": author}) for author, text in rows]
    document = read_document("a.jsonl", "\n".join(lines).encode())
    refused = {rejected.line for rejected in document.rejected}
    went_in = [text for line, (_, text) in enumerate(rows, start=1) if line not in refused]
    assert [document.text[p.start : p.end] for p in document.passages] == went_in
    assert len(went_in) + len(document.rejected) == len(rows)
