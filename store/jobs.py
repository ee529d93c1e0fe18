"""Long work as rows: claimed under a lease, kept alive by a heartbeat, taken over when it dies."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import StoreBusy
from store.schema import JobRow


@dataclass(frozen=True)
class Job:
    """A piece of long work; `state` is queued, running, done or failed."""

    id: str
    kind: str
    key: str
    state: str
    payload: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None
    attempts: int


def add_job(s: Session, kind: str, key: str, payload: dict[str, Any]) -> Job:
    """The job with this natural key, queued now unless it is there already."""
    row = s.scalar(select(JobRow).where(JobRow.key == key))
    if row is None:
        now = now_us()
        job_id = f"j{secrets.token_hex(8)}"
        row = JobRow(id=job_id, kind=kind, key=key, state="queued", payload=payload, attempts=0)
        row.created_us = row.updated_us = now
        s.add(row)
        s.flush()
    return _job(row)


def claim_job(s: Session, kind: str, owner: str, lease_us: int) -> Job | None:
    """The oldest job that waits, or that runs although its lease is over; it is now `owner`'s."""
    now = now_us()
    abandoned = and_(JobRow.state == "running", JobRow.lease_until_us < now)
    row = s.scalar(
        select(JobRow)
        .where(JobRow.kind == kind, or_(JobRow.state == "queued", abandoned))
        .order_by(JobRow.created_us, JobRow.id)
        .limit(1)
    )
    if row is None:
        return None
    row.state, row.lease_owner, row.attempts = "running", owner, row.attempts + 1
    _extend(row, now, lease_us)
    s.flush()
    return _job(row)


def heartbeat(s: Session, job_id: str, owner: str, lease_us: int) -> None:
    """Extend the lease; raises StoreBusy when another owner has taken the job over."""
    _extend(_owned(s, job_id, owner), now_us(), lease_us)
    s.flush()


def finish_job(
    s: Session,
    job_id: str,
    owner: str,
    *,
    result: dict[str, Any] | None = None,
    error: str | None = None,
) -> None:
    """Done with a result, or failed with an error; raises StoreBusy when it is another owner's."""
    row = _owned(s, job_id, owner)
    row.state = "done" if error is None else "failed"
    row.result, row.error, row.updated_us = result, error, now_us()
    row.lease_owner = row.lease_until_us = None
    s.flush()


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
        state=row.state,
        payload=row.payload,
        result=row.result,
        error=row.error,
        attempts=row.attempts,
    )
