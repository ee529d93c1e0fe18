"""Bytes become text strictly: a wrong guess would put words into somebody's mouth."""

import codecs
import re

from store.errors import BadInput

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# GB18030 gives almost any bytes some meaning; private-use characters betray Big5 and the like.
_PRIVATE_USE = re.compile(r"[\ue000-\uf8ff]")


def decode(data: bytes) -> tuple[str, str]:
    """The text without its byte order mark, and the encoding that it was in.

    By byte order mark, else UTF-8, else GB18030, each strict. Raises BadInput with the offset of
    the first bad byte, and for binary content.
    """
    marked = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    failures = []
    for encoding in (marked,) if marked else ("utf-8", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            # The UTF-8 decoder counts from behind the byte order mark.
            offset = len(data) - len(error.object) + error.start
            failures.append(f"not {encoding} (byte offset {offset})")
            continue
        if "\0" in text:
            raise BadInput("binary content (it holds NUL characters), not text")
        if encoding == "gb18030" and (private := _PRIVATE_USE.search(text)):
            offset = len(text[: private.start()].encode("gb18030"))
            failures.append(f"not gb18030 text (private-use character at byte offset {offset})")
            continue
        return text, encoding
    raise BadInput(f"{', '.join(failures)}: save it as UTF-8")
