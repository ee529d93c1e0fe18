"""Bytes become text strictly: a wrong guess would put words into somebody's mouth."""

import codecs
import re
from collections.abc import Iterator

from ingest.legacy_encodings import legacy_encoding
from store.errors import BadInput

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What a label means on the web (WHATWG): the wider encoding of the same family.
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "big5": "big5hkscs",
    "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-1": "cp1252", "ascii": "cp1252",
    "iso8859-9": "cp1254", "iso8859-11": "cp874",
}  # fmt: skip
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]+)|"""
    rb"""<\?xml[^>]{0,100}?\bencoding\s*=\s*["']([\w.:-]+)""",
    re.IGNORECASE,
)
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f]")


def decode(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """The text without its byte order mark, and the encoding that it was in.

    By byte order mark, else as `declared` (a label as HTML and mail have it), else UTF-8, UTF-16
    where its zero bytes show it, GB18030, and others where the text is convincing; each strict.
    Raises BadInput with the offset of the first bad byte, and for binary content.
    """
    failures: list[str] = []
    marked = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    for encoding in (marked,) if marked else _candidates(data, declared):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            # The UTF-8 decoder counts from behind the byte order mark.
            offset = len(data) - len(error.object) + error.start
            failures.append(f"not {encoding} (byte offset {offset})")
            continue
        if "\0" in text or (encoding.startswith("utf-16-") and _CONTROLS.search(text)):
            raise BadInput("binary content (it holds NUL characters), not text")
        return text, encoding
    if b"\0" in data:
        raise BadInput("binary content (it holds NUL characters), not text")
    found = None if marked or _CONTROLS.search(data.decode("latin-1")) else legacy_encoding(data)
    if found is None:
        raise BadInput(f"{', '.join(failures)}, and no other encoding is sure: save it as UTF-8")
    return _decoded(data, found), found


def _decoded(data: bytes, encoding: str) -> str:
    """The whole text, in the encoding that its beginning is in."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInput(f"not {encoding} (byte offset {error.start}): save it as UTF-8") from None


def _candidates(data: bytes, declared: str | None) -> Iterator[str]:
    label = _codec(declared)
    is_utf8 = _is_utf8(data)
    # Bytes outside ASCII that are valid UTF-8 are hardly ever letters of a single-byte encoding.
    if label and not (is_utf8 and label.startswith(("cp12", "iso", "koi8"))):
        yield label
    if is_utf8 or b"\0" not in data:
        yield "utf-8"
    elif utf16 := _utf16(data):
        yield utf16


def _codec(label: str | None) -> str | None:
    """Python's name of a declared text encoding, None for an unknown one and for UTF-16.

    A label that can be read as bytes cannot be in UTF-16.
    """
    try:
        name = codecs.lookup(label or "").name
        b"".decode(name)
    except (LookupError, ValueError):
        return None
    return None if name.startswith(("utf-16", "utf-32")) else _WIDER.get(name, name)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: the zero bytes of its ASCII characters are all on one side."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if min(even, odd) > 0.05 * (even + odd) or len(data) % 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def declared_charset(data: bytes) -> str | None:
    """The label of the encoding that HTML or XML declares in its first kilobytes."""
    found = _DECLARED.search(data[:4096])
    return (found[1] or found[2]).decode("ascii") if found else None
