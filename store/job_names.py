"""Names of people in what jobs keep: options to go on with, reasons, notes, errors."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store.schema import JobFileRow, JobRow

BLANKED = "(it named an author who was erased)"

Names = Callable[[str | None], bool]
"""Whether a text has one of the names."""


def blank_jobs(s: Session, names: Names) -> int:
    """Take names out of jobs; returns out of how many.

    One that would go on with a name as an option has no options after that, and cannot be resumed:
    the name would make a new author.
    """
    count = 0
    for job in s.scalars(select(JobRow)):
        options = job.payload.get("options", {})
        is_optional = any(isinstance(each, str) and names(each) for each in options.values())
        if is_optional:
            job.payload = {name: each for name, each in job.payload.items() if name != "options"}
        if is_error := names(job.error):
            job.error = BLANKED
        count += is_optional or is_error
    s.flush()
    return count


def blank_job_files(s: Session, names: Names) -> int:
    """Blank every reason and note with a name in it; returns in how many files of jobs."""
    key = JobFileRow.job_id, JobFileRow.path
    told = select(*key, JobFileRow.result).where(JobFileRow.state != "done")
    changed = [
        {"job_id": job_id, "path": path, "result": blanked}
        for job_id, path, result in s.execute(told)
        if (blanked := _blanked(result, names)) != result
    ]
    if changed:
        s.execute(update(JobFileRow), changed)
    return len(changed)


def _blanked(result: dict[str, Any], names: Names) -> dict[str, Any]:
    rejected = [
        each | {"reason": BLANKED} if names(each["reason"]) else each
        for each in result.get("rejected", ())
    ]
    notes = [BLANKED if names(note) else note for note in result.get("notes", ())]
    new = {"rejected": rejected, "notes": notes}
    return result | {name: value for name, value in new.items() if name in result}
