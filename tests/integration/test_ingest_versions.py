"""A file that changed is the next version of its work: what stays in it stays as it is."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, select, text

from haozhi.deleting import delete
from ingest.options import IngestOptions
from ingest.pipeline import IngestReport, ingest, plan
from store import lexical
from store.clock import now_us
from store.deletions import Kind
from store.engine import read, write
from store.errors import BadInput
from store.people import author_names
from store.readings import confirm_reading
from store.records.corpus import Occurrence, Statement
from store.rights.holdings import holdings_of
from store.schema import OccurrenceRow
from store.statements import (
    NewStatement,
    add_statements,
    counts,
    find_by_text,
    missing_embeddings,
    withdraw_statement,
)
from store.works import NewWork, add_work, find_at, get_work_text, set_evidence
from tests.ingesting import SmallE5

E5 = SmallE5()
NOTES = "---\nauthor: 张三\n---\n猫叫团子。\n狗叫旺财。\n猫叫团子。\n"


def _ingest(engine: Engine, *paths: Path, **options: object) -> IngestReport:
    return ingest(paths, engine=engine, embedder=E5, options=IngestOptions(**options))  # type: ignore[arg-type]


def _written(path: Path, content: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, "utf-8")
    return path


def _found(engine: Engine, said: str) -> Statement:
    with read(engine) as s:
        found = find_by_text(s, said, "public")
    assert found is not None
    return found


def _credited(engine: Engine, said: str) -> tuple[Occurrence, str | None]:
    """The credited occurrence of a text and the name of its only author."""
    first = _found(engine, said).occurrences[0]
    with read(engine) as s:
        names = author_names(s, [share.author_id for share in first.authors])
    return first, next(iter(names.values()), None)


def _is_whole(engine: Engine, path: Path) -> None:
    """Every span reads as its statement, and the words and vectors are those of the rows."""
    with read(engine) as s:
        work = find_at(s, "public", "default", str(path))
        assert work is not None
        said = get_work_text(s, work.id)
        rows = s.execute(
            text(
                'SELECT start, "end", s.text FROM occurrences o JOIN statements s'
                " ON s.id = statement_id WHERE work_id = :id AND o.withdrawn_us IS NULL"
            ),
            {"id": work.id},
        )
        assert all(said[start:end] == text_ for start, end, text_ in rows)
        assert list(lexical.verify(s)) == []
        assert missing_embeddings(s, "e5-small") == ()


def test_what_stays_keeps_its_occurrences_and_what_is_gone_leaves(
    engine: Engine, tmp_path: Path
) -> None:
    """Ids, registration and vectors of unchanged statements stay; a line that went is not found."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    before = _found(engine, "猫叫团子。")
    _written(path, "---\nauthor: 张三\n---\nNew line.\n猫叫团子。\n")
    assert _ingest(engine, path) == IngestReport(works=1, statements=1, unchanged=1, removed=2)
    after = _found(engine, "猫叫团子。")
    assert after.id == before.id
    (stays,) = after.occurrences
    assert (stays.id, stays.registered_us) == (
        before.occurrences[0].id,
        before.occurrences[0].registered_us,
    )
    assert (stays.line, stays.work_id) == (5, before.occurrences[0].work_id)
    assert _found(engine, "狗叫旺财。").occurrences == ()
    with read(engine) as s:
        assert (counts(s).works, counts(s).statements, counts(s).occurrences) == (1, 2, 2)
    _is_whole(engine, path)
    assert _ingest(engine, path) == IngestReport(duplicates=1)


