"""Pages: where statements stand on them, and the sources of web pages, until they are deleted."""

import io
import json
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import Engine, select

from haozhi.deleting import delete
from ingest.pipeline import ingest, plan
from store.deletions import Kind
from store.engine import read
from store.people import author_names
from store.records.corpus import Statement
from store.schema import OccurrenceRow
from store.statements import boxes_of, find_by_text
from store.works import find_at, find_work_raw
from tests.ingesting import SmallE5
from tests.terminal import Terminal

E5 = SmallE5()
FIRST, SECOND = "The tide turns twice a day.", "A cat sleeps for most of it."
PAGE = (
    "<html><head><title>Tides</title><script>var seen = 1;</script></head>"
    f"<body><article><p>{FIRST}</p><p>潮水一天涨落两次。</p></article></body></html>"
)


def _found(engine: Engine, said: str) -> Statement:
    with read(engine) as s:
        found = find_by_text(s, said, "public")
    assert found is not None
    return found


def _pdf(*lines: str) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(595, 842))
    canvas.setFont("Helvetica", 10)
    for number, line in enumerate(lines):
        canvas.drawString(72, 700 - 40 * number, line)
    canvas.save()
    return target.getvalue()


def _delete(engine: Engine, folder: Path, kind: Kind, name: object) -> None:
    done = delete(engine, folder, kind, [str(name)], by="Ann", reason="asked", compact=False)
    assert done is not None
    assert done.left == ()


def test_a_statement_of_a_pdf_knows_its_place_on_the_page(engine: Engine, tmp_path: Path) -> None:
    """Its own part of the line; it moves with a new version and goes when it is deleted."""
    path = tmp_path / "tides.pdf"
    path.write_bytes(_pdf(f"{FIRST} {SECOND}"))
    ingest([path], engine=engine, embedder=E5)
    first, second = (_found(engine, each).occurrences[0].id for each in (FIRST, SECOND))
    with read(engine) as s:
        boxes = boxes_of(s, [first, second])
    (one,), (other,) = boxes[first], boxes[second]
    assert (one.page, other.page) == (1, 1)
    assert one.left == pytest.approx(72, abs=2)
    assert one.right <= other.left < other.right
    assert one.bottom < 702 < one.top
    path.write_bytes(_pdf("A new opening of the page.", f"{FIRST} {SECOND}"))
    ingest([path], engine=engine, embedder=E5)
    with read(engine) as s:
        (moved,) = boxes_of(s, [first])[first]
    assert moved.top == pytest.approx(one.top - 40, abs=1)
    _delete(engine, tmp_path, "statement", _found(engine, FIRST).id)
    with read(engine) as s:
        assert boxes_of(s, [first, second]).keys() == {second}
        assert s.scalar(select(OccurrenceRow.boxes).where(OccurrenceRow.id == first)) is None


def test_the_source_of_a_page_is_kept_until_something_of_it_is_deleted(
    engine: Engine, tmp_path: Path
) -> None:
    """No other kind of file has one; a page without a deleted line cannot be made, so it goes."""
    (page := tmp_path / "tides.html").write_text(PAGE, "utf-8")
    (note := tmp_path / "note.txt").write_text(SECOND, "utf-8")
    ingest([page, note], engine=engine, embedder=E5)

    def raw(path: Path) -> str | None:
        with read(engine) as s:
            work = find_at(s, "public", "default", str(path))
            assert work is not None
            return find_work_raw(s, work.id)

    assert (raw(page), raw(note)) == (PAGE, None)
    page.write_text(PAGE.replace("sleeps", "naps").replace("var seen", "var met"), "utf-8")
    ingest([page], engine=engine, embedder=E5)
    assert "var met" in (raw(page) or "")
    _delete(engine, tmp_path, "statement", _found(engine, FIRST).id)
    assert raw(page) is None
    page.write_text(PAGE.replace("两次", "两回"), "utf-8")
    ingest([page], engine=engine, embedder=E5)
    assert raw(page) is None  # the file still has the deleted line


def test_a_sidecar_that_comes_later_counts(engine: Engine, tmp_path: Path) -> None:
    """The same bytes are read again when what stands beside them changed, and only then."""
    path = tmp_path / "tides.txt"
    path.write_text(f"{FIRST}\n{SECOND}\n", "utf-8")
    beside = tmp_path / "tides.txt.meta.yaml"

    def action() -> str:
        (found,) = plan([path], engine=engine)
        ingest([path], engine=engine, embedder=E5)
        return found.action

    def author() -> list[str]:
        shares = _found(engine, FIRST).occurrences[0].authors
        with read(engine) as s:
            return list(author_names(s, [each.author_id for each in shares]).values())

    assert [action(), action()] == ["new", "unchanged"]
    assert author() == []
    beside.write_text("author: 张三\ntitle: 潮\n", "utf-8")
    assert [action(), action()] == ["changed", "unchanged"]
    assert author() == ["张三"]
    beside.write_text("title: 潮\nauthor: 张三\n", "utf-8")
    assert action() == "unchanged"
    beside.write_text("author: [broken\n", "utf-8")
    assert action() == "rejected"
    assert author() == ["张三"]
    beside.unlink()
    assert [action(), action()] == ["changed", "unchanged"]
    assert author() == []


def test_the_source_of_a_page_is_printed(
    sqlite_engine: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By the work's title; a work that is no page, or not there, is one line."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_DATABASE_URL", raising=False)
    (page := tmp_path / "tides.html").write_text(PAGE, "utf-8")
    (note := tmp_path / "note.txt").write_text(SECOND, "utf-8")
    ingest([page, note], engine=sqlite_engine, embedder=E5)
    haozhi = Terminal(capsys)
    assert haozhi.json("page", "Tides")["raw"] == PAGE
    assert haozhi.text("page", "Tides") == f"{PAGE}\n"
    for work in ("note", "nothing"):
        code, out, said = haozhi.run("page", work)
        assert (code, out, said.count("\n")) == (3, "", 1)


def test_the_title_of_a_record_goes_with_it(engine: Engine, tmp_path: Path) -> None:
    """A deleted work leaves nothing of what its statements stood under."""
    path = tmp_path / "notes.jsonl"
    rows = [{"text": FIRST, "title": "潮"}, {"text": SECOND, "title": "猫", "source": "Notes"}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    ingest([path], engine=engine, embedder=E5)
    with read(engine) as s:
        assert set(s.scalars(select(OccurrenceRow.headings))) == {"潮", "Notes\n猫"}
    _delete(engine, tmp_path, "work", "notes")
    with read(engine) as s:
        assert set(s.scalars(select(OccurrenceRow.headings))) == {""}
