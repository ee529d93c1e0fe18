"""Documents of every kind go in: with pages, with each voice's author, out of archives too."""

import io
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import Engine, text

from ingest.options import IngestOptions
from ingest.pipeline import ingest
from store.engine import read
from tests.ingesting import SmallE5, everything
from tests.made_files import docx, paragraph, zipped

E5 = SmallE5()


def _commented() -> bytes:
    comments = "".join(
        f'<w:comment w:author="{name}">{paragraph(said)}</w:comment>'
        for name, said in (("Rita", "Is it true?"), ("", "Nobody said this."))
    )
    return docx(paragraph("The cat sleeps."), author="Ann", parts={"comments": comments})


def _two_pages() -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target)
    for said in ("First page.", "Second page."):
        canvas.drawString(72, 600, said)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _by_text(engine: Engine) -> dict[object, object]:
    """Who said each text; None for nobody known."""
    return {row[5]: row[6] for row in everything(engine)["occurrences"]}


def test_an_archive_goes_in_file_by_file(engine: Engine, tmp_path: Path) -> None:
    """Each file in it is a work under its path, and one that is refused is named alone."""
    path = tmp_path / "all.zip"
    files = {"a.docx": _commented(), "b/c.pdf": _two_pages(), "b/d.png": b"\x89PNG\r\n\x1a\n\0"}
    path.write_bytes(zipped(files))
    report = ingest([path], engine=engine, embedder=E5)
    assert (report.works, report.statements) == (2, 5)
    assert [(r.path, r.reason) for r in report.rejected] == [
        (f"{path}/b/d.png", "it is a picture (PNG), which is not read")
    ]
    assert {row[1] for row in everything(engine)["works"]} == {f"{path}/a.docx", f"{path}/b/c.pdf"}
    assert _by_text(engine) == {
        "The cat sleeps.": "Ann",
        "Is it true?": "Rita",
        "Nobody said this.": None,
        "First page.": None,
        "Second page.": None,
    }
    with read(engine) as s:
        pages = s.execute(text("SELECT page FROM occurrences WHERE page IS NOT NULL ORDER BY page"))
        assert [page for (page,) in pages] == [1, 2]
    again = ingest([path], engine=engine, embedder=E5)
    assert (again.works, again.statements, again.duplicates) == (0, 0, 2)


def test_a_given_author_is_not_that_of_other_voices(engine: Engine, tmp_path: Path) -> None:
    """`author` beats the fields of a document, and leaves comments to who wrote them, or nobody."""
    path = tmp_path / "a.docx"
    path.write_bytes(_commented())
    ingest([path], engine=engine, embedder=E5, options=IngestOptions(author="Given"))
    assert _by_text(engine) == {
        "The cat sleeps.": "Given",
        "Is it true?": "Rita",
        "Nobody said this.": None,
    }


def test_a_row_is_stored_whole(engine: Engine, tmp_path: Path) -> None:
    """Sentences of a row without a text column stay one statement."""
    path = tmp_path / "a.csv"
    path.write_text("名称,说明\n猫,睡着。醒着。\n狗,在叫。\n", "utf-8")
    assert ingest([path], engine=engine, embedder=E5).statements == 2
    assert set(_by_text(engine)) == {"名称: 猫; 说明: 睡着。醒着。", "名称: 狗; 说明: 在叫。"}
