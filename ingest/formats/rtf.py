"""Rich Text Format: the text that is shown, in the character set of each font."""

import re
from dataclasses import dataclass, replace

from ingest.documents import Document
from ingest.drafts import Draft
from store.errors import BadInput

_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|"
    rb"'(?P<hex>[0-9a-fA-F]{2})|(?P<symbol>.))|"
    rb"(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+",
    re.DOTALL,
)
# Groups that hold no text of the document. `*` marks further ones that a reader may not know.
_NOT_TEXT = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl", "pict"),
        *("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"),
        *("fldinst", "themedata", "datastore", "generator", "filetbl", "revtbl", "object", "tc"),
        *(
            "sp",
            "annotation",
            "atnid",
            "atnauthor",
            "xe",
            "info",
            "bkmkstart",
            "bkmkend",
            "nonshppict",
        ),
    )
)
_CHARSETS = {
    0: "cp1252", 2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030",
    136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_SHOWN = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "cell": "\t", "tab": "\t",
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"\n": "\n", b"\r": "\n", b"{": "{", b"}": "}", b"\\": "\\"}
_CODE_PAGES = {936: "gb18030", 950: "big5hkscs", 65001: "utf-8"}
_BODY_LEVEL = 9
_MAX_DEPTH = 1000


@dataclass
class _Group:
    """What holds until the group closes; `target` is text, title, author, fonts, info or skip."""

    target: str = "text"
    encoding: str = "cp1252"
    fallback: int = 1
    unseen: bool = False


def read_rtf(data: bytes) -> Document:
    """The paragraphs, table rows and headings of a document, and title and author of its info.

    Raises BadInput for bytes that the character set of their font does not have.
    """
    reader = _Reader()
    position = 0
    while token := _TOKEN.match(data, position):
        position = token.end() + reader.read(token)
    reader.flush()
    draft = Draft()
    for number, line in enumerate(reader.shown("text").split("\n")):
        cells = [cell.strip() for cell in line.split("\t")]
        if number in reader.levels:
            draft.heading(line, reader.levels[number])
        else:
            draft.add("\t".join(filter(None, cells)), whole=line.endswith("\t"))
    return draft.finish(title=reader.shown("title"), authors=reader.shown("author"))


class _Reader:
    """Takes tokens one by one; bytes wait in `_pending` until their character set is sure."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}  # heading level by number of the line
        self._groups = [_Group()]
        self._base = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._pieces: dict[str, list[str]] = {"text": [], "title": [], "author": []}
        self._pending = bytearray()
        self._ignored = 0  # characters to come that repeat a \\u for readers without Unicode
        self._level: int | None = None
        self._line = 0
        self._starred = False

    def shown(self, target: str) -> str:
        """The text gathered so far; pairs of surrogates have become characters."""
        joined = "".join(self._pieces[target])
        return joined.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")

    def read(self, token: re.Match[bytes]) -> int:
        """Take a token; the result is how many bytes behind it are binary."""
        if word := token["word"]:
            number = None if token["number"] is None else int(token["number"])
            self._word(word.decode(), number)
            self._starred = False
            return max(0, number or 0) if word == b"bin" else 0
        if brace := token["brace"]:
            self._brace(opens=brace == b"{")
        elif token["hex"]:
            self._bytes(bytes.fromhex(token["hex"].decode()))
        elif token["text"]:
            self._bytes(token["text"])
        elif token["symbol"] == b"*":
            self._starred = True
        elif token["symbol"]:
            self._write(_SYMBOLS.get(token["symbol"], ""))
        return 0

    def flush(self) -> None:
        """Write the waiting bytes as text."""
        group, data = self._groups[-1], bytes(self._pending)
        self._pending.clear()
        if data and not group.unseen and group.target in self._pieces:
            try:
                self._pieces[group.target].append(data.decode(group.encoding))
            except UnicodeDecodeError as error:
                odd = data[error.start : error.end].hex()
                raise BadInput(f"damaged: the bytes {odd} are not {group.encoding}") from None

    def _brace(self, *, opens: bool) -> None:
        self.flush()
        self._ignored, self._starred = 0, False
        if opens:
            if len(self._groups) > _MAX_DEPTH:
                raise BadInput(f"damaged: groups in groups, more than {_MAX_DEPTH} deep")
            self._groups.append(replace(self._groups[-1]))
        elif len(self._groups) > 1:
            self._groups.pop()

    def _bytes(self, data: bytes) -> None:
        skipped = min(self._ignored, len(data))
        self._ignored -= skipped
        self._pending += data[skipped:]

    def _write(self, text: str) -> None:
        self.flush()
        group = self._groups[-1]
        if not group.unseen and group.target in self._pieces:
            self._pieces[group.target].append(text)
            if group.target == "text" and text == "\n":
                if self._level is not None:
                    self.levels[self._line] = self._level
                self._line += 1

    def _word(self, word: str, number: int | None) -> None:
        group = self._groups[-1]
        if word in _SHOWN:
            self._write(_SHOWN[word])
        elif word == "u" and number is not None:
            self._write(chr(number % 65536))
            self._ignored = group.fallback
        elif word in _NOT_TEXT or (self._starred and word not in ("shpinst", "shptxt")):
            self._enter(word)
        elif group.target == "info" and word in ("title", "author"):
            group.target = word
        else:
            self._property(word, number)

    def _enter(self, word: str) -> None:
        """A group of something else than text begins."""
        targets = {"fonttbl": "fonts", "info": "info"}
        self._groups[-1].target = targets.get(word, "skip")

    def _property(self, word: str, number: int | None) -> None:
        self.flush()
        group = self._groups[-1]
        match word:
            case "ansicpg":
                self._base = group.encoding = _CODE_PAGES.get(number or 0, f"cp{number}")
            case "f" if group.target == "fonts":
                self._font = number or 0
            case "f":
                group.encoding = self._fonts.get(number or 0, self._base)
            case "fcharset" if (number or 0) > 1:
                self._fonts[self._font] = _CHARSETS.get(number or 0, self._base)
            case "uc":
                group.fallback = max(0, number or 0)
            case "v" | "deleted":
                group.unseen = number != 0
            case "plain":
                group.unseen = False
            case "pard":
                self._level = None
            case "outlinelevel" if number is not None and 0 <= number < _BODY_LEVEL:
                self._level = number + 1