def test_what_comes_back_has_its_priority_again(engine: Engine, tmp_path: Path) -> None:
    """A line that went by accident is credited as before, also when another said it meanwhile."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    first, _ = _credited(engine, "狗叫旺财。")
    _written(path, "---\nauthor: 张三\n---\n猫叫团子。\n")
    _ingest(engine, path)
    _ingest(engine, _written(tmp_path / "b.txt", "狗叫旺财。"), author="李四")
    assert _credited(engine, "狗叫旺财。")[1] == "李四"
    _written(path, NOTES)
    assert _ingest(engine, path) == IngestReport(works=1, unchanged=3)
    assert _credited(engine, "狗叫旺财。") == (first, "张三")
    _is_whole(engine, path)


def test_another_author_is_another_occurrence(engine: Engine, tmp_path: Path) -> None:
    """A corrected name credits the right author from now on, who has registered it only now."""
    path = _written(tmp_path / "a.md", "---\nauthor: Wrong\n---\nCats sleep.\n")
    _ingest(engine, path)
    before, _ = _credited(engine, "Cats sleep.")
    _written(path, "---\nauthor: Right\n---\nCats sleep.\n")
    assert _ingest(engine, path) == IngestReport(works=1, duplicates=1, removed=1)
    after, name = _credited(engine, "Cats sleep.")
    assert name == "Right"
    assert after.registered_us > before.registered_us


def test_evidence_speaks_of_what_stood_there(engine: Engine, tmp_path: Path) -> None:
    """A line added to a work whose date is on record does not get that date's priority."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    with write(engine) as s:
        work = find_at(s, "public", "default", str(path))
        assert work is not None
        set_evidence(s, work.id, "registry", "1999", "Ann")
    other = _written(
        tmp_path / "b.md", "---\nauthor: 李四\ndate: 2001\n---\n狗叫旺财。\n天很蓝。\n"
    )
    _ingest(engine, other)
    _written(path, NOTES + "天很蓝。\n")
    _ingest(engine, path)
    assert _credited(engine, "狗叫旺财。")[1] == "张三"
    assert _credited(engine, "天很蓝。")[1] == "李四"


def test_a_disputed_line_stays_disputed(engine: Engine, tmp_path: Path) -> None:
    """Editing the file does not end a dispute about what stays in it."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    with write(engine) as s:
        s.execute(text("UPDATE occurrences SET disputed = true"))
    _written(path, NOTES + "New line.\n")
    _ingest(engine, path)
    assert _credited(engine, "狗叫旺财。")[0].disputed
    assert not _credited(engine, "New line.")[0].disputed


def test_what_an_admin_withdrew_stays_withdrawn(engine: Engine, tmp_path: Path) -> None:
    """A new version of its file does not bring a withdrawn statement back."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    with write(engine) as s:
        withdraw_statement(s, _found(engine, "狗叫旺财。").id)
    _written(path, NOTES + "New line.\n")
    _ingest(engine, path)
    assert _found(engine, "狗叫旺财。").withdrawn
    with read(engine) as s:
        assert counts(s).statements == 2


def test_the_title_is_that_of_the_newest_version(engine: Engine, tmp_path: Path) -> None:
    """Title and its words follow the file; a file of the same name elsewhere is another work."""
    path = _written(tmp_path / "a.md", "# Old\nCats sleep.\n")
    _ingest(engine, path)
    _written(path, "# New\nCats sleep.\n")
    assert _ingest(engine, path) == IngestReport(works=1, unchanged=1)
    assert _credited(engine, "Cats sleep.")[0].work_title == "New"
    _is_whole(engine, path)
    other = _written(tmp_path / "x" / "a.md", "Dogs bark.\n")
    assert _ingest(engine, other) == IngestReport(works=1, statements=1)


def test_a_file_with_nothing_in_it_keeps_its_version(engine: Engine, tmp_path: Path) -> None:
    """An emptied or broken file takes nothing out: that may be an accident."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    _written(path, "")
    (rejected,) = _ingest(engine, path).rejected
    assert rejected.reason == "there is no statement in it"
    assert len(_found(engine, "猫叫团子。").occurrences) == 2


def test_removed_files_go_only_when_asked(engine: Engine, tmp_path: Path) -> None:
    """A file that is gone is planned as removed; `sync` takes it out, and it can come back."""
    folder = tmp_path / "folder"
    path = _written(folder / "a.md", NOTES)
    kept = _written(folder / "b.md", "Cats sleep.\n")
    elsewhere = _written(tmp_path / "folder2.txt", "Dogs bark.\n")
    _ingest(engine, folder, elsewhere)
    path = path.rename(folder / "moved.md")
    assert [each.action for each in plan([folder], engine=engine)] == ["unchanged", "moved"]
    assert _ingest(engine, folder) == IngestReport(duplicates=2)
    path.unlink()
    planned = {
        each.path: (each.action, each.counts.removed) for each in plan([folder], engine=engine)
    }
    assert planned == {str(kept): ("unchanged", 0), str(path): ("removed", 3)}
    assert _ingest(engine, folder) == IngestReport(duplicates=1)
    assert _ingest(engine, folder, sync=True) == IngestReport(duplicates=1, removed=3)
    with read(engine) as s:
        assert (counts(s).works, counts(s).statements) == (2, 2)
        assert list(lexical.verify(s)) == []
    _written(path, NOTES)
    assert _ingest(engine, folder, sync=True) == IngestReport(works=1, duplicates=1, unchanged=3)
    _is_whole(engine, path)


def test_a_folder_that_cannot_be_read_loses_nothing(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in a damaged archive or behind a closed door may well be there."""
    folder = tmp_path / "folder"
    path = _written(folder / "a.md", NOTES)
    _ingest(engine, folder)
    monkeypatch.setattr("ingest.pipeline.files_in", lambda _: iter([folder]))
    path.rename(tmp_path / "a.md")
    report = _ingest(engine, folder, sync=True)
    assert (report.removed, len(report.rejected)) == (0, 1)


