"""Long work survives the process that does it."""

import pytest
from sqlalchemy import Engine

import store.jobs
from store.engine import write
from store.errors import StoreBusy
from store.jobs import add_job, claim_job, finish_job, heartbeat

HOUR_US = 3_600_000_000


def test_job_is_added_once(engine: Engine) -> None:
    """The same natural key gives the same job, whatever its payload."""
    with write(engine) as s:
        first = add_job(s, "ingest", "k", {"path": "a"})
        assert add_job(s, "ingest", "k", {"path": "b"}) == first


def test_job_is_claimed_by_one_owner_oldest_first(engine: Engine) -> None:
    """Two workers never hold one job; each kind has its own queue."""
    with write(engine) as s:
        jobs = [add_job(s, "ingest", key, {}) for key in "ab"]
        assert claim_job(s, "other", "me", HOUR_US) is None
        claimed = [claim_job(s, "ingest", owner, HOUR_US) for owner in ("me", "you", "she")]
    assert {job.id for job in claimed if job} == {job.id for job in jobs}
    assert claimed[2] is None


def test_abandoned_job_is_taken_over(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the lease another worker continues; the first one learns it at its next step."""
    now = 1_000
    monkeypatch.setattr(store.jobs, "now_us", lambda: now)
    with write(engine) as s:
        job = add_job(s, "ingest", "k", {})
        claim_job(s, "ingest", "dead", HOUR_US)
        heartbeat(s, job.id, "dead", 2 * HOUR_US)
        now += HOUR_US + 1
        assert claim_job(s, "ingest", "me", HOUR_US) is None
        now += HOUR_US
        taken = claim_job(s, "ingest", "me", HOUR_US)
        assert taken is not None
        assert taken.attempts == 2
        with pytest.raises(StoreBusy, match="not held by dead"):
            heartbeat(s, job.id, "dead", HOUR_US)
        with pytest.raises(StoreBusy, match="not held by dead"):
            finish_job(s, job.id, "dead")


def test_finished_job_is_not_claimed_again(engine: Engine) -> None:
    """A job ends as done with its result or as failed with its error."""
    with write(engine) as s:
        done, failed = (add_job(s, "ingest", key, {}) for key in "ab")
        for _ in range(2):
            claim_job(s, "ingest", "me", HOUR_US)
        finish_job(s, done.id, "me", result={"works": 1})
        finish_job(s, failed.id, "me", error="no such file")
        assert claim_job(s, "ingest", "me", HOUR_US) is None
        found = [add_job(s, "ingest", key, {}) for key in "ab"]
    assert [(job.state, job.result, job.error) for job in found] == [
        ("done", {"works": 1}, None),
        ("failed", None, "no such file"),
    ]
