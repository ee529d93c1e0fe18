"""Files become statements with authors and vectors in a migrated database."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, event, text

from ingest.options import IngestOptions
from ingest.pipeline import IngestReport, ingest
from store.engine import make_engine, read, write
from store.errors import Ambiguous, BadInput, HaozhiError, NotFound, StoreFull, UsageError
from store.people import add_author, author_names, find_authors
from store.statements import (
    counts,
    find_by_text,
    iter_embeddings,
    missing_embeddings,
    withdraw_statement,
)
from store.works import NewWork, add_work, find_work, get_work_text
from tests.ingesting import SmallE5, everything

E5 = SmallE5()


def _ingest(engine: Engine, *paths: Path, options: IngestOptions | None = None) -> IngestReport:
    return ingest(paths, engine=engine, embedder=E5, options=options or IngestOptions())


def _file(folder: Path, name: str, content: str | bytes | Sequence[dict[str, object]]) -> Path:
    """A file; records become JSON lines."""
    if not isinstance(content, (str, bytes)):
        content = "\n".join(json.dumps(record) for record in content)
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _authors(engine: Engine, text: str) -> list[dict[str, int]]:
    """For each occurrence of a text, the ppm of each author by name."""
    with read(engine) as s:
        statement = find_by_text(s, text, "public")
        assert statement is not None
        names = author_names(s, [a.author_id for o in statement.occurrences for a in o.authors])
    return [{names[a.author_id]: a.ppm for a in o.authors} for o in statement.occurrences]


def test_every_span_reads_as_its_statement(engine: Engine, tmp_path: Path) -> None:
    """In every format a work's text at an occurrence's span is the statement, with a vector."""
    paths = [
        _file(tmp_path, "a.txt", "1 + 1 = 2。2 + 1 = 3。\r\n\r\nCats sleep. Dogs bark."),
        _file(tmp_path, "b.md", "# 题\n- 猫叫团子。狗叫旺财。\n"),
        _file(tmp_path, "c.jsonl", [{"text": "天很蓝。\n海很深。"}, {"text": "Snow is white."}]),
        _file(tmp_path, "d.csv", 'text\n"Yes, it is. Maybe."\n下雨了。\n'),
    ]
    assert _ingest(engine, *paths) == IngestReport(works=4, statements=12)
    rows = everything(engine)
    assert [row[1:3] for row in rows["vectors"]] == [("e5-small", 384)] * 12
    for byte_hash, start, end, _, _, said, name, _ in rows["occurrences"]:
        with read(engine) as s:
            work = find_work(s, "public", str(byte_hash))
            assert work is not None
            assert work.state == "ready"
            assert get_work_text(s, work.id)[int(str(start)) : int(str(end))] == said
            assert name is None


def test_the_vector_is_that_of_the_statement(engine: Engine, tmp_path: Path) -> None:
    """Each vector stored, and told after the commit, is the one that the text embeds to."""
    told: dict[int, NDArray[np.float32]] = {}

    def on_batch(ids: Sequence[int], vectors: NDArray[np.float32]) -> None:
        with read(engine) as s:
            batches = list(iter_embeddings(s, "e5-small"))
        stored = {int(i): v for some in batches for i, v in zip(*some, strict=True)}
        assert told.keys().isdisjoint(ids)
        told.update(zip(ids, vectors, strict=True))
        assert all((stored[statement_id] == told[statement_id]).all() for statement_id in told)

    numbers = [f"Number {i} is followed by {i + 1}." for i in range(70)]
    steps: list[tuple[str, int, int]] = []
    path = _file(tmp_path, "a.txt", "\n".join([*numbers, numbers[69].upper()]))
    ingest(
        [path],
        engine=engine,
        embedder=E5,
        on_batch=on_batch,
        progress=lambda *step: steps.append(step),
    )
    assert steps == [(str(path), done, 71) for done in (0, 64, 71)]
    assert len(told) == 70
    with read(engine) as s:
        found = find_by_text(s, numbers[69], "public")
    assert found is not None
    assert (told[found.id] == E5.passages([numbers[69]])[0]).all()


def test_ingesting_twice_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    """The same bytes again, under whatever name, are one duplicate and nothing else."""
    first = _file(tmp_path, "a.txt", "1 + 1 = 2\n猫。")
    assert _ingest(engine, first) == IngestReport(works=1, statements=2)
    before = everything(engine)
    again = _file(tmp_path, "b.txt", first.read_bytes())
    assert _ingest(engine, first, again) == IngestReport(duplicates=2)
    assert everything(engine) == before


def test_the_same_text_is_one_statement_in_two_places(engine: Engine, tmp_path: Path) -> None:
    """Spelling variants of a text within and across works are occurrences of one statement."""
    one = _file(tmp_path, "a.jsonl", [{"text": t, "author": "A"} for t in ("Ｃat  naps", "x")])
    two = _file(tmp_path, "b.jsonl", [{"text": "cat naps", "author": a} for a in ("B", "C")])
    assert _ingest(engine, one, two) == IngestReport(works=2, statements=2, duplicates=2)
    assert _authors(engine, "CAT NAPS") == [{"A": 10**6}, {"B": 10**6}, {"C": 10**6}]


def test_several_authors_get_equal_parts(engine: Engine, tmp_path: Path) -> None:
    """Parts differ by at most one ppm and sum to the whole; nobody named is nobody credited."""
    records: list[dict[str, object]] = [
        {"text": "three", "authors": ["甲", "乙", "丙", "乙"]},
        {"text": "none", "authors": []},
    ]
    _ingest(engine, _file(tmp_path, "a.jsonl", records))
    assert _authors(engine, "three") == [{"甲": 333_334, "乙": 333_333, "丙": 333_333}]
    assert _authors(engine, "none") == [{}]


def test_names_resolve_exactly_within_their_namespace(engine: Engine, tmp_path: Path) -> None:
    """NFKC-equal names in one namespace are one author; case and namespace tell authors apart."""
    for number, (name, namespace) in enumerate(
        [("Li", "x"), (" Ｌi ", "x"), ("li", "x"), ("Li", "y")]
    ):
        path = _file(tmp_path, f"{number}.txt", f"text {number}")
        _ingest(engine, path, options=IngestOptions(author=name, namespace=namespace))
    with read(engine) as s:
        assert counts(s).authors == 3
        assert len(find_authors(s, "Li")) == 2


def test_the_option_beats_the_file_and_the_speaker_beats_the_option(
    engine: Engine, tmp_path: Path
) -> None:
    """`author` replaces every author that a file names, except a speaker asked for."""
    path = _file(tmp_path, "a.md", "---\nauthor: F\n---\nA 说：“1 + 1 = 2”\nfree line\n")
    _ingest(engine, path)
    assert _authors(engine, "free line") == [{"F": 10**6}]
    other = _file(tmp_path, "b.md", path.read_bytes() + b"\n")
    options = IngestOptions(author="O", speaker_lines=True)
    _ingest(engine, other, options=options)
    assert _authors(engine, "1 + 1 = 2") == [{"A": 10**6}]
    assert _authors(engine, "free line") == [{"F": 10**6}, {"O": 10**6}]


def test_an_author_id_is_exact(engine: Engine, tmp_path: Path) -> None:
    """An id credits that author whatever the name; a name in its place is not found."""
    with write(engine) as s:
        author_id = add_author(s, "Li", "elsewhere")
    path = _file(tmp_path, "a.jsonl", [{"text": "one", "author": "B"}])
    with pytest.raises(NotFound, match="no author has the id 'Li'"):
        _ingest(engine, path, options=IngestOptions(author_id="Li"))
    _ingest(engine, path, options=IngestOptions(author_id=author_id))
    assert _authors(engine, "one") == [{"Li": 10**6}]


def test_work_facts_are_recorded(engine: Engine, tmp_path: Path) -> None:
    """Options beat the file's own title and date, and encoding and type are kept."""
    text = "---\ntitle: T\ndate: 1999\n---\n猫叫团子。"
    path = _file(tmp_path, "a.md", text.encode("gb18030"))
    _ingest(engine, path)
    other = _file(tmp_path, "b.md", text)
    _ingest(engine, other, options=IngestOptions(title="O", published_on="2001-02"))
    works = [row[1:7] for row in everything(engine)["works"]]
    assert sorted(works, key=str) == [
        (str(path), "T", "text/markdown", "gb18030", "1999", "ready"),
        (str(other), "O", "text/markdown", "utf-8", "2001-02", "ready"),
    ]
    with read(engine) as s:
        found = find_by_text(s, "猫叫团子。", "public")
    assert found is not None
    assert found.language == "zh"
    assert [o.published_on for o in found.occurrences] == ["1999", "2001-02"]
    assert [o.line for o in found.occurrences] == [5, 5]


