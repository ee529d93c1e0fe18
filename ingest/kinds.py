"""What kind of file some bytes are: by what they are, and only between texts by the name."""

import io
import json
import mimetypes
import re
import zipfile
import zlib
from pathlib import PurePath

from ingest.decoding import declared_charset, decode
from ingest.fields import has_text, names_author
from ingest.formats.mail import is_mail
from ingest.formats.subtitles import is_subtitles
from store.errors import BadInput

PDF, RTF, DOC = "application/pdf", "application/rtf", "application/msword"
_OOXML = "application/vnd.openxmlformats-officedocument."
DOCX, XLSX = _OOXML + "wordprocessingml.document", _OOXML + "spreadsheetml.sheet"
PPTX = _OOXML + "presentationml.presentation"
ODT, EPUB, ZIP = (
    "application/vnd.oasis.opendocument.text",
    "application/epub+zip",
    "application/zip",
)
HTML, MAIL, VTT, SRT = "text/html", "message/rfc822", "text/vtt", "application/x-subrip"
JSON, JSONL = "application/json", "application/jsonl"
CSV, TSV = "text/csv", "text/tab-separated-values"
PLAIN, MARKDOWN = "text/plain", "text/markdown"

_BY_NAME = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".txt": PLAIN, ".text": PLAIN, ".json": JSON,
    ".jsonl": JSONL, ".ndjson": JSONL, ".csv": CSV, ".tsv": TSV, ".tab": TSV, ".srt": SRT,
    ".vtt": VTT, ".eml": MAIL, ".html": HTML, ".htm": HTML, ".xhtml": HTML,
}  # fmt: skip
_OTHER_KINDS = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"BM", "a picture (BMP)"),
    (b"II*\0", "a picture (TIFF)"),
    (b"MM\0*", "a picture (TIFF)"),
    (b"RIFF", "a picture or sound (RIFF)"),
    (b"\x1f\x8b", "an archive (gzip): unpack it"),
    (b"7z\xbc\xaf", "an archive (7z): unpack it"),
    (b"Rar!", "an archive (RAR): unpack it"),
    (b"\xfd7zXZ", "an archive (xz): unpack it"),
    (b"BZh", "an archive (bzip2): unpack it"),
    (b"ID3", "sound (MP3)"),
    (b"OggS", "sound (Ogg)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\0", "a database (SQLite)"),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_TAGS = re.compile(r"\s*<(?:body|div|table|p|h1|article|section|ul)\b[^>]*>", re.IGNORECASE)
_END_TAG = re.compile(r"</(?:body|div|table|p|ul|section|article|h1)>", re.IGNORECASE)
_KNOWN_ENDINGS = mimetypes.MimeTypes()  # of this machine's Python, not of the machine


def media_type_of(name: str, data: bytes) -> str:
    """The media type of a file that can be read, or of a zip archive.

    Raises BadInput for any other kind, for text in no certain encoding and for binary content.
    """
    if data.startswith(b"%PDF-") or (b"%PDF-1." in data[:1024] and b"\0" in data):
        return PDF
    if data.startswith(b"{\\rtf"):
        return RTF
    if data.startswith(_OLE):
        return _of_ole(data)
    if data.startswith(_ZIP):
        return _of_zip(data)
    text_may_follow = b"\0" not in data[:4096]
    for magic, kind in _OTHER_KINDS:
        if data.startswith(magic) and not (text_may_follow and magic.isascii() and magic.isalnum()):
            raise BadInput(f"it is {kind}, which is not read")
    return _of_text(name, decode(data, declared_charset(data))[0])


def is_archive(data: bytes) -> bool:
    """Whether it is a zip archive of files, and not a document that is one."""
    return data.startswith(_ZIP) and _of_zip(data) == ZIP


