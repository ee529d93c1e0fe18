"""Long work as rows: claimed under a lease, kept alive by a heartbeat, taken over when it dies."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import BadInput, NotFound, StoreBusy
from store.job_owners import has_ended
from store.schema import JobRow

ENDED = ("done", "done-with-warnings", "failed", "cancelled")


@dataclass(frozen=True)
class Job:
    """A piece of long work.

    `state` is queued, running, interrupted (nobody works on it any more), done,
    done-with-warnings, failed or cancelled. `cancelling`: somebody asked for its end.
    """

    id: str
    kind: str
    key: str
    state: str
    payload: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None
    attempts: int
    created_us: int
    updated_us: int
    cancelling: bool


def add_job(s: Session, kind: str, key: str | None, payload: dict[str, Any]) -> Job:
    """The job with this natural key, queued now unless it is there already; None: a new one."""
    row = s.scalar(select(JobRow).where(JobRow.key == key))
    if row is None:
        now = now_us()
        job_id = f"j{secrets.token_hex(8)}"
        row = JobRow(id=job_id, kind=kind, key=key or job_id, state="queued", payload=payload)
        row.created_us = row.updated_us = now
        row.attempts = 0
        s.add(row)
        s.flush()
    return _job(row)


def get_job(s: Session, job_id: str) -> Job:
    """The job; raises NotFound."""
    return _job(_get(s, job_id))


def list_jobs(s: Session, kind: str, limit: int) -> tuple[Job, ...]:
    """The newest jobs of a kind, newest first."""
    newest = select(JobRow).where(JobRow.kind == kind)
    rows = s.scalars(newest.order_by(JobRow.created_us.desc(), JobRow.id.desc()).limit(limit))
    return tuple(map(_job, rows))


def take_job(s: Session, job_id: str, owner: str, lease_us: int) -> Job:
    """Claim this job to start it or to go on with it.

    NotFound; BadInput: it has ended as it should; StoreBusy: somebody is working on it.
    """
    row = _get(s, job_id)
    if row.state in ("done", "done-with-warnings"):
        raise BadInput(f"job {job_id} is {row.state}: there is nothing left to do")
    if is_held(row):
        raise StoreBusy(f"job {job_id} is running: wait for it or cancel it")
    return _claim(s, row, owner, lease_us)


def heartbeat(s: Session, job_id: str, owner: str, lease_us: int) -> bool:
    """Extend the lease; returns whether the job is to go on (False: somebody asked for its end).

    Raises StoreBusy when another owner has taken the job over.
    """
    row = _owned(s, job_id, owner)
    _extend(row, now_us(), lease_us)
    s.flush()
    return row.cancel_us is None


def cancel_job(s: Session, job_id: str) -> Job:
    """End a job: at once when nobody works on it, else at its next step.

    What it stored stays. NotFound; BadInput: it has ended.
    """
    row = _get(s, job_id)
    if row.state in ENDED:
        raise BadInput(f"job {job_id} has ended already: it is {row.state}")
    row.cancel_us = row.cancel_us or now_us()
    if not is_held(row):
        row.state, row.updated_us = "cancelled", row.cancel_us
    s.flush()
    return _job(row)


def finish_job(
    s: Session,
    job_id: str,
    owner: str,
    *,
    state: str,
    result: dict[str, Any] | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Ended in a state of ENDED with a result, and what of its payload is still of use.

    Raises StoreBusy when it is another owner's.
    """
    row = _owned(s, job_id, owner)
    row.state, row.result, row.updated_us = state, result, now_us()
    row.payload = row.payload if payload is None else payload
    row.lease_owner = row.lease_until_us = None
    s.flush()


def release_job(s: Session, job_id: str, owner: str, error: str) -> None:
    """Let go of a job that cannot go on now; it is interrupted, and can be taken again."""
    row = _owned(s, job_id, owner)
    row.error, row.lease_owner, row.lease_until_us, row.updated_us = error, None, 0, now_us()
    s.flush()


def is_held(row: JobRow) -> bool:
    """Whether somebody is working on it: its lease is not over, nor has its process ended."""
    if row.state != "running" or (row.lease_until_us or 0) < now_us():
        return False
    return not has_ended(row.lease_owner or "")


def _claim(s: Session, row: JobRow, owner: str, lease_us: int) -> Job:
    row.state, row.lease_owner, row.attempts = "running", owner, row.attempts + 1
    row.cancel_us = row.error = None
    _extend(row, now_us(), lease_us)
    s.flush()
    return _job(row)


def _get(s: Session, job_id: str) -> JobRow:
    row = s.get(JobRow, job_id)
    if row is None:
        raise NotFound(f"there is no job {job_id!r}")
    return row


def _owned(s: Session, job_id: str, owner: str) -> JobRow:
    row = s.get(JobRow, job_id)
    if row is None or row.state != "running" or row.lease_owner != owner:
        raise StoreBusy(f"job {job_id} is not held by {owner} any more: stop working on it")
    return row


def _extend(row: JobRow, now: int, lease_us: int) -> None:
    row.heartbeat_us = row.updated_us = now
    row.lease_until_us = now + lease_us


def _job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        key=row.key,
        state="interrupted" if row.state == "running" and not is_held(row) else row.state,
        payload=row.payload,
        result=row.result,
        error=row.error,
        attempts=row.attempts,
        created_us=row.created_us,
        updated_us=row.updated_us,
        cancelling=row.cancel_us is not None and row.state == "running",
    )
