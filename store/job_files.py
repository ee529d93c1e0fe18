"""The files of a job of ingestion, and which job is storing a work right now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.jobs import is_held
from store.schema import JobFileRow, JobRow

RUNNING = ("parsing", "embedding", "indexing")
FINAL = ("done", "done-with-warnings", "skipped-duplicate")


@dataclass(frozen=True)
class JobFile:
    """A file of a job.

    `state` is queued, parsing, embedding, indexing, done, done-with-warnings, skipped-duplicate,
    no-text, failed, cancelled or interrupted; `work_id` is the work that it became or that has its
    bytes; `result` has counts, what was rejected, pages without text and notes.
    """

    path: str
    state: str
    work_id: str | None
    result: dict[str, Any]


def put_file(
    s: Session,
    job_id: str,
    path: str,
    state: str,
    *,
    work_id: str | None = None,
    result: Mapping[str, Any] | None = None,
) -> None:
    """Say in which state a file of a job is; a work and a result said before stay."""
    row = s.get(JobFileRow, (job_id, path))
    if row is None:
        row = JobFileRow(job_id=job_id, path=path, work_id=None, result={})
        s.add(row)
    row.state, row.updated_us = state, now_us()
    row.work_id = work_id or row.work_id
    row.result = row.result if result is None else dict(result)
    s.flush()


def find_state(s: Session, job_id: str, path: str) -> str | None:
    """The state of a file of a job, None when the job has not met it."""
    row = s.get(JobFileRow, (job_id, path))
    return None if row is None else row.state


def end_files(s: Session, job_id: str) -> None:
    """The job has ended: a file that it was at is cancelled."""
    began = JobFileRow.state.in_(("queued", *RUNNING))
    ended = update(JobFileRow).where(JobFileRow.job_id == job_id, began)
    s.execute(ended.values(state="cancelled", updated_us=now_us()))


def list_files(s: Session, job_id: str) -> tuple[JobFile, ...]:
    """The files of a job, by path; one that its dead job was at is interrupted."""
    job = s.get(JobRow, job_id)
    held = job is not None and is_held(job)
    rows = s.scalars(
        select(JobFileRow).where(JobFileRow.job_id == job_id).order_by(JobFileRow.path)
    )
    return tuple(
        JobFile(
            row.path,
            "interrupted" if row.state in RUNNING and not held else row.state,
            row.work_id,
            row.result,
        )
        for row in rows
    )


def held_by_another(s: Session, work_id: str, job_id: str) -> str | None:
    """The id of a job other than this that is storing the work now, or None."""
    rows = s.scalars(
        select(JobRow)
        .join(JobFileRow, JobFileRow.job_id == JobRow.id)
        .where(JobFileRow.work_id == work_id, JobFileRow.state.in_(RUNNING))
        .where(JobRow.id != job_id, JobRow.state == "running")
    )
    return next((row.id for row in rows if is_held(row)), None)
