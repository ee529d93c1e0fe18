"""Runs of ingestion are jobs: killed, cancelled, resumed, and never two at one file."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, text
from typer.testing import CliRunner

import ingest.holding
import store.jobs
from haozhi import cli
from ingest.holding import begin
from ingest.pipeline import IngestReport, resume
from ingest.pipeline import ingest as ingest_files
from store.clock import now_us
from store.engine import make_engine, read, write
from store.errors import BadInput, Cancelled, NotFound, StoreBusy
from store.job_files import list_files
from store.jobs import add_job, cancel_job, get_job, list_jobs
from store.works import find_work
from tests.ingesting import SmallE5, everything

E5 = SmallE5()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files in two languages and encodings, more statements than a batch, and broken ones."""
    made = tmp_path / "语料"
    made.mkdir()
    (made / "a.txt").write_text("\n".join(f"Number {i} stands here." for i in range(90)), "utf-8")
    (made / "b.txt").write_bytes("天很蓝。海很深。\n猫叫团子。".encode("gb18030"))
    (made / "c.jsonl").write_text('{"text": "ok"}\nbroken\n', "utf-8")
    (made / "d.txt").write_text("\n", "utf-8")
    (made / "e.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return made


def _last_job(engine: Engine) -> store.jobs.Job:
    with read(engine) as s:
        return list_jobs(s, "ingest", 1)[0]


def _states(engine: Engine, job_id: str) -> dict[str, str]:
    with read(engine) as s:
        return {Path(file.path).name: file.state for file in list_files(s, job_id)}


def test_each_file_of_a_job_has_its_state(engine: Engine, folder: Path) -> None:
    """The job keeps of every file what became of it, and in which work its bytes are."""
    (folder / "b2.txt").write_bytes((folder / "b.txt").read_bytes())
    report = ingest_files([folder], engine=engine, embedder=E5)
    job = _last_job(engine)
    assert (job.id, job.state) == (report.job_id, "done-with-warnings")
    assert _states(engine, job.id) == {
        "a.txt": "done",
        "b.txt": "done",
        "b2.txt": "skipped-duplicate",
        "c.jsonl": "done-with-warnings",
        "d.txt": "no-text",
        "e.png": "failed",
    }
    with read(engine) as s:
        files = {Path(file.path).name: file for file in list_files(s, job.id)}
    assert files["b2.txt"].work_id == files["b.txt"].work_id == report.skipped[0].work_id
    assert files["c.jsonl"].result["rejected"][0]["line"] == 2
    assert job.payload == {"paths": [str(folder)]}
    assert job.result is not None
    assert job.result["statements"]["new"] == report.statements == 94


def test_a_cancelled_job_ends_at_its_next_batch_and_can_be_resumed(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed stays, the job says cancelled, and resuming stores the rest."""
    monkeypatch.setattr(ingest.holding, "BEAT_S", 0.0)

    def cancel(*_: object) -> None:
        with write(engine) as s:
            cancel_job(s, list_jobs(s, "ingest", 1)[0].id)

    with pytest.raises(Cancelled, match="what was stored stays"):
        ingest_files([folder], engine=engine, embedder=E5, on_batch=cancel)
    job = _last_job(engine)
    assert (job.state, _states(engine, job.id)) == ("cancelled", {"a.txt": "cancelled"})
    assert len(everything(engine)["statements"]) == 64
    report = resume(job.id, engine=engine, embedder=E5)
    assert (report.job_id, report.works, report.statements) == (job.id, 3, 30)
    again = _last_job(engine)
    assert (again.id, again.state, again.attempts) == (job.id, "done-with-warnings", 2)
    with pytest.raises(BadInput, match="nothing left to do"):
        resume(job.id, engine=engine, embedder=E5)


def test_what_a_job_did_before_stays_said_when_it_is_resumed(engine: Engine, folder: Path) -> None:
    """A resumed job does not call the files duplicates that it stored itself."""

    class Failing(SmallE5):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if "ok" in texts:
                raise KeyboardInterrupt
            return super().passages(texts)

    with pytest.raises(KeyboardInterrupt):
        ingest_files([folder], engine=engine, embedder=Failing())
    job = _last_job(engine)
    assert job.state == "interrupted"
    assert _states(engine, job.id)["c.jsonl"] == "interrupted"
    resume(job.id, engine=engine, embedder=E5)
    states = _states(engine, job.id)
    assert (states["a.txt"], states["c.jsonl"]) == ("done", "done-with-warnings")


def test_a_job_is_not_ended_or_taken_twice(engine: Engine) -> None:
    """A job that runs cannot be resumed, one that waits is cancelled at once, none is made up."""
    held = begin(engine, {"paths": [], "options": {}})
    with pytest.raises(StoreBusy, match="is running"):
        resume(held.id, engine=engine, embedder=E5)
    with write(engine) as s:
        assert cancel_job(s, held.id).cancelling
        waiting = add_job(s, "ingest", None, {})
        assert cancel_job(s, waiting.id).state == "cancelled"
        with pytest.raises(BadInput, match="has ended already"):
            cancel_job(s, waiting.id)
        with pytest.raises(NotFound):
            cancel_job(s, "j0")


def test_a_job_whose_process_died_is_interrupted(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows at once on the same machine, elsewhere when the lease is over."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    for owner in (f"{os.uname().nodename}:{process.pid}:x", "elsewhere:1:x"):
        with write(engine) as s:
            job = add_job(s, "ingest", None, {})
            store.jobs.take_job(s, job.id, owner, 1_000_000)
            elsewhere = owner.startswith("elsewhere")
            assert get_job(s, job.id).state == ("running" if elsewhere else "interrupted")
            now = now_us() + 2_000_000
            with monkeypatch.context() as patch:
                patch.setattr(store.jobs, "now_us", lambda now=now: now)
                assert get_job(s, job.id).state == "interrupted"


def _run_alone(database: Path, path: Path, kill_before: int = 0) -> "subprocess.Popen[bytes]":
    url = f"sqlite:///{database}"
    command = [sys.executable, "-m", "tests.ingesting", url, str(path), str(kill_before)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def test_a_killed_job_is_resumed_to_the_same_rows(
    migrated_file: Path, sqlite_engine: Engine, folder: Path, tmp_path: Path
) -> None:
    """After kill -9 in the middle, of a first version and of a next one, the rows are as if it had
    never happened.
    """
    clean = make_engine(f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'clean.db')}")
    for version in range(2):
        with (folder / "a.txt").open("a") as file:
            file.write("\n".join(f"\nVersion {version} says {i}." for i in range(70)))
        ingest_files([folder], engine=clean, embedder=E5)
        assert _run_alone(tmp_path / "haozhi.db", folder, 60).wait() == -signal.SIGKILL
        job = _last_job(sqlite_engine)
        assert job.state == "interrupted"
        resume(job.id, engine=sqlite_engine, embedder=E5)
        assert _last_job(sqlite_engine).state == "done-with-warnings"
        assert everything(sqlite_engine) == everything(clean)
    clean.dispose()


def test_the_same_file_at_the_same_moment_is_one_work(
    sqlite_engine: Engine, folder: Path, tmp_path: Path
) -> None:
    """Of two processes one stores it, the other is told which work it becomes."""
    path = folder / "a.txt"
    path.write_text("\n".join(f"Number {i} stands here." for i in range(400)), "utf-8")
    runs = [_run_alone(tmp_path / "haozhi.db", path) for _ in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    with read(sqlite_engine) as s:
        jobs = list_jobs(s, "ingest", 5)
        files = [list_files(s, job.id)[0] for job in jobs]
        assert s.scalar(text("SELECT count(*) FROM works WHERE state = 'ready'")) == 1
    assert sorted(file.state for file in files) == ["done", "skipped-duplicate"]
    assert len({file.work_id for file in files}) == 1


def test_a_second_upload_is_told_the_work_that_is_being_stored(
    engine: Engine, folder: Path
) -> None:
    """While a job is at a file, another run neither stores its bytes nor waits."""
    told: list[IngestReport] = []

    def at_once(*_: object) -> None:
        if not told:
            told.append(ingest_files([folder / "a.txt"], engine=engine, embedder=E5))

    ingest_files([folder / "a.txt"], engine=engine, embedder=E5, on_batch=at_once)
    (skipped,) = told[0].skipped
    with read(engine) as s:
        (file,) = list_files(s, told[0].job_id)
        digest = s.scalar(text("SELECT byte_hash FROM works"))
        work = find_work(s, "public", digest)
    assert work is not None
    assert (told[0].works, skipped.work_id, file.work_id) == (0, work.id, work.id)
    assert "is storing it now" in file.result["notes"][0] == skipped.note


def test_the_commands_show_a_job_to_its_end(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plan, run, list, show: each is one line of JSON, and the plan writes nothing."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "data"))

    def call(*arguments: str) -> dict[str, object]:
        done = CliRunner().invoke(cli.app, [*arguments, "--json"])
        assert len(done.stdout.splitlines()) == 1, done.output
        found: dict[str, object] = json.loads(done.stdout)
        return found

    planned = call("ingest", "--dry-run", str(folder))
    assert not (tmp_path / "data").exists()
    assert planned["files"] == {"new": 3, "rejected": 2}
    assert planned["statements"] == {"new": 94, "duplicate": 0, "unchanged": 0, "removed": 0}
    rows = {Path(row["path"]).name: row for row in planned["plan"]}  # type: ignore[attr-defined]
    assert rows["b.txt"]["encoding"] == "gb18030"
    done = call("ingest", str(folder), "--author", "张三")
    assert done["statements"] == 94
    listed = call("jobs", "list")["jobs"]
    assert [job["id"] for job in listed] == [done["job_id"]]  # type: ignore[attr-defined]
    shown = call("jobs", "show", str(done["job_id"]))
    assert len(shown["files"]) == 5  # type: ignore[arg-type]
    people = CliRunner().invoke(cli.app, ["ingest", "--dry-run", str(folder)])
    assert "unchanged" in people.stdout
    assert CliRunner().invoke(cli.app, ["jobs", "show", "j0"]).exit_code == 1  # raises NotFound