def test_what_cannot_go_in_is_rejected_and_the_rest_goes_in(engine: Engine, tmp_path: Path) -> None:
    """Each file or line that is refused is named with its reason; the others are stored."""
    with write(engine) as s:
        twins = [add_author(s, "Twin", "default") for _ in range(2)]
    lines = '{"text": "good"}\n{broken\n{"text": "by one of two. Really.", "author": "Twin"}'
    (tmp_path / "folder" / ".hidden").mkdir(parents=True)
    (tmp_path / "nothing").mkdir()
    _file(tmp_path / "folder" / ".hidden", "h.txt", "unseen")
    paths = [
        _file(tmp_path / "folder", "a.jsonl", lines),
        _file(tmp_path / "folder", "b.png", b"\x89PNG\0"),
        _file(tmp_path / "folder", "c.txt", b"ok \xff"),
        _file(tmp_path / "folder", "d.txt", b"PK\0\0"),
        _file(tmp_path / "folder", "e.txt", " \n——\n"),
        _file(tmp_path / "folder", "f.csv", b"%PDF-1.4 cut"),
        _file(tmp_path / "folder", "g.jsonl", "5"),
        _file(tmp_path / "folder", "z.txt", "last"),
    ]
    report = _ingest(engine, tmp_path / "folder", tmp_path / "nothing", tmp_path / "no.txt")
    a, b, c, d, e, f, g, _ = map(str, paths)
    assert (report.works, report.statements, report.duplicates) == (2, 2, 0)
    reasons = {(r.path, r.line): r.reason for r in report.rejected}
    assert len(reasons) == len(report.rejected)
    expected = {
        (a, 2): "not JSON",
        (a, 3): f"2 authors are called 'Twin', use an id: {', '.join(sorted(twins))}",
        (b, None): "it is a picture (PNG), which is not read",
        (c, None): "not utf-8 (byte offset 3)",
        (d, None): "binary content",
        (e, None): "there is no statement in it",
        (f, None): "damaged: no PDF reader can open it",
        (g, 1): "not a JSON object",
        (str(tmp_path / "nothing"), None): "there is no file in this folder",
        (str(tmp_path / "no.txt"), None): "no such file",
    }
    assert reasons.keys() == expected.keys()
    reasons[a, 3] = expected[a, 3] if all(twin in reasons[a, 3] for twin in twins) else ""
    assert all(reasons[key].startswith(reason) for key, reason in expected.items())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (IngestOptions(author="A", author_id="a1"), UsageError, "not both"),
        (IngestOptions(author="\u200b"), BadInput, "visible character"),
        (IngestOptions(author="Twin"), Ambiguous, "2 authors are called 'Twin'"),
        (IngestOptions(published_on="soon"), BadInput, "'soon' is not a date"),
        (IngestOptions(title="\ud800"), BadInput, r"U\+D800"),
    ],
)
def test_unusable_options_write_nothing(
    engine: Engine, tmp_path: Path, options: IngestOptions, error: type[HaozhiError], message: str
) -> None:
    """An option that cannot be followed is one error before the first file."""
    with write(engine) as s:
        add_author(s, "Twin", "default")
        add_author(s, "Twin", "default")
    with pytest.raises(error, match=message):
        _ingest(engine, _file(tmp_path, "a.txt", "x"), options=options)
    with read(engine) as s:
        assert counts(s).works == 0


