"""Text in pictures of pages by RapidOCR, each line with the confidence of the recognition.

It is the extra `ocr`, whose models travel in its package; without it such pages have no text.
"""

from functools import cache
from importlib.util import find_spec
from typing import Any

from ingest.formats.pdf_lines import Line
from store.records.corpus import SURE_PPM

LOW_CONFIDENCE = SURE_PPM / 1_000_000

_LEAST_CONFIDENCE = 0.5  # under it there is a speck or a drawing rather than text
_SCALE = 150 / 72  # pixels per point
_MAX_PIXELS = 4000  # of the longer side
_INK, _BORDER = 60, 32  # difference from the background, 0..255; pixels left around what is drawn


def can_recognise() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def recognised_lines(page: Any, number: int) -> list[Line]:
    """The lines seen on a page of a PDF from top to bottom; none where the extra is missing."""
    width, height = page.get_size()
    scale = min(_SCALE, _MAX_PIXELS / max(width, height, 1))
    is_blank = next(page.get_objects(max_depth=2), None) is None
    if is_blank or not can_recognise() or min(width, height) * scale < 1:
        return []
    image, x0, y0 = _inked(page.render(scale=scale).to_numpy())
    found = _engine()(image) if image.size else None
    if found is None or found.txts is None:
        return []
    lines = [
        _line(text, [((x0 + x) / scale, height - (y0 + y) / scale) for x, y in box], number, score)
        for text, box, score in zip(found.txts, found.boxes.tolist(), found.scores, strict=True)
        if score >= _LEAST_CONFIDENCE and text.strip()
    ]
    return sorted(lines, key=lambda line: (round(line.across[0] / line.size), line.along[0]))


def _inked(image: Any) -> tuple[Any, int, int]:
    """The part of a picture [height, width, 3] that is not all background, and where it begins.

    On a nearly empty page the recogniser finds nothing.
    """
    import numpy as np

    image = np.ascontiguousarray(np.broadcast_to(np.atleast_3d(image), (*image.shape[:2], 3)))
    differs = np.abs(image.astype(int) - np.median(image)).max(axis=2) > _INK
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not rows.size:
        return image[:0], 0, 0
    top, left = max(0, int(rows[0]) - _BORDER), max(0, int(columns[0]) - _BORDER)
    return image[top : rows[-1] + _BORDER, left : columns[-1] + _BORDER], left, top


def _line(text: str, corners: list[tuple[float, float]], page: int, score: float) -> Line:
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    bottom, top = min(y for _, y in corners), max(y for _, y in corners)
    text = text.strip()
    edges = tuple(round(left + (right - left) * i / len(text), 1) for i in range(len(text) + 1))
    frame = (round(left, 1), round(bottom, 1), round(right, 1), round(top, 1))
    along, across = (left, right), (-top, -bottom)
    return Line(text, page, frame, edges, along, across, confidence=round(float(score), 3))


@cache
def _engine() -> Any:
    """The recogniser with the models of its package, on one thread as everything heavy here."""
    from rapidocr import RapidOCR

    threads = {"intra_op_num_threads": 1, "inter_op_num_threads": 1}
    settings = {f"EngineConfig.onnxruntime.{name}": n for name, n in threads.items()}
    return RapidOCR(params={"Global.log_level": "critical", **settings})
