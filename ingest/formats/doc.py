"""Word 97-2003 documents, by the table of their text pieces ([MS-DOC] 2.4.1, Retrieving Text).

What such a file marks as deleted or hidden stands in its formatting, which is not read.
"""

import re
import struct
from typing import Any

from ingest.documents import Document
from ingest.drafts import Draft
from store.errors import BadInput

_ENCRYPTED, _TABLE_1, _OLD = 0x0100, 0x0200, 0x00C1
_OFFSET_CCP = 0x4C  # lengths of the parts of the text: body, footnotes, headers, …
_OFFSET_CLX = 0x01A2
_COMPRESSED = 0x40000000
_FIELD_CODE = re.compile("\x13[^\x13\x14\x15]*\x14|\x13[^\x13\x14\x15]*\x15")
_FIELD_MARKS = re.compile("[\x13\x14\x15\x01\x02\x05\x08]")


def read_doc(data: bytes) -> Document:
    """Paragraphs and table rows of the body, then footnotes and endnotes, text boxes.

    Raises BadInput for a file that is encrypted, from before Word 97 or damaged.
    """
    import olefile

    with olefile.OleFileIO(data) as ole:
        word = ole.openstream("WordDocument").read()
        flags = struct.unpack_from("<H", word, 0x0A)[0]
        if struct.unpack_from("<H", word, 2)[0] < _OLD:
            raise BadInput("from before Word 97: open it in LibreOffice and save it as DOCX")
        if flags & _ENCRYPTED:
            raise BadInput("protected by a password: remove the protection first")
        table = ole.openstream("1Table" if flags & _TABLE_1 else "0Table").read()
        title, author = _about(ole.get_metadata())
    text = _text(word, table)
    body, notes, headers, _, comments, endnotes, boxes = _lengths(word)
    draft = Draft()
    start = 0
    for length, is_text in (
        *((body, True), (notes, True), (headers, False), (comments, False)),
        *((endnotes, True), (boxes, True)),
    ):
        if is_text:
            _paragraphs(draft, text[start : start + length])
        start += length
    if comments:
        draft.notes.append("its comments are not read: save it as DOCX to have them with authors")
    return draft.finish(title=title, authors=author)


def _lengths(word: bytes) -> tuple[int, ...]:
    """How many characters body, footnotes, headers, macros, comments, endnotes, boxes have."""
    return struct.unpack_from("<7i", word, _OFFSET_CCP)


def _text(word: bytes, table: bytes) -> str:
    """All text of the file: its pieces in order, each in cp1252 or UTF-16."""
    offset, length = struct.unpack_from("<II", word, _OFFSET_CLX)
    pieces = _piece_table(table[offset : offset + length])
    count = (len(pieces) - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}I", pieces)
    text: list[str] = []
    for i in range(count):
        place = struct.unpack_from("<I", pieces, 4 * (count + 1) + 8 * i + 2)[0]
        size = ends[i + 1] - ends[i]
        if place & _COMPRESSED:
            start = (place & ~_COMPRESSED) // 2
            text.append(_windows(word[start : start + size]))
        else:
            text.append(word[place : place + 2 * size].decode("utf-16-le", "surrogatepass"))
    return "".join(text)


def _windows(data: bytes) -> str:
    """cp1252 with its gaps as control characters, which are left out later."""
    return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in data)


def _piece_table(clx: bytes) -> bytes:
    """The structure of pieces behind the formatting changes that precede it."""
    position = 0
    while clx[position : position + 1] == b"\x01":
        position += 3 + struct.unpack_from("<H", clx, position + 1)[0]
    if clx[position : position + 1] != b"\x02":
        raise BadInput("damaged: it has no table of its text")
    size = struct.unpack_from("<I", clx, position + 1)[0]
    return clx[position + 5 : position + 5 + size]


def _paragraphs(draft: Draft, text: str) -> None:
    while (shorter := _FIELD_CODE.sub("", text)) != text:
        text = shorter  # fields stand inside fields
    text = _FIELD_MARKS.sub("", text).replace("\x1e", "-").replace("\x1f", "")
    for paragraph in re.split("[\r\x0c\x0e]", text):
        # A cell ends with \x07 and so does its row: two of them in a row end the row.
        for row in paragraph.split("\x07\x07"):
            cells = [cell.strip() for cell in row.split("\x07")]
            draft.add("\t".join(filter(None, cells)).replace("\x0b", "\n"), whole=len(cells) > 1)


def _about(metadata: Any) -> tuple[str, str]:
    """Title and author, in the code page that the file names."""
    encoding = f"cp{metadata.codepage}" if metadata.codepage not in (None, 65001) else "utf-8"
    encoding = {"cp936": "gb18030", "cp950": "big5hkscs", "cp1200": "utf-16-le"}.get(
        encoding, encoding
    )
    found = []
    for value in (metadata.title, metadata.author):
        try:
            found.append((value or b"").decode(encoding))
        except (UnicodeDecodeError, LookupError):
            found.append("")
    return found[0], found[1]
