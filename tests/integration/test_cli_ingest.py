"""`haozhi ingest`: what goes in, what is rejected with its reason, and what a failure leaves."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import store.engine
from haozhi import cli
from ingest.archives import SIDECAR_ALONE
from ingest.planning import DELETED
from store.errors import IndexMissing, StoreBusy, StoreReadOnly, UsageError


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder that the settings name."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def _ingest(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["ingest", *arguments])


def test_a_broken_line_is_named_and_the_rest_goes_in(tmp_path: Path) -> None:
    """The good records of a file with a bad one are stored; the exit code is 4."""
    path = tmp_path / "said.jsonl"
    path.write_text('{"text": "A sentence."}\nnothing\n{"text": "句子。"}\n', "utf-8")
    done = _ingest("--json", str(path))
    result = json.loads(done.stdout)
    assert (done.exit_code, result["works"], result["statements"]) == (4, 1, 2)
    assert [(row["path"], row["line"]) for row in result["rejected"]] == [(str(path), 2)]
    assert f"rejected {path}:2: " in done.stderr


@pytest.mark.parametrize("content", [None, b"\x89PNG\r\n\x1a\n\x00\x00\x00"])
def test_a_file_that_cannot_be_read_is_rejected(tmp_path: Path, content: bytes | None) -> None:
    """No such file, and one in no encoding: one line on stderr, exit code 4, nothing stored."""
    path = tmp_path / "said.txt"
    if content:
        path.write_bytes(content)
    done = _ingest(str(path))
    assert done.exit_code == 4
    assert done.stderr.startswith(f"rejected {path}: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == "0 works, 0 new statements, 0 duplicates\n"


def test_what_is_not_used_of_a_file_is_said(tmp_path: Path) -> None:
    """A licence that is none does not keep a file out, and is told on stderr and in JSON."""
    (path := tmp_path / "a.md").write_text("---\nlicence: 随便用\n---\n猫叫团子。\n", "utf-8")
    (plain := tmp_path / "b.txt").write_text("A sentence.", "utf-8")
    done = _ingest("--json", str(path), str(plain))
    (note,) = json.loads(done.stdout)["notes"]
    assert (done.exit_code, note["path"]) == (0, str(path))
    assert "随便用" in note["note"]
    assert done.stderr == f"{note['path']}: {note['note']}\n"


def test_a_sidecar_alone_is_no_text(tmp_path: Path) -> None:
    """Without its file, or in an archive, it is rejected; beside its file it is never content."""
    (folder := tmp_path / "in").mkdir()
    (folder / "there.txt").write_text("猫叫团子。", "utf-8")
    for name in ("there.meta.yaml", "gone.txt.meta.yaml"):
        (folder / name).write_text("author: 张三\n", "utf-8")
    with zipfile.ZipFile(folder / "packed.zip", "w") as packed:
        packed.writestr("in.txt", "A sentence.")
        packed.writestr("in.meta.json", '{"author": "B"}')
    done = _ingest("--json", *map(str, sorted(folder.iterdir())))
    result = json.loads(done.stdout)
    assert (done.exit_code, result["works"], result["statements"]) == (4, 2, 2)
    rejected = {row["path"]: row["reason"] for row in result["rejected"]}
    names = ("gone.txt.meta.yaml", "packed.zip/in.meta.json")
    assert rejected == {str(folder / name): SIDECAR_ALONE for name in names}
    assert len(done.stderr.splitlines()) == 2
    planned = json.loads(_ingest("--json", "--dry-run", str(folder)).stdout)
    assert planned["files"] == {"unchanged": 2, "rejected": 2}


def test_a_blank_title_is_a_wrong_command(tmp_path: Path) -> None:
    """An unset variable is not taken for a title, and nothing is stored."""
    path = tmp_path / "said.txt"
    path.write_text("A sentence.", "utf-8")
    for title in ("", " "):
        error = _ingest("--title", title, str(path)).exception
        assert isinstance(error, UsageError)
        assert "the title is blank" in str(error)
    assert _ingest(str(path)).stdout == "1 work, 1 new statement, 0 duplicates\n"


def test_the_same_again_is_nothing_to_do(tmp_path: Path) -> None:
    """A second run changes nothing, and says so."""
    path = tmp_path / "said.txt"
    path.write_text("A sentence.", "utf-8")
    assert _ingest(str(path)).stdout == "1 work, 1 new statement, 0 duplicates\n"
    again = _ingest(str(path))
    assert (again.exit_code, again.stdout) == (0, "nothing to do, all of it is stored already\n")


def test_a_file_whose_work_was_deleted_says_so(tmp_path: Path) -> None:
    """The same bytes do not come back, which is not the same as being stored."""
    path = tmp_path / "团子.txt"
    path.write_text("猫叫团子。", "utf-8")
    _ingest(str(path))
    planned = json.loads(_ingest("--json", "--dry-run", str(path)).stdout)
    work_id = planned["plan"][0]["work_id"]
    gone = ["delete", "work", work_id, "--by", "x", "--reason", "asked", "--yes"]
    deleted = CliRunner().invoke(cli.app, gone)
    assert deleted.exit_code == 0, deleted.output
    again = _ingest(str(path))
    assert (again.exit_code, again.stdout) == (0, "nothing to do\n")
    assert again.stderr == f"skipped {path}: {DELETED}\n"
    assert f"deleted, was {work_id}" in _ingest("--dry-run", str(path)).stdout
    planned = json.loads(_ingest("--json", "--dry-run", str(path)).stdout)
    assert planned["files"] == {"deleted": 1}


def test_a_second_writer_ends_with_6(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes, a command says so and stores nothing."""
    path = tmp_path / "said.txt"
    path.write_text("A sentence.", "utf-8")
    _ingest(str(path))
    path.write_text("Another sentence.", "utf-8")
    monkeypatch.setattr(store.engine, "BUSY_TIMEOUT_S", 0)
    monkeypatch.setattr(store.engine, "_PRAGMAS", ())
    with closing(sqlite3.connect(data_dir / "haozhi.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = _ingest(str(path))
        assert isinstance(done.exception, StoreBusy), done.output
        assert (done.exception.exit_code, done.stdout) == (6, "")
        other.execute("ROLLBACK")
        assert other.execute("SELECT count(*) FROM works").fetchone() == (1,)


def test_an_index_of_another_embedder_is_told_before_anything_is_stored(
    tmp_path: Path, data_dir: Path
) -> None:
    """Ingesting and resuming end with 5 and the way out, nothing stored; a dry run needs no index.

    After `index rebuild` the same files go in.
    """
    path = tmp_path / "said.txt"
    path.write_text("A sentence.", "utf-8")
    _ingest(str(path))
    manifest = data_dir / "index" / "manifest.json"
    other = json.loads(manifest.read_text("utf-8")) | {"fingerprint": "another"}
    manifest.write_text(json.dumps(other), "utf-8")
    path.write_text("我家猫叫团子。", "utf-8")
    before = _counts(data_dir)
    for command in (["ingest", str(path)], ["jobs", "resume", "j0"]):
        done = CliRunner().invoke(cli.app, command)
        assert isinstance(done.exception, IndexMissing), done.output
        assert (done.exception.exit_code, done.stdout) == (5, "")
        assert "haozhi index rebuild" in str(done.exception)
        assert "\n" not in str(done.exception)
    assert _counts(data_dir) == before
    assert _ingest("--dry-run", str(path)).exit_code == 0
    assert CliRunner().invoke(cli.app, ["index", "rebuild"]).exit_code == 0
    assert _ingest(str(path)).exit_code == 0


def _counts(data_dir: Path) -> list[int]:
    """How many works, statements and jobs there are."""
    with closing(sqlite3.connect(data_dir / "haozhi.db")) as stored:
        tables = ("works", "statements", "jobs")
        return [stored.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables]


def test_a_data_folder_that_cannot_be_made_ends_with_6(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data folder below a file is one line, from every command."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "file" / "data"))
    for command in (["ask", "x"], ["who", "x"], ["ingest", "x"], ["answers", "list"]):
        done = CliRunner().invoke(cli.app, command)
        assert isinstance(done.exception, StoreReadOnly), done.output
        assert (done.exception.exit_code, done.stdout) == (6, "")


def test_an_author_given_too_late_is_said_to_be_ignored(tmp_path: Path) -> None:
    """Text that is stored keeps its author; a forgotten --author is not dropped without a word."""
    path = tmp_path / "said.txt"
    path.write_text("A sentence.", "utf-8")
    _ingest(str(path))
    late = _ingest(str(path), "--author", "Marta")
    assert late.exit_code == 0
    assert "keeps its author" in late.stderr


@pytest.mark.parametrize("arguments", [("",), ("--namespace", " ", "said.txt")])
def test_an_empty_argument_is_a_usage_error(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`"$UNSET"` must not ingest the current folder, nor make a namespace without a name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "said.txt").write_text("A sentence.", "utf-8")
    done = _ingest(*arguments)
    assert done.exit_code == 2 or isinstance(done.exception, UsageError)
    assert "works" not in done.stdout