def open_zip(data: bytes) -> zipfile.ZipFile:
    """A zip file of any kind. BadInput: it is damaged, or of a newer kind than is known here."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except NotImplementedError:
        raise BadInput("a zip file of a newer kind than is read: pack it by deflate") from None
    except (zipfile.BadZipFile, OSError, ValueError):
        raise BadInput("damaged: a zip file that is cut short or broken") from None


def unpacked(archive: zipfile.ZipFile, member: str | zipfile.ZipInfo, most: int = -1) -> bytes:
    """At most so many bytes of a member; -1: all. BadInput: damaged, or packed in a new way."""
    try:
        with archive.open(member) as file:
            return file.read(most)
    except NotImplementedError:
        raise BadInput("packed by a method that is not known here: pack it by deflate") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError):
        raise BadInput("damaged: it cannot be unpacked") from None


def _of_zip(data: bytes) -> str:
    with open_zip(data) as archive:
        names = archive.namelist()
        stated = unpacked(archive, "mimetype", 100) if "mimetype" in names else b""
    kind = stated.decode("ascii", "ignore").strip()
    if kind in (EPUB, ODT) or (kind.startswith(ODT) and kind.endswith("-template")):
        return EPUB if kind == EPUB else ODT
    if "opendocument" in kind:
        raise BadInput(f"it is {kind}: save it as ODT, XLSX or PPTX")
    if "META-INF/container.xml" in names:
        return EPUB
    if "[Content_Types].xml" in names:
        for folder, media_type in (("word/", DOCX), ("xl/", XLSX), ("ppt/", PPTX)):
            if any(name.startswith(folder) for name in names):
                return media_type
        raise BadInput("an Office file that is no document, presentation or workbook")
    return ZIP


def _of_ole(data: bytes) -> str:
    import olefile

    try:
        with olefile.OleFileIO(data) as ole:
            streams = {entry[0] for entry in ole.listdir()}
    except (OSError, IndexError, ValueError, TypeError, AttributeError):
        raise BadInput("damaged: an old Office file that is cut short or broken") from None
    if "WordDocument" in streams:
        return DOC
    if "EncryptedPackage" in streams:
        raise BadInput("protected by a password: remove the protection first")
    for stream, kind, use in (
        ("Workbook", "an old workbook (XLS)", "XLSX"),
        ("Book", "an old workbook (XLS)", "XLSX"),
        ("PowerPoint Document", "an old presentation (PPT)", "PPTX"),
        ("__properties_version1.0", "an Outlook message (MSG)", "EML"),
    ):
        if stream in streams:
            raise BadInput(f"it is {kind}: save it as {use}")
    raise BadInput("an old Office file of an unknown kind")


def _of_text(name: str, text: str) -> str:
    ending = PurePath(name).suffix.lower()
    named = _BY_NAME.get(ending)
    beginning = text[:20_000]
    if is_subtitles(beginning):
        return VTT if beginning.lstrip().startswith("WEBVTT") else SRT
    if _PAGE.match(beginning) or (named in (None, PLAIN) and _is_fragment(text)):
        return HTML
    if is_mail(beginning) and named != MARKDOWN:
        return MAIL
    if beginning.lstrip()[:1] in ("{", "[") and (found := _of_json(text)):
        return found
    if named in (None, PLAIN) and _is_table(beginning):
        return TSV if "\t" in beginning.split("\n", 1)[0] else CSV
    return named or _unnamed(ending, beginning)


def _unnamed(ending: str, beginning: str) -> str:
    """Plain text, unless the name or the beginning says that it is text of another kind."""
    if beginning.lstrip().startswith("<?xml"):
        raise BadInput("XML of an unknown kind is not read: give its text")
    guess = _KNOWN_ENDINGS.guess_type(f"x{ending}")[0] or PLAIN
    if guess != PLAIN and not guess.startswith(("application/vnd.", "application/pdf")):
        raise BadInput(f"files of type {ending} ({guess}) are not read: name prose .txt")
    return PLAIN


def _is_fragment(text: str) -> bool:
    return _TAGS.match(text) is not None and _END_TAG.search(text) is not None


def _of_json(text: str) -> str | None:
    """JSON or JSON lines, None when it is neither."""
    if isinstance(_json(text.strip().partition("\n")[0]), dict):
        return JSONL  # also when it is the only line
    found = _json(text)
    objects = found if isinstance(found, list) else [found]
    return JSON if any(isinstance(item, dict) for item in objects) else None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_table(text: str) -> bool:
    """Whether the first line names a column for the text and one for the author."""
    header = text.split("\n", 1)[0]
    for delimiter in ",;\t|":
        names = [name.strip().strip('"').lower() for name in header.split(delimiter)]
        if len(names) > 1 and has_text(names) and names_author(names):
            return True
    return False
