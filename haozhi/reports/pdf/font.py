"""The font of a PDF: Noto Sans SC, cut down to the characters in use, as TrueType outlines.

ReportLab embeds TrueType only, and Noto's Chinese faces are PostScript outlines. The few hundred
glyphs of a report are drawn again as quadratic curves, which takes a fraction of a second.
"""

from collections.abc import Iterable, Mapping
from io import BytesIO

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from pylopdf_fonts_zh_cn import sans_path

#: How far a redrawn curve may be from the original, in units of 1/1000 em.
_TOLERANCE = 1.0
#: Drawn as the font draws an unknown glyph, but copied out of the PDF as the right character.
_MISSING = "missing"


def font_file(characters: Iterable[str]) -> bytes:
    """A TrueType file with these characters; one that the font lacks shows as an empty box.

    The same characters give the same bytes. They keep the name Noto Sans SC and its licence (OFL).
    """
    with TTFont(sans_path(), lazy=True) as source:
        known = source.getBestCmap()
        shown = {ord(c): known.get(ord(c), _MISSING) for c in sorted(set(characters))}
        order = list(dict.fromkeys((".notdef", *shown.values())))
        drawn = {name: ".notdef" if name == _MISSING else name for name in order}
        built = FontBuilder(source["head"].unitsPerEm, isTTF=True)
        built.setupGlyphOrder(order)
        built.setupCharacterMap(shown)
        built.setupGlyf(_outlines(source, drawn))
        built.setupHorizontalMetrics({name: source["hmtx"][was] for name, was in drawn.items()})
        lines = source["hhea"]
        built.setupHorizontalHeader(ascent=lines.ascent, descent=lines.descent)
        built.setupNameTable({"familyName": "Noto Sans SC", "psName": "NotoSansSC-Regular"})
        built.setupOS2(sCapHeight=source["OS/2"].sCapHeight, fsType=source["OS/2"].fsType)
        built.setupPost()
        # The time of building would make every file different.
        built.font["head"].created = built.font["head"].modified = source["head"].modified
        built.font.recalcTimestamp = False
        target = BytesIO()
        built.font.save(target)
    return target.getvalue()


def _outlines(source: TTFont, drawn: Mapping[str, str]) -> dict[str, object]:
    drawings = source.getGlyphSet()
    outlines = {}
    for name, was in drawn.items():
        pen = TTGlyphPen(None)
        drawings[was].draw(Cu2QuPen(pen, _TOLERANCE, reverse_direction=True))
        outlines[name] = pen.glyph()
    return outlines
