"""PDF by PDFium, else by pypdf: paragraphs with pages and places; annotations have a voice."""

import ctypes
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import is_readable
from ingest.formats.ocr import can_recognise, recognised_lines
from ingest.formats.pdf_lines import Line, Point, lines_of
from ingest.formats.pdf_paragraphs import write_paragraphs
from store.errors import BadInput

MAX_PAGES = 10_000
"""Most pages of one file."""

_PASSWORD_ERROR = 4
_TEXT, _FREE_TEXT, _CARET, _FILE_ATTACHMENT = 1, 3, 14, 17
_SPEAKING = range(_FREE_TEXT, _CARET + 1)  # free text, shapes and marks, that may carry a comment


def read_pdf(data: bytes, step: Callable[[], None]) -> Document:
    """The pages in reading order; `step` is called for each.

    Pages without text are recognised where the extra `ocr` is installed, else listed. Raises
    BadInput when a password is needed, no page has text, or neither library can read the file.
    """
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == _PASSWORD_ERROR:
            raise BadInput("protected by a password: remove the protection first") from None
        return _read_by_pypdf(data, step)
    try:
        return _read(pdf, step)
    finally:
        pdf.close()


def _read(pdf: Any, step: Callable[[], None]) -> Document:
    _check_pages(len(pdf))
    draft = Draft()
    pages: list[list[Line]] = []
    heights: list[float] = []
    comments: list[tuple[str, str, int]] = []
    for number in range(1, len(pdf) + 1):
        step()
        page = _page(pdf, number)
        pages.append([] if page is None else _lines(page, number))
        heights.append(0.0 if page is None else page.get_height())
        if page is None:
            draft.notes.append(f"page {number} is damaged and not read")
            continue
        for kind, author, said in _annotations(page):
            if kind == _FILE_ATTACHMENT:
                draft.notes.append(f"the attached file {said or 'without a name'} is not read")
            elif said and (kind == _TEXT or kind in _SPEAKING):
                comments.append((said, author, number))
        page.close()
    empty = tuple(n for n, lines in enumerate(pages, start=1) if not _has_text(lines))
    if len(empty) == len(pages) and not comments:
        raise BadInput(_no_text(len(pages)))
    write_paragraphs(draft, pages, heights)
    for said, author, number in comments:
        draft.add_voice(said, author, page=number)
    draft.notes += (f"the attached file {name} is not read" for name in _attachments(pdf))
    about = _metadata(pdf)
    document = draft.finish(title=about.get("Title"), authors=about.get("Author") or "")
    return replace(document, pages_without_text=empty)


def _metadata(pdf: Any) -> dict[str, str]:
    """The fields of the file; none where they are no text."""
    try:
        return dict(pdf.get_metadata_dict())
    except UnicodeDecodeError:
        return {}


def _attachments(pdf: Any) -> Iterator[str]:
    """The names of the files in the file."""
    for index in range(pdf.count_attachments()):
        try:
            yield pdf.get_attachment(index).get_name()
        except UnicodeDecodeError:
            yield "without a name"


def _page(pdf: Any, number: int) -> Any:
    """A page, None when it cannot be loaded."""
    from pypdfium2 import PdfiumError

    try:
        return pdf[number - 1]
    except PdfiumError:
        return None


def _check_pages(count: int) -> None:
    if count > MAX_PAGES:
        raise BadInput(f"{count} pages are more than {MAX_PAGES}: split it")


def _has_text(lines: list[Line]) -> bool:
    return any(is_readable(line.text) for line in lines)


def _no_text(count: int) -> str:
    if count == 0:
        return "damaged: it has no pages"
    if can_recognise():
        return f"no text is seen on its {count} pages"
    return f"none of its {count} pages has text: to read scans install the extra `haozhi[ocr]`"


def _lines(page: Any, number: int) -> list[Line]:
    """The lines of a page, recognised where it has pictures of them only."""
    textpage = page.get_textpage()
    lines = lines_of(textpage, number, _as_shown(page))
    textpage.close()
    return lines if _has_text(lines) else recognised_lines(page, number)


def _as_shown(page: Any) -> Callable[[Point], Point]:
    """The map from the page as written to the page as shown, in points."""
    left, bottom, right, top = page.get_bbox()
    turns: dict[int, Callable[[Point], Point]] = {
        90: lambda p: (p[1] - bottom, right - p[0]),
        180: lambda p: (right - p[0], top - p[1]),
        270: lambda p: (top - p[1], p[0] - left),
    }
    return turns.get(page.get_rotation(), lambda p: (p[0] - left, p[1] - bottom))


def _annotations(page: Any) -> Iterator[tuple[int, str, str]]:
    """Kind, author and content of each annotation of a page."""
    from pypdfium2 import raw

    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if annotation:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            yield kind, _entry(annotation, b"T"), _entry(annotation, b"Contents")
            raw.FPDFPage_CloseAnnot(annotation)


def _entry(annotation: Any, key: bytes) -> str:
    """A text entry of an annotation's dictionary, '' when it has none."""
    from pypdfium2 import raw

    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = ctypes.create_string_buffer(max(2, size))
    raw.FPDFAnnot_GetStringValue(
        annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size
    )
    return buffer.raw[: max(0, size - 2)].decode("utf-16-le", "ignore")


def _read_by_pypdf(data: bytes, step: Callable[[], None]) -> Document:
    """A file that PDFium refuses; pypdf mends some damage, and knows no places."""
    import pypdf.errors

    draft = Draft()
    empty: list[int] = []
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        _check_pages(len(reader.pages))
        for number, page in enumerate(reader.pages, start=1):
            step()
            draft.begin_page()
            text = page.extract_text()
            if not is_readable(text):
                empty.append(number)
            for line in text.splitlines():
                draft.add(line)
        about: dict[str, object] = dict(reader.metadata or {})
        title, author = str(about.get("/Title", "")), str(about.get("/Author", ""))
    except BadInput:
        raise
    except pypdf.errors.FileNotDecryptedError:
        raise BadInput("protected by a password: remove the protection first") from None
    except Exception as error:  # noqa: BLE001  what it raises for damage is not documented
        raise BadInput(f"damaged: no PDF reader can open it ({type(error).__name__})") from None
    if draft.length == 0:
        raise BadInput(_no_text(len(empty)))
    draft.notes.append("damaged: it was mended to be read, its text may have gaps")
    return replace(draft.finish(title=title, authors=author), pages_without_text=tuple(empty))
