"""A figure as a value: bars, rules and labels on a plane; SVG and PDF draw the same ones.

No chart library gives text that follows the page's colours, names for screen readers and the same
bytes every time; three bar charts need three kinds of marks.
"""

from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from haozhi.language import Language
from haozhi.reports.words import printable

Anchor = Literal["start", "middle", "end"]

#: Each is told from white and from black paper alike (3:1 at least); the page may set `.tone-…`.
TONES = {
    "series-1": "#3b82c4",
    "series-2": "#c9772b",
    "series-3": "#2a9d78",
    "series-4": "#9a6bc0",
    "series-5": "#c8566b",
    "series-6": "#94801f",
    "rest": "#8a8a8a",
    "level": "#3b82c4",
    "plus": "#2a9d78",
    "minus": "#c9772b",
}
#: How much of the text's colour a faint mark has.
FAINT = 0.65
RULE = 0.25


@dataclass(frozen=True)
class Bar:
    """A filled rectangle; `note` says what it stands for."""

    x: float
    y: float
    width: float
    height: float
    tone: str
    note: str = ""


@dataclass(frozen=True)
class Rule:
    """A thin straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    faint: bool = True


@dataclass(frozen=True)
class Label:
    """One line of text; x, y is its start, middle or end on the base line."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    size: float = 12
    faint: bool = False


Mark = Bar | Rule | Label


@dataclass(frozen=True)
class Figure:
    """A drawing in px, the origin at the top left; `description` says all of it in words."""

    name: str
    language: Language
    title: str
    description: str
    width: float
    height: float
    marks: tuple[Mark, ...]

    def svg(self) -> str:
        """One `<svg>` element, the same bytes every time; text takes the colour around it."""
        root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {_number(self.width)} {_number(self.height)}",
                "width": _number(self.width),
                "height": _number(self.height),
                "class": "figure",
                "lang": self.language,
                "role": "img",
                "aria-labelledby": f"{self.name}-title {self.name}-description",
                "fill": "currentColor",
                "font-family": "system-ui, 'Noto Sans CJK SC', 'PingFang SC', sans-serif",
            },
        )
        for tag, text in (("title", self.title), ("desc", self.description)):
            part = "title" if tag == "title" else "description"
            ET.SubElement(root, tag, id=f"{self.name}-{part}").text = printable(text)
        for mark in self.marks:
            _add(root, mark)
        return ET.tostring(root, encoding="unicode")


def _add(root: ET.Element, mark: Mark) -> None:
    match mark:
        case Bar():
            attributes = _numbers(mark, "x", "y", "width", "height")
            attributes |= {"class": f"tone-{mark.tone}", "fill": TONES[mark.tone]}
            bar = ET.SubElement(root, "rect", attributes)
            if mark.note:
                ET.SubElement(bar, "title").text = printable(mark.note)
        case Rule():
            attributes = _numbers(mark, "x1", "y1", "x2", "y2") | {"stroke": "currentColor"}
            if mark.faint:
                attributes["stroke-opacity"] = _number(RULE)
            ET.SubElement(root, "line", attributes)
        case Label():
            attributes = _numbers(mark, "x", "y") | {"font-size": _number(mark.size)}
            if mark.anchor != "start":
                attributes["text-anchor"] = mark.anchor
            if mark.faint:
                attributes["fill-opacity"] = _number(FAINT)
            ET.SubElement(root, "text", attributes).text = printable(mark.text)


def _numbers(mark: Mark, *names: str) -> dict[str, str]:
    return {name: _number(getattr(mark, name)) for name in names}


def _number(value: float) -> str:
    """At most two decimals, without closing zeros and without -0."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
