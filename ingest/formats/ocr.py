"""Text in pictures of pages by RapidOCR, each line with the confidence of the recognition.

It is the extra `ocr`, whose models travel in its package; without it such pages have no text.
"""

from functools import cache
from importlib.util import find_spec
from typing import Any

from ingest.formats.pdf_lines import Line

LOW_CONFIDENCE = 0.8
"""Text recognised with less may be wrong: its credit waits until somebody has looked."""

_LEAST_CONFIDENCE = 0.5  # under it there is a speck or a drawing rather than text
_SCALE = 200 / 72  # pixels per point
_MAX_PIXELS = 4000  # of the longer side


def can_recognise() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def recognised_lines(page: Any, number: int) -> list[Line]:
    """The lines seen on a page of a PDF from top to bottom; none where the extra is missing."""
    width, height = page.get_size()
    if not can_recognise() or min(width, height) < 1:
        return []
    scale = min(_SCALE, _MAX_PIXELS / max(width, height))
    if min(width, height) * scale < 1:
        return []
    found = _engine()(page.render(scale=scale, rev_byteorder=False).to_numpy()[:, :, :3])
    if found.txts is None:
        return []
    lines = [
        _line(text, [(float(x) / scale, height - float(y) / scale) for x, y in box], number, score)
        for text, box, score in zip(found.txts, found.boxes, found.scores, strict=True)
        if score >= _LEAST_CONFIDENCE and text.strip()
    ]
    return sorted(lines, key=lambda line: (round(line.across[0] / line.size), line.along[0]))


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
