"""Deleting: text, vectors, words and quotations are gone; ids, shares, money and proofs stay."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from haozhi import deleting
from haozhi.app import App
from haozhi.casework import build_case
from haozhi.cli import app as cli
from haozhi.deleting import delete, plan, resume
from haozhi.settings import load_settings
from haozhi.settling import store_answer
from store import lexical
from store.answers import add_answer, get_answer
from store.deletions import BLANK, Kind, count_removed, finish, list_deletions
from store.deletions.searching import _WITHOUT_WORDS
from store.engine import Engine, database_path, make_engine, read, write
from store.errors import Ambiguous, BadInput, NotFound, UsageError
from store.people import add_author
from store.schema import AnswerRow, Base, EmbeddingRow, StatementRow, WorkRow, WorkTextRow
from store.statements import NewStatement, add_statements, visible_ids
from store.vectors import generations
from store.vectors.faiss_index import stored_index
from store.vectors.leaving import has_changes
from store.works import NewWork, add_work
from tests.disputing import assert_whole, balances
from tests.stored_books import add_corpus, settle
from tests.two_works import GEHEIM, KEPT, SECRET, World, make_world, say


@pytest.fixture
def world(engine: Engine, tmp_path: Path) -> World:
    """The world with vectors, words and an index."""
    return make_world(engine, tmp_path / "index")


def texts(engine: Engine) -> dict[str, str]:
    """The text of each work, by id."""
    with read(engine) as s:
        return dict(s.execute(select(WorkTextRow.work_id, WorkTextRow.text)).all())


def assert_gone(world: World, *ids: int) -> None:
    """The statements are in no store any more; their rows, ids and hashes are."""
    with read(world.engine) as s:
        rows = s.scalars(select(StatementRow).where(StatementRow.id.in_(ids))).all()
        assert len(rows) == len(ids)
        assert {row.text for row in rows} == {None}
        assert all(row.hash for row in rows)
        assert not visible_ids(s, ids)
        assert not s.scalars(select(EmbeddingRow).where(EmbeddingRow.statement_id.in_(ids))).all()
        assert not lexical.present(s, sorted(ids))
        assert list(lexical.verify(s)) == []
    index = stored_index(world.index_dir)
    assert index is not None
    index.load()
    assert not set(index.ids().tolist()) & set(ids)


def test_a_statement_goes_from_every_store_and_is_counted(world: World) -> None:
    """Text, vectors, words and passage go; who says the same words elsewhere is named and stays."""
    found = world.delete("statement", world.secret)
    assert_gone(world, world.secret)
    assert found.left == ()
    assert found.deletion.finished_us is not None
    expected = {"statements": 1, "vectors": 1, "words": 1, "passages": 1, "index": 1}
    assert {k: v for k, v in found.deletion.removed.items() if v} == expected
    assert texts(world.engine)[world.first] == f"{BLANK * len(SECRET)}\n{GEHEIM}\n{KEPT}"
    assert found.quoted_count == 2
    assert f"statements.text of {world.quoting}" in found.quoted


def test_vectors_leave_the_files_of_a_large_index(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left by id, as a change beside the data, and then written anew without the vectors."""
    monkeypatch.setattr(generations, "CHANGES_FROM", 0)
    monkeypatch.setattr(generations, "MOST_CHANGED", 1.0)
    for statement_id, compact in ((world.secret, False), (world.geheim, True)):
        found = world.delete("statement", statement_id, compact=compact)
        assert found.deletion.removed["index"] == 1
        assert_gone(world, statement_id)
        assert has_changes(world.index_dir) is not compact


