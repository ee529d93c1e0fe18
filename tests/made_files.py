"""Small files of every format, so that a clone without the data tests each reader."""

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_SECTOR = 512


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip file of the parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def relations(*found: tuple[str, str, str]) -> str:
    """A relationships part of (id, kind, target)."""
    rows = "".join(
        f'<Relationship Id="{i}" Type="{_R}/{kind}" Target="{target}"/>'
        for i, kind, target in found
    )
    return f"<Relationships>{rows}</Relationships>"


def core(author: str, title: str = "") -> str:
    """Core properties of an Office file."""
    dc = "http://purl.org/dc/elements/1.1/"
    return (
        f'<cp:p xmlns:cp="c" xmlns:dc="{dc}">'
        f"<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator></cp:p>"
    )


def docx(
    body: str, *, author: str = "", strict: bool = False, parts: Mapping[str, str] | None = None
) -> bytes:
    """A Word document of the body's XML (prefix `w`); `parts` are further ones, by kind."""
    more = parts or {}
    kinds = [(f"r{i}", kind, f"{kind}.xml") for i, kind in enumerate(more)]
    document = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(
                ("a", "officeDocument", "word/document.xml"),
                ("b", "core-properties", "docProps/core.xml"),
            ),
            "docProps/core.xml": core(author),
            "word/document.xml": document.replace(_W, _STRICT) if strict else document,
            "word/_rels/document.xml.rels": relations(*kinds),
            **{
                f"word/{kind}.xml": f'<w:x xmlns:w="{_W}">{content}</w:x>'
                for kind, content in more.items()
            },
        }
    )


def paragraph(*runs: str, properties: str = "") -> str:
    """A paragraph of Word; a run that is no XML is a text."""
    made = (r if r.startswith("<") else f"<w:r><w:t>{r}</w:t></w:r>" for r in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(made)}</w:p>"


def slide(*shapes: tuple[str, str], show: str = "1") -> str:
    """A slide of (placeholder kind, text) shapes."""
    made = "".join(
        f'<p:sp><p:nvPr><p:ph type="{kind}"/></p:nvPr>'
        f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        for kind, text in shapes
    )
    return f'<p:sld xmlns:p="{_P}" xmlns:a="{_A}" show="{show}">{made}</p:sld>'


def pptx(slides: Iterable[str], *, author: str = "") -> bytes:
    """A presentation; its first slide has a note and a comment by Rita."""
    parts = list(slides)
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="s{i}"/>' for i in range(len(parts)))
    comment = '<c><cm authorId="7" dt="2024-05-01T10:00:00"><text>Too short.</text></cm></c>'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(
                ("a", "officeDocument", "ppt/presentation.xml"),
                ("b", "core-properties", "docProps/core.xml"),
            ),
            "docProps/core.xml": core(author),
            "ppt/presentation.xml": f'<p:p xmlns:p="{_P}" xmlns:r="{_R}">{ids}</p:p>',
            "ppt/_rels/presentation.xml.rels": relations(
                *((f"s{i}", "slide", f"slides/{i}.xml") for i in range(len(parts))),
                ("c", "commentAuthors", "people.xml"),
            ),
            "ppt/people.xml": '<l><a id="7" name="Rita"/></l>',
            "ppt/slides/_rels/0.xml.rels": relations(
                ("n", "notesSlide", "../notes.xml"), ("c", "comments", "../comments.xml")
            ),
            "ppt/notes.xml": slide(("body", "A note for the speaker."), ("sldNum", "1")),
            "ppt/comments.xml": comment,
            **{f"ppt/slides/{i}.xml": part for i, part in enumerate(parts)},
        }
    )


