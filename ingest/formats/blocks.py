"""What a browser shows of HTML, block by block: headings, paragraphs, rows; nothing invisible."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.drafts import Draft
from ingest.formats.xml import Element, name_of

_INVISIBLE_TAG = re.compile(
    "script|style|noscript|template|head|title|svg|iframe|object|embed|audio|video|canvas|button|"
    "select|input|textarea|datalist|rt|rp|map|area|math"
)
_BLOCK_TAG = re.compile(
    "address|article|aside|blockquote|body|center|dd|details|div|dl|dt|fieldset|figcaption|figure|"
    "footer|form|header|hr|html|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|"
    "tr|ul|caption|hgroup|legend|h1|h2|h3|h4|h5|h6"
)
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|"
    r"(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!|;|\Z)",
    re.IGNORECASE,
)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,5000})\}")
_SIMPLE = re.compile(r"[a-z0-9]*[.#][\w-]+", re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """A piece of a page: kind is `text`, `row`, `code`, or `heading` of a level 1..6."""

    kind: str
    text: str
    level: int = 0


def remove_invisible(root: Element) -> None:
    """Take out what a page hides by an attribute, a style of its own or a plain style rule."""
    hidden = _hiding_selectors(root)
    for element in list(root.iter()):
        if not name_of(element) or _is_hidden(element, hidden):
            _remove(element)


def _is_hidden(element: Element, selectors: set[str]) -> bool:
    names = {f".{name}" for name in (element.get("class") or "").split()}
    names |= {f"#{element.get('id')}"}
    names |= {name_of(element) + name for name in names}
    by_itself = element.get("hidden") is not None or _HIDING.search(element.get("style") or "")
    return bool(by_itself or selectors & names)


def blocks_of(root: Element) -> Iterator[Block]:
    """The blocks of a page or chapter, in order, spaces folded except in code."""
    writer = _Writer()
    yield from writer.element(root)
    yield from writer.flush()


def add_block(draft: Draft, block: Block) -> None:
    """Write a block; code is no statement."""
    match block.kind:
        case "heading":
            draft.heading(block.text, block.level)
        case "code":
            draft.aside(block.text)
        case kind:
            draft.add(block.text, whole=kind == "row")


class _Writer:
    """Gathers inline text until a block begins or ends."""

    def __init__(self) -> None:
        self._inline: list[str] = []

    def flush(self) -> Iterator[Block]:
        lines = "".join(self._inline).split("\v")
        self._inline = []
        text = "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
        if text:
            yield Block("text", text)

    def element(self, element: Element) -> Iterator[Block]:
        """The blocks that an element completes; its inline text waits for more."""
        name = name_of(element)
        if not name or _INVISIBLE_TAG.fullmatch(name):
            return
        if name == "br":
            self._inline.append("\v")
        elif name in ("h1", "h2", "h3", "h4", "h5", "h6"):
            yield from self.flush()
            yield Block("heading", _inline_text(element), int(name[1]))
        elif name == "pre":
            yield from self.flush()
            code = any(name_of(child) in ("code", "samp", "kbd") for child in element)
            text = "".join(element.itertext())
            yield from [Block("code", text)] if code else _pre_lines(text)
        elif name == "tr" and not _holds_blocks(element):
            yield from self.flush()
            cells = (_inline_text(cell) for cell in element if name_of(cell) in ("td", "th"))
            yield Block("row", "\t".join(filter(None, cells)))
        else:
            yield from self._children(element, is_block=_BLOCK_TAG.fullmatch(name) is not None)

    def _children(self, element: Element, *, is_block: bool) -> Iterator[Block]:
        if is_block:
            yield from self.flush()
        self._inline.append(element.text or "")
        for child in element:
            yield from self.element(child)
            self._inline.append(child.tail or "")
        if is_block:
            yield from self.flush()


def _pre_lines(text: str) -> Iterator[Block]:
    yield from (Block("text", line.strip()) for line in text.splitlines() if line.strip())


def _inline_text(element: Element) -> str:
    """The text of a heading or cell on one line."""
    return " ".join(" ".join(block.text for block in _inner(element)).split())


def _inner(element: Element) -> Iterator[Block]:
    writer = _Writer()
    yield from writer._children(element, is_block=False)
    yield from writer.flush()


def _holds_blocks(row: Element) -> bool:
    """Whether a row is there for the layout: a cell has a table, or several paragraphs, inside."""
    for cell in row:
        found = [name_of(inner) for inner in cell.iterdescendants()]
        if {"table", "ul", "ol", "pre"} & set(found) or found.count("p") > 1:
            return True
    return False


def _hiding_selectors(root: Element) -> set[str]:
    """The simple selectors (`.class`, `#id`, `tag.class`) whose rules hide what they match."""
    found: set[str] = set()
    for style in root.iter("style", "{http://www.w3.org/1999/xhtml}style"):
        for selectors, rule in _RULE.findall(
            re.sub(r"@media[^{]*print[^{]*\{", "@x{", style.text or "")
        ):
            if _HIDING.search(rule):
                found |= {s for s in map(str.strip, selectors.split(",")) if _SIMPLE.fullmatch(s)}
    return found


def _remove(element: Element) -> None:
    """Take an element out and keep the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    previous, tail = element.getprevious(), element.tail or ""
    if previous is None:
        parent.text = (parent.text or "") + tail
    else:
        previous.tail = (previous.tail or "") + tail
    parent.remove(element)