def test_a_work_goes_with_its_name_and_what_stands_nowhere_else(world: World) -> None:
    """What another work says, too, stays there with the other author; the file's name is gone."""
    planned = plan(world.engine, "work", ["first"])
    assert planned.covered.statement_ids == (world.secret, world.geheim)
    assert planned.covered.kept == 1
    found = world.delete("work", "first")
    assert found.left == ()
    assert_gone(world, world.secret, world.geheim)
    assert list(texts(world.engine)) == [world.second]
    with read(world.engine) as s:
        assert visible_ids(s, [world.kept]) == {world.kept}
        work = s.get_one(WorkRow, world.first)
        assert (work.state, work.title, work.path) == ("withdrawn", world.first, world.first)
    assert delete(world.engine, world.index_dir, "work", [world.first], by="x", reason="x") is None


def test_all_that_an_author_alone_says_goes(world: World) -> None:
    """A's passage goes where B says the same; B's statement stays, as does what both wrote."""
    found = world.delete("author", "A")
    assert_gone(world, world.secret, world.geheim)
    assert found.deletion.removed["passages"] == 3
    assert set(texts(world.engine)[world.first]) == {BLANK, "\n"}
    with read(world.engine) as s:
        assert visible_ids(s, [world.kept, world.quoting]) == {world.kept, world.quoting}


def test_the_same_text_stays_away_when_it_comes_again(world: World) -> None:
    """Whoever brings a deleted text in again does not bring it back."""
    world.delete("statement", world.geheim)
    with write(world.engine) as s:
        work = NewWork("public", "third", 1, "c", "c", "text/plain", "utf-8", "test", GEHEIM)
        (added,) = add_statements(
            s, add_work(s, work), "public", [NewStatement(GEHEIM, "zh", 0, len(GEHEIM))]
        )
    assert added.withdrawn
    assert_gone(world, world.geheim)


def test_answers_are_blanked_where_they_rest_on_it(engine: Engine, tmp_path: Path) -> None:
    """The segment and tokens go, spans, shares, money and checks stay, and nothing is replayed."""
    corpus = add_corpus(engine)
    settle(engine, corpus, 1)
    before = balances(engine, corpus)
    done = delete(
        engine, tmp_path, "statement", [str(corpus.statements[0].statement_id)], by="x", reason="y"
    )
    assert done is not None
    assert (done.left, done.deletion.removed["answers"]) == ((), 1)
    with read(engine) as s:
        answer = get_answer(s, "answer-1")
        assert answer.text == BLANK * 10 + "答案是3。"
        assert set(answer.prompt_ids) | set(answer.answer_ids) == {0}
        with pytest.raises(NotFound, match="was deleted"):
            build_case(s, answer)
    assert balances(engine, corpus) == before
    assert_whole(engine)


def test_an_answer_without_final_shares_is_blanked_whole(engine: Engine, tmp_path: Path) -> None:
    """Nobody knows yet what rests on what: all segments go."""
    corpus = add_corpus(engine)
    with write(engine) as s:
        add_answer(s, corpus.answer(1))
    ids = [str(corpus.statements[0].statement_id)]
    assert delete(engine, tmp_path, "statement", ids, by="x", reason="y")
    with read(engine) as s:
        assert get_answer(s, "answer-1").text == BLANK * 15


def test_questions_and_claims_that_quote_it_are_blanked(engine: Engine, tmp_path: Path) -> None:
    """Also in answers that never saw the statement, but not inside a longer number."""
    corpus = add_corpus(engine)
    with write(engine) as s:
        for number, question in ((1, "who said 5 + 4 = 9?"), (2, "is 15 + 4 = 95?")):
            options = {"asked": question}
            answer = corpus.answer(number, question=question, options=options)
            add_answer(s, replace(answer, context=answer.context[:1]))
    ids = [str(corpus.statements[2].statement_id)]
    done = delete(engine, tmp_path, "statement", ids, by="x", reason="y")
    assert done is not None
    assert done.left == ()
    with read(engine) as s:
        rows = s.execute(select(AnswerRow.question, AnswerRow.options)).all()
        said: dict[str, dict[str, str]] = dict(rows)
    blanked = f"who said {BLANK * 9}?"
    kept = "is 15 + 4 = 95?"
    assert said == {blanked: {"asked": blanked}, kept: {"asked": kept}}


