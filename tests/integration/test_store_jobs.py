"""Long work survives the process that does it."""

import pytest
from sqlalchemy import Engine

import store.jobs
from store.engine import write
from store.errors import BadInput, StoreBusy
from store.jobs import add_job, finish_job, get_job, heartbeat, take_job

HOUR_US = 3_600_000_000


def test_job_is_added_once(engine: Engine) -> None:
    """The same natural key gives the same job, whatever its payload."""
    with write(engine) as s:
        first = add_job(s, "ingest", "k", {"path": "a"})
        assert add_job(s, "ingest", "k", {"path": "b"}) == first


def test_job_is_held_by_one_owner(engine: Engine) -> None:
    """Two workers never hold one job."""
    with write(engine) as s:
        job = add_job(s, "ingest", "k", {})
        assert take_job(s, job.id, "me", HOUR_US).state == "running"
        with pytest.raises(StoreBusy, match="is running"):
            take_job(s, job.id, "you", HOUR_US)


def test_abandoned_job_is_taken_over(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the lease another worker continues; the first one learns it at its next step."""
    now = 1_000
    monkeypatch.setattr(store.jobs, "now_us", lambda: now)
    with write(engine) as s:
        job = add_job(s, "ingest", "k", {})
        take_job(s, job.id, "dead", HOUR_US)
        heartbeat(s, job.id, "dead", 2 * HOUR_US)
        now += HOUR_US + 1
        with pytest.raises(StoreBusy, match="is running"):
            take_job(s, job.id, "me", HOUR_US)
        now += HOUR_US
        assert take_job(s, job.id, "me", HOUR_US).attempts == 2
        with pytest.raises(StoreBusy, match="not held by dead"):
            heartbeat(s, job.id, "dead", HOUR_US)
        with pytest.raises(StoreBusy, match="not held by dead"):
            finish_job(s, job.id, "dead", state="done")


def test_done_job_is_not_taken_again(engine: Engine) -> None:
    """A job ends with its result; one that failed can be gone on with, one that is done cannot."""
    with write(engine) as s:
        done, failed = (add_job(s, "ingest", key, {}) for key in "ab")
        for job, state in ((done, "done"), (failed, "failed")):
            take_job(s, job.id, "me", HOUR_US)
            finish_job(s, job.id, "me", state=state, result={"works": 1})
            found = get_job(s, job.id)
            assert (found.state, found.result) == (state, {"works": 1})
        with pytest.raises(BadInput, match="nothing left to do"):
            take_job(s, done.id, "me", HOUR_US)
        assert take_job(s, failed.id, "me", HOUR_US).state == "running"
