"""Figures inside a PDF."""

from reportlab.lib.colors import Color, HexColor, black
from reportlab.platypus import Flowable

from haozhi.reports.charts.figure import FAINT, RULE, TONES, Bar, Figure, Label, Mark, Rule
from haozhi.reports.words import printable

FONT = "Noto Sans SC"
# What is faint on a screen is grey on white paper.
FAINT_TEXT = Color(1 - FAINT, 1 - FAINT, 1 - FAINT)
HAIRLINE = Color(1 - RULE, 1 - RULE, 1 - RULE)


class Drawing(Flowable):  # type: ignore[misc]  # ReportLab has no types
    """A figure at this width in points; PDF counts y upwards."""

    def __init__(self, figure: Figure, width: float) -> None:
        super().__init__()
        self.figure = figure
        self.scale = width / figure.width
        self.width, self.height = width, figure.height * self.scale

    def draw(self) -> None:
        self.canv.scale(self.scale, self.scale)
        for mark in self.figure.marks:
            self._draw(mark)

    def _draw(self, mark: Mark) -> None:
        canvas, top = self.canv, self.figure.height
        match mark:
            case Bar():
                canvas.setFillColor(HexColor(TONES[mark.tone]))
                y = top - mark.y - mark.height
                canvas.rect(mark.x, y, mark.width, mark.height, stroke=0, fill=1)
            case Rule():
                canvas.setStrokeColor(HAIRLINE if mark.faint else black)
                canvas.line(mark.x1, top - mark.y1, mark.x2, top - mark.y2)
            case Label():
                canvas.setFont(FONT, mark.size)
                canvas.setFillColor(FAINT_TEXT if mark.faint else black)
                place = {
                    "start": canvas.drawString,
                    "middle": canvas.drawCentredString,
                    "end": canvas.drawRightString,
                }[mark.anchor]
                place(mark.x, top - mark.y, printable(mark.text))
