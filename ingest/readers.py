"""Which reader a file goes to, and what holds for all of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from ingest import kinds
from ingest.bylines import with_byline
from ingest.decoding import decode
from ingest.documents import Document
from ingest.formats.doc import read_doc
from ingest.formats.docx import read_docx
from ingest.formats.epub import read_epub
from ingest.formats.html import read_html
from ingest.formats.mail import read_mail
from ingest.formats.odt import read_odt
from ingest.formats.pdf import read_pdf
from ingest.formats.pptx import read_pptx
from ingest.formats.rtf import read_rtf
from ingest.formats.subtitles import read_subtitles
from ingest.formats.xlsx import read_xlsx
from ingest.guard import guarded
from ingest.gutenberg import without_licence
from ingest.kinds import media_type_of
from ingest.prose import read_markdown, read_text
from ingest.records import Columns, read_json, read_jsonl, read_table
from store.errors import BadInput

Step = Callable[[], None]
"""Called now and then while a long file is read; what it raises ends the reading."""

NO_COLUMNS: Columns = MappingProxyType({})

_TABLES: Mapping[str, Callable[[str, str, Columns], Document]] = {
    kinds.CSV: read_table,
    kinds.TSV: read_table,
    kinds.JSON: read_json,
    kinds.JSONL: read_jsonl,
}
_PROSE: Mapping[str, Callable[[str], Document]] = {
    kinds.PLAIN: read_text,
    kinds.MARKDOWN: read_markdown,
}


# Each imports its library when it is called.
_FOREIGN: Mapping[str, Callable[[bytes], Document]] = {
    kinds.DOC: read_doc,
    kinds.DOCX: read_docx,
    kinds.EPUB: read_epub,
    kinds.HTML: read_html,
    kinds.MAIL: read_mail,
    kinds.ODT: read_odt,
    kinds.PPTX: read_pptx,
    kinds.RTF: read_rtf,
}
_SPEECH = (kinds.VTT, kinds.SRT)


def _nothing() -> None:
    """Nobody waits."""


def read_document(
    path: str, data: bytes, *, columns: Columns = NO_COLUMNS, step: Step = _nothing
) -> Document:
    """What a file says, and by whom; its kind is that of its content.

    `columns` says what a table or JSON calls our fields. Formats that foreign libraries read are
    read in another process, which ends when it takes too long or too much memory. Raises BadInput
    when nothing in the file can be used; broken records are in `rejected`.
    """
    media_type = media_type_of(path, data)
    if media_type in (*_TABLES, *_PROSE, *_SPEECH):
        return parse(media_type, path, data, columns)
    return guarded((media_type, path, data, dict(columns)), step)


def parse(
    media_type: str, path: str, data: bytes, columns: Columns, step: Step = _nothing
) -> Document:
    """Read a file of a kind, in this process."""
    try:
        document = _parsed(media_type, path, data, columns, step)
    except BadInput:
        raise
    except (MemoryError, RecursionError) as error:
        raise BadInput(
            f"too large or too deeply nested ({type(error).__name__}): split it"
        ) from None
    except Exception as error:  # noqa: BLE001  damaged files raise anything in foreign libraries
        raise BadInput(f"damaged: its reader failed ({type(error).__name__}: {error})") from None
    return replace(document, media_type=media_type)


def _parsed(media_type: str, path: str, data: bytes, columns: Columns, step: Step) -> Document:
    if media_type in _TABLES:
        text, encoding = decode(data)
        return replace(_TABLES[media_type](text, path, columns), encoding=encoding)
    if media_type in _SPEECH:
        text, encoding = decode(data)
        return replace(read_subtitles(text), encoding=encoding)
    if media_type == kinds.XLSX:
        return read_xlsx(data, path, columns)
    if media_type in _PROSE:
        text, encoding = decode(data)
        document = replace(_PROSE[media_type](text), encoding=encoding)
    elif media_type == kinds.PDF:
        document = read_pdf(data, step)
    elif media_type in _FOREIGN:
        document = _FOREIGN[media_type](data)
    else:
        raise BadInput("an archive is no single file")
    return with_byline(without_licence(document))