def test_an_answer_given_meanwhile_is_stored_as_refused(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """What was retrieved before a deletion does not come back with the answer after it."""
    corpus = add_corpus(sqlite_engine)
    ids = [str(corpus.statements[0].statement_id)]
    delete(sqlite_engine, tmp_path, "statement", ids, by="x", reason="y")
    answer = corpus.answer(1, options={"asked": "?", "over_budget": []})
    store_answer(App(load_settings(data_dir=tmp_path), sqlite_engine), answer)
    with read(sqlite_engine) as s:
        stored = get_answer(s, "answer-1")
    assert (stored.state, stored.context, stored.fee_micro) == ("refused", (), 0)
    assert "1 + 1" not in stored.text


def test_the_bytes_are_not_in_the_file(sqlite_engine: Engine, tmp_path: Path) -> None:
    """Of thousands of statements, moved between pages by many changes, no byte is left."""
    with write(sqlite_engine) as s:
        author = add_author(s, "A", "test")
    world = make_world(sqlite_engine, tmp_path / "index")
    lines = [f"Secret number {i} is {i * 7919 % 10007} 秘密" for i in range(2000)]
    work, ids = say(sqlite_engine, "many", author, *lines)
    with write(sqlite_engine) as s:
        lexical.rebuild(s)
        lexical.refresh(s, ids[::3])
    world.delete("work", work)
    file = database_path(sqlite_engine)
    assert file is not None
    content = b"".join(path.read_bytes() for path in file.parent.glob("haozhi.db*"))
    left = [t for t in (*lines, "secret", "Secret", "秘密") if t.encode() in content]
    assert left == []
    assert KEPT.encode() in content


@pytest.mark.parametrize("stop_at", range(1, 6))
def test_a_stopped_deletion_is_hidden_at_once_and_can_be_finished(
    world: World, stop_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever step fails, nothing is found any more, and the next run finishes everything."""
    calls = 0

    @contextmanager
    def failing(engine: Engine) -> Iterator[object]:
        nonlocal calls
        calls += 1
        with write(engine) as session:
            yield session
            if calls == stop_at + 1:
                raise ZeroDivisionError

    monkeypatch.setattr(deleting, "write", failing)
    monkeypatch.setattr("store.deletions.removing.PART", 1)
    with pytest.raises(ZeroDivisionError):
        world.delete("work", "first")
    monkeypatch.undo()
    with read(world.engine) as s:
        assert visible_ids(s, [world.secret, world.geheim, world.kept]) == {world.kept}
        (begun,) = list_deletions(s, unfinished=True)
    assert begun.finished_us is None
    (done,) = resume(world.engine, world.index_dir)
    assert done.left == ()
    assert_gone(world, world.secret, world.geheim)
    assert resume(world.engine, world.index_dir) == ()


KILLED = """
import os, sys
from pathlib import Path
from haozhi import deleting
from store import deletions
from store.engine import make_engine
engine, left = make_engine(f"sqlite:///{sys.argv[1]}/haozhi.db"), int(sys.argv[2])
def dying(name, of):
    real = getattr(of, name)
    def call(*args, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), 9)
        return real(*args, **options)
    setattr(of, name, call)
for name in ("remove_some", "compact", "left_of", "finish"):
    dying(name, deletions)
dying("catch_up", deleting)
deleting.delete(engine, Path(sys.argv[1]) / "index", "author", ["A"], by="x", reason="y")
"""


def test_kill_leaves_a_deletion_that_the_next_one_finishes(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """Kill -9 before each step: texts that are left are hidden, and go with the next deletion."""
    world = make_world(sqlite_engine, tmp_path / "index")
    sqlite_engine.dispose()
    for step in range(1, 7):
        command = [sys.executable, "-c", KILLED, str(tmp_path), str(step)]
        process = subprocess.run(command, check=False, env={**os.environ}, capture_output=True)
        assert process.returncode == -9, process.stderr
        engine = make_engine(f"sqlite:///{tmp_path}/haozhi.db")
        with read(engine) as s:
            assert not visible_ids(s, [world.secret, world.geheim])
            assert len(list_deletions(s, unfinished=True)) == 1
        say(engine, f"more {step}", world.a, f"{step} more of it")  # something for the next
        engine.dispose()
    engine = make_engine(f"sqlite:///{tmp_path}/haozhi.db")
    done = delete(engine, world.index_dir, "author", ["A"], by="x", reason="y")
    assert done is not None
    with read(engine) as s:
        assert list_deletions(s, unfinished=True) == ()
    engine.dispose()
    assert_gone(world, world.secret, world.geheim)


def test_two_may_finish_the_same_deletion(world: World) -> None:
    """The second one changes neither the counts nor the time that the first one wrote."""
    found = world.delete("statement", world.secret)
    with write(world.engine) as s:
        count_removed(s, found.deletion.id, index=5)
        assert finish(s, found.deletion.id) == found.deletion


def test_what_is_left_in_the_files_is_said(world: World) -> None:
    """SQLite's file is written anew, unless that is left for later; PostgreSQL needs its VACUUM."""
    found = world.delete("statement", world.secret, compact=False)
    assert not found.compacted
    is_file = database_path(world.engine) is not None
    assert ("until the next deletion" if is_file else "VACUUM FULL") in found.bytes_left
    assert world.delete("statement", world.geheim).compacted is is_file


def test_only_what_is_there_can_be_deleted(world: World) -> None:
    """An unknown or ambiguous name, nobody who acts and no reason change nothing."""
    with write(world.engine) as s:
        add_author(s, "A", "elsewhere")

    def attempt(kind: Kind, names: list[str], by: str = "x", reason: str = "y") -> None:
        delete(world.engine, world.index_dir, kind, names, by=by, reason=reason)

    attempts: list[tuple[Kind, str, type[Exception]]] = [
        ("statement", "999", NotFound),
        ("statement", "x", UsageError),
        ("work", "nope", NotFound),
        ("author", "A", Ambiguous),
    ]
    for kind, name, error in attempts:
        with pytest.raises(error):
            attempt(kind, [name])
    for by, reason in ((" ", "y"), ("x", " ")):
        with pytest.raises(BadInput):
            attempt("statement", [str(world.secret)], by, reason)
    with read(world.engine) as s:
        assert list_deletions(s) == ()


def test_everything_with_words_is_searched() -> None:
    """A table that is new is searched for what was deleted, unless it is known to have no words."""
    assert Base.metadata.tables.keys() >= _WITHOUT_WORDS
    worded = {"statements", "work_texts", "answers", "jobs", "works", "occurrences"}
    assert not worded & _WITHOUT_WORDS


def test_the_command_asks_first_and_says_what_went(
    sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal it needs --yes; --dry-run changes nothing; the result is counts."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    world = make_world(sqlite_engine, tmp_path / "index")
    command = ["delete", "statement", str(world.secret), "--by", "root", "--reason", "asked"]
    run = CliRunner()
    refused = run.invoke(cli, command)
    assert isinstance(refused.exception, UsageError)
    assert "statements that go: 1" in refused.stderr
    planned = run.invoke(cli, [*command, "--dry-run", "--json"])
    assert json.loads(planned.stdout)["plan"]["statements"] == 1
    with read(sqlite_engine) as s:
        assert list_deletions(s) == ()
    done = run.invoke(cli, [*command, "--yes", "--json"])
    assert done.exit_code == 0
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["deletion"]["removed"]["vectors"] == 1
    assert SECRET not in line
    listed = run.invoke(cli, ["delete", "list"])
    assert listed.stdout == f"1  statement {world.secret}, by root: asked\n"
    again = run.invoke(cli, [*command, "--yes"])
    assert (again.exit_code, again.stdout) == (
        0,
        f"statement {world.secret}: there is nothing to delete\n",
    )