def _delete(engine: Engine, folder: Path, kind: Kind, name: object) -> None:
    done = delete(engine, folder, kind, [str(name)], by="Ann", reason="asked", compact=False)
    assert done is not None


def test_a_deleted_text_stays_out_of_the_next_version(engine: Engine, tmp_path: Path) -> None:
    """The file still has the words; the store gets blanks in their place."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    _delete(engine, tmp_path, "statement", _found(engine, "狗叫旺财。").id)
    _written(path, NOTES + "New line.\n")
    _ingest(engine, path)
    with read(engine) as s:
        work = find_at(s, "public", "default", str(path))
        assert work is not None
        said = get_work_text(s, work.id)
    assert "狗叫旺财" not in said
    assert "█████" in said
    _is_whole(engine, path)


def test_deleting_what_went_with_an_earlier_version_harms_nothing(
    engine: Engine, tmp_path: Path
) -> None:
    """Spans of an earlier version are none of the text that the work has now."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path)
    _written(path, "---\nauthor: 张三\n---\n猫叫团子。猫叫团子。天很蓝。海很深。\n")
    _ingest(engine, path)
    _delete(engine, tmp_path, "statement", _found(engine, "狗叫旺财。").id)
    with read(engine) as s:
        work = find_at(s, "public", "default", str(path))
        assert work is not None
        assert get_work_text(s, work.id) == path.read_text("utf-8")


def test_what_an_author_had_deleted_does_not_come_back(engine: Engine, tmp_path: Path) -> None:
    """Nor with an old version of the file, where another author says the same."""
    path = _written(tmp_path / "a.md", NOTES)
    _ingest(engine, path, _written(tmp_path / "b.md", "---\nauthor: 李四\n---\n狗叫旺财。\n"))
    _written(path, "---\nauthor: 张三\n---\n猫叫团子。\n")
    _ingest(engine, path)
    _delete(engine, tmp_path, "author", "张三")
    first = _found(engine, "狗叫旺财。").occurrences
    assert len(first) == 1
    _written(path, NOTES + "New line.\n")
    planned = [each.kept for each in plan([path], engine=engine)]
    assert planned == [{}]


def test_what_was_hardly_recognised_is_unsure_until_somebody_has_read_it(engine: Engine) -> None:
    """Low confidence stays with the occurrence and holds its credit until somebody confirms the
    work, whose name is kept.
    """
    with write(engine) as s:
        work = add_work(s, NewWork("public", "h", 1, "p", "p", "application/pdf", "", "n", "ab c"))
        said = [
            NewStatement("ab", "en", 0, 2, confidence_ppm=799_999),
            NewStatement("c", "en", 3, 4, confidence_ppm=800_000),
        ]
        added = add_statements(s, work, "public", said)
        places = {each.statement_id: each.occurrence_id for each in added}
        held = holdings_of(s, places, now_us(), asker_id="x")
        assert held.unsure == {added[0].statement_id}
        with pytest.raises(BadInput, match="--by"):
            confirm_reading(s, work, " ")
        assert confirm_reading(s, work, "Ada") == 1
        assert holdings_of(s, places, now_us(), asker_id="x").unsure == frozenset()
        assert confirm_reading(s, work, "Bo") == 0
        kept = select(OccurrenceRow.confidence_ppm, OccurrenceRow.read_by)
        assert set(s.execute(kept).all()) == {(799_999, "Ada"), (800_000, None)}