def odt(body: str, *, author: str = "", saved_by: str = "") -> bytes:
    """An OpenDocument text of the body's XML (prefixes `t`, `b`, `o`, `d`)."""
    spaces = 'xmlns:t="t" xmlns:b="b" xmlns:o="o" xmlns:d="d"'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o:c {spaces}><o:body><o:text>{body}</o:text></o:body></o:c>",
            "meta.xml": f"<o:x {spaces}><o:meta><o:initial-creator>{author}</o:initial-creator>"
            f"<d:creator>{saved_by}</d:creator></o:meta></o:x>",
        }
    )


def epub(chapters: Iterable[str], metadata: str, *, encryption: str = "") -> bytes:
    """A book of XHTML bodies with the metadata's XML (prefixes `dc`, `opf`)."""
    bodies = list(chapters)
    spaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="opf"'
    items = "".join(
        f'<item id="c{i}" href="c%20{i}.xhtml" media-type="application/xhtml+xml"/>'
        for i in range(len(bodies))
    )
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(bodies)))
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<c><r><rootfile full-path="O/b.opf"/></r></c>',
            "O/b.opf": f"<package {spaces}><metadata>{metadata}</metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
            **{f"O/c {i}.xhtml": f"<html><body>{b}</body></html>" for i, b in enumerate(bodies)},
            **({"META-INF/encryption.xml": encryption} if encryption else {}),
        }
    )


def doc(text: str, *, flags: int = 0x0200, version: int = 0x00C1) -> bytes:
    """A Word 97 file in which the first half of the text is cp1252 and the rest UTF-16."""
    half = len(text) // 2
    first, second = text[:half].encode("cp1252"), text[half:].encode("utf-16-le")
    word = bytearray(4096 + len(first) + len(second))
    struct.pack_into("<HH", word, 0, 0xA5EC, version)
    struct.pack_into("<H", word, 0x0A, flags)
    struct.pack_into("<i", word, 0x4C, len(text))
    word[2048 : 2048 + len(first)] = first
    word[3072 : 3072 + len(second)] = second
    pieces = struct.pack("<3I", 0, half, len(text))
    pieces += struct.pack("<HIH", 0, 2 * 2048 | 0x40000000, 0) + struct.pack("<HIH", 0, 3072, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", word, 0x01A2, 0, len(clx))
    return _compound_file({"WordDocument": bytes(word), "1Table": clx.ljust(4096, b"\0")})


def _compound_file(streams: Mapping[str, bytes]) -> bytes:
    """An OLE file: header, one allocation sector, one of entries, then streams of 4096 and more."""
    allocation = [0xFFFFFFFD, 0xFFFFFFFE]
    entries = [_entry("Root Entry", 5, 0xFFFFFFFE, 0, child=1)]
    content = b""
    for number, (name, data) in enumerate(streams.items(), start=1):
        padded = data.ljust(-(-len(data) // _SECTOR) * _SECTOR, b"\0")
        start, count = len(allocation), len(padded) // _SECTOR
        allocation += [*range(start + 1, start + count), 0xFFFFFFFE]
        following = number + 1 if number < len(streams) else 0xFFFFFFFF
        entries.append(_entry(name, 2, start, len(data), following=following))
        content += padded
    header = bytearray(_SECTOR)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<IIIII", header, 44, 1, 1, 0, 4096, 0xFFFFFFFE)
    struct.pack_into("<III", header, 64, 0, 0xFFFFFFFE, 0)
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    table = struct.pack("<128I", *allocation, *[0xFFFFFFFF] * (128 - len(allocation)))
    return bytes(header) + table + b"".join(entries).ljust(_SECTOR, b"\0") + content


def _entry(
    name: str,
    kind: int,
    start: int,
    size: int,
    *,
    child: int = 0xFFFFFFFF,
    following: int = 0xFFFFFFFF,
) -> bytes:
    label = name.encode("utf-16-le") + b"\0\0"
    entry = bytearray(128)
    entry[: len(label)] = label
    struct.pack_into("<HBB", entry, 64, len(label), kind, 1)
    struct.pack_into("<III", entry, 68, 0xFFFFFFFF, following, child)
    struct.pack_into("<II", entry, 116, start, size)
    return bytes(entry)
