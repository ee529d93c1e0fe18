"""Word documents: paragraphs, tables, text boxes and notes; comments belong to who wrote them.

What a reader of the printed page does not see is no text: tracked deletions, hidden runs, field
codes. Headers and footers are kept as asides.
"""

import re
from collections.abc import Iterator

from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import find_date
from ingest.formats.package import Package
from ingest.formats.subtitles import spoken_turn
from ingest.formats.xml import Element, all_named, attribute, first_named, name_of

_NOT_SEEN = frozenset(
    ("del", "moveFrom", "delText", "instrText", "rPr", "pPr", "tblPr", "Fallback", "rt")
)
_HEADING = re.compile(r"(?:heading|标题|見出し)\s*([1-9])", re.IGNORECASE)


def read_docx(data: bytes) -> Document:
    """A Word document, also in the Strict form. Raises BadInput when it has no document part."""
    package = Package(data)
    main = (package.related("", "officeDocument") or ["word/document.xml"])[0]
    root = package.xml(main)
    reader = _Reader(_styles(package, main))
    reader.blocks(first_named(root, "body"))
    for part in package.related(main, "footnotes") + package.related(main, "endnotes"):
        for note in package.xml(part):
            if attribute(note, "type") is None:
                reader.blocks(note)
    for part in package.related(main, "comments"):
        for comment in all_named(package.xml(part), "comment"):
            reader.comment(comment)
    for text in dict.fromkeys(_margins(package, main)):
        reader.draft.aside(text)
    title, author = package.core()
    return reader.draft.finish(title=title, authors=author)


class _Reader:
    def __init__(self, styles: dict[str, int]) -> None:
        self.draft = Draft()
        self._styles = styles

    def blocks(self, container: Element | None) -> None:
        """The paragraphs and tables of a body, cell, note or text box."""
        for child in () if container is None else container:
            match name_of(child):
                case "p":
                    self._paragraph(child)
                case "tbl":
                    for row in all_rows(child, "tr"):
                        self._row(row)
                case "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo":
                    self.blocks(child)

    def comment(self, comment: Element) -> None:
        """A comment is in its author's voice, and in nobody's when it names none."""
        text = "\n".join(_text(p) for p in all_named(comment, "p"))
        date = find_date(attribute(comment, "date"))
        self.draft.add_voice(text, attribute(comment, "author") or "", published_on=date)

    def _paragraph(self, paragraph: Element) -> None:
        text, level = _text(paragraph), self._level(paragraph)
        if level is not None:
            self.draft.heading(text, level)
        elif turn := spoken_turn(text):
            self.draft.add_voice(turn[1], turn[0])
        else:
            self.draft.add(text)
        for box in _text_boxes(paragraph):
            self.blocks(box)

    def _row(self, row: Element) -> None:
        """A row of short cells is one statement; cells with several paragraphs are read each."""
        cells = list(all_rows(row, "tc"))
        paragraphs = [[p for p in all_named(cell, "p") if _text(p).strip()] for cell in cells]
        if any(len(cell) > 1 for cell in paragraphs):
            for cell in cells:
                self.blocks(cell)
        else:
            self.draft.add(
                "\t".join(_text(p).strip() for cell in paragraphs for p in cell), whole=True
            )
            for cell in cells:
                for box in _text_boxes(cell):
                    self.blocks(box)

    def _level(self, paragraph: Element) -> int | None:
        """The heading level of a paragraph, None for text."""
        properties = first_named(paragraph, "pPr")
        if properties is None:
            return None
        outline = first_named(properties, "outlineLvl")
        if outline is not None and (attribute(outline, "val") or "9") in "01234567":
            return int(attribute(outline, "val") or 0) + 1
        style = first_named(properties, "pStyle")
        return None if style is None else self._styles.get(attribute(style, "val") or "")


def all_rows(element: Element, name: str) -> Iterator[Element]:
    """The rows of a table or cells of a row, also inside content controls, not in inner tables."""
    for child in element:
        if name_of(child) == name:
            yield child
        elif name_of(child) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from all_rows(child, name)


def _text(element: Element) -> str:
    return "".join(_runs(element))


def _runs(element: Element) -> Iterator[str]:
    for child in element:
        match name_of(child):
            case "t":
                yield child.text or ""
            case "tab" | "ptab":
                yield "\t"
            case "br" | "cr":
                yield "\n"
            case "noBreakHyphen":
                yield "-"
            case "txbxContent":
                pass
            case "r" if _is_hidden(child):
                pass
            case name if name not in _NOT_SEEN:
                yield from _runs(child)


def _is_hidden(run: Element) -> bool:
    vanish = first_named(run, "rPr", "vanish")
    return vanish is not None and attribute(vanish, "val") not in ("0", "false", "off")


def _text_boxes(element: Element) -> Iterator[Element]:
    """The outermost text boxes anchored in a paragraph; the fallback repeats what it stands for."""
    for child in element:
        if name_of(child) == "txbxContent":
            yield child
        elif name_of(child) not in _NOT_SEEN:
            yield from _text_boxes(child)


def _margins(package: Package, main: str) -> Iterator[str]:
    """The texts of headers and footers."""
    for part in package.related(main, "header") + package.related(main, "footer"):
        yield "\n".join(_text(p) for p in all_named(package.xml(part), "p")).strip()


def _styles(package: Package, main: str) -> dict[str, int]:
    """The heading level by style id; ids are in the language of the program that wrote the file."""
    levels: dict[str, int] = {}
    for part in package.related(main, "styles")[:1]:
        for style in all_named(package.xml(part), "style"):
            named = first_named(style, "name")
            name = "" if named is None else attribute(named, "val") or ""
            match = _HEADING.fullmatch(name)
            if match or name.lower() == "title":
                levels[attribute(style, "styleId") or ""] = int(match[1]) if match else 0
    return levels