def test_an_interrupted_run_is_continued(engine: Engine, tmp_path: Path) -> None:
    """The first batch stays, the next run embeds, adds and counts only the rest."""
    path = _file(tmp_path, "a.txt", "\n".join(f"line {i}" for i in range(100)))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    embedded: list[str] = []

    class Recording(SmallE5):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            embedded.extend(texts)
            return super().passages(texts)

    with pytest.raises(KeyboardInterrupt):
        ingest([path], engine=engine, embedder=Recording(), on_batch=interrupt)
    with read(engine) as s:
        assert counts(s).statements == 64
    report = ingest([path], engine=engine, embedder=Recording())
    assert report == IngestReport(works=1, statements=36)
    assert len(set(embedded)) == len(embedded) == 100
    assert _ingest(engine, path) == IngestReport(duplicates=1)
    assert [row[3] is None for row in everything(engine)["vectors"]] == [False] * 100


def test_a_file_begun_with_another_text_is_left_alone(engine: Engine, tmp_path: Path) -> None:
    """Spans of an interrupted work that was read differently would credit the wrong words."""
    path = _file(tmp_path, "a.txt", "new reading")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with write(engine) as s:
        work = NewWork("public", digest, 11, "a", "a", "text/plain", "utf-8", "default", "old")
        add_work(s, work)
    [rejected] = _ingest(engine, path).rejected
    assert "read it differently" in rejected.reason
    assert everything(engine)["occurrences"] == []


