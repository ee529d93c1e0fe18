"""Reading in another process: its limits, and what a crash there does here."""

import io
from typing import Any

import pytest
from reportlab.pdfgen import canvas

from ingest import guard
from ingest.kinds import DOCX, PDF, RTF
from ingest.readers import read_document
from store.errors import BadInput
from tests.made_files import docx, paragraph


def _nothing() -> None:
    """Nobody waits."""


def _request(data: bytes) -> tuple[Any, ...]:
    return DOCX, "a.docx", data, {}


def test_one_process_reads_many_files() -> None:
    """It is kept after a file that was read and after one that was refused."""
    guard._end_all()
    for data in (docx(paragraph("x")), docx("")[:-40], docx(paragraph("y"))):
        try:
            read_document("a.docx", data)
        except BadInput:
            continue
    [kept] = guard._idle
    assert kept.files >= 2


def test_a_reader_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is refused, and the next one is read by a new process."""
    monkeypatch.setattr(guard, "STEP_S", 0.1)
    slow = b"{\\rtf1 " + b"\\b x" * 3_000_000 + b"}"
    with pytest.raises(BadInput, match="takes longer than 0 s"):
        guard.guarded((RTF, "a.rtf", slow, {}), _nothing)
    monkeypatch.setattr(guard, "STEP_S", 60.0)
    assert guard.guarded(_request(docx(paragraph("x"))), _nothing).passages


def test_a_reader_that_dies_refuses_the_file() -> None:
    """A process that is gone, for whatever reason, is one refusal and no crash here."""
    guard._end_all()
    dying = guard._Process()
    dying._process.kill()
    guard._idle.append(dying)
    with pytest.raises(BadInput, match="crashed or ran out of memory"):
        guard.guarded(_request(docx(paragraph("x"))), _nothing)
    assert guard._idle == []


def test_a_reader_without_memory_refuses_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of memory a file is refused, whether by an exception or by the end of it."""
    guard._end_all()
    monkeypatch.setattr(guard, "MEMORY_BYTES", 300 * 1024**2)
    data = b"{\\rtf1 " + b"words " * 20_000_000 + b"}"
    with pytest.raises(BadInput, match="too large|memory"):
        guard.guarded((RTF, "a.rtf", data, {}), _nothing)
    guard._end_all()


def test_progress_is_told_and_can_stop_the_reading() -> None:
    """What `step` raises ends the process and comes through."""

    def stop() -> None:
        raise KeyboardInterrupt

    guard._end_all()
    data = _pdf()
    with pytest.raises(KeyboardInterrupt):
        guard.guarded((PDF, "a.pdf", data, {}), stop)
    assert guard._idle == []


def test_a_reader_ends_with_its_parent() -> None:
    """When its input closes it goes, so that a killed program leaves nothing behind."""
    process = guard._Process()
    assert process._process.stdin is not None
    process._process.stdin.close()
    assert process._process.wait(30) == 0
    process.end()


def _pdf() -> bytes:
    target = io.BytesIO()
    page = canvas.Canvas(target)
    page.drawString(72, 700, "A page.")
    page.save()
    return target.getvalue()