def test_a_full_disk_stops_the_run_and_the_next_one_goes_on(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """StoreFull is raised, what was committed is whole, and with space the rest goes in."""
    page_count = 0

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {page_count}")

    path = _file(tmp_path, "a.txt", "\n".join(f"line {i}" for i in range(100)))
    with read(sqlite_engine) as s:
        page_count = s.scalar(text("PRAGMA page_count")) + 40
    engine = make_engine(str(sqlite_engine.url))
    event.listen(engine, "connect", limit)
    with pytest.raises(StoreFull, match="free some space"):
        _ingest(engine, path)
    with read(engine) as s:
        stored = counts(s).statements
        assert stored == s.scalar(text("SELECT count(*) FROM embeddings")) == 64
    page_count = 1_000_000
    engine.dispose()
    assert _ingest(engine, path) == IngestReport(works=1, statements=100 - stored)


def test_missing_vectors_are_made_on_the_next_run(engine: Engine, tmp_path: Path) -> None:
    """With another embedder every visible statement gets a vector of it, and keeps the old one."""

    class OtherE5(SmallE5):
        fingerprint = "other"

    _ingest(engine, _file(tmp_path, "a.txt", "\n".join(f"line {i}" for i in range(70))))
    told: list[int] = []
    ingest([], engine=engine, embedder=OtherE5(), on_batch=lambda ids, _: told.extend(ids))
    assert len(set(told)) == len(told) == 70
    with read(engine) as s:
        assert missing_embeddings(s, "other") == ()
    assert len(everything(engine)["vectors"]) == 140


def test_a_withdrawn_text_stays_out(engine: Engine, tmp_path: Path) -> None:
    """A text taken out of the scope does not come back when another file says it."""
    _ingest(engine, _file(tmp_path, "a.txt", "gone"))
    with write(engine) as s:
        found = find_by_text(s, "gone", "public")
        assert found is not None
        withdraw_statement(s, found.id)
    report = _ingest(engine, _file(tmp_path, "b.txt", "gone\nhere"))
    assert report == IngestReport(works=1, statements=1, duplicates=1)
    with read(engine) as s:
        assert counts(s).statements == 1
