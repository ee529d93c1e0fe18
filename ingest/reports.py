"""What a run did: counts for its caller, and a result for each file of its job."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest.documents import Rejected
from ingest.formats.ocr import LOW_CONFIDENCE
from ingest.planning import NO_STATEMENT
from ingest.plans import Counts, FilePlan
from store.job_files import JobFile

_MOST_REJECTED = 100
"""Lines of a file whose reasons its job keeps."""


@dataclass(frozen=True)
class Skipped:
    """A file whose bytes are a work; `note` says so when another job is storing it just now, or it
    was deleted.
    """

    path: str
    work_id: str
    note: str = ""


@dataclass(frozen=True)
class Remark:
    """Something that a person should look at in a file that went in."""

    path: str
    note: str


@dataclass(frozen=True)
class IngestReport:
    """What one run did.

    works: files that were stored to the end. statements: texts that the scope did not have yet.
    duplicates: further places where a text of the scope stands, plus files that were stored before.
    unchanged, removed: statements of earlier versions that stayed in changed files, or went.
    rejected: files, and lines of files that otherwise went in, each with the reason. skipped: the
    files among the duplicates. remarks: what of a file was not read, or not used.
    """

    works: int = 0
    statements: int = 0
    duplicates: int = 0
    rejected: tuple[Rejected, ...] = ()
    unchanged: int = 0
    removed: int = 0
    skipped: tuple[Skipped, ...] = field(default=(), compare=False)
    remarks: tuple[Remark, ...] = field(default=(), compare=False)
    job_id: str = field(default="", compare=False)

    def __add__(self, other: "IngestReport") -> "IngestReport":
        return IngestReport(
            works=self.works + other.works,
            statements=self.statements + other.statements,
            duplicates=self.duplicates + other.duplicates,
            rejected=self.rejected + other.rejected,
            unchanged=self.unchanged + other.unchanged,
            removed=self.removed + other.removed,
            skipped=self.skipped + other.skipped,
            remarks=self.remarks + other.remarks,
            job_id=self.job_id or other.job_id,
        )


def stored_report(plan: FilePlan, done: Counts) -> IngestReport:
    """The report of a file that was stored to the end."""
    changed = plan.action == "changed"
    return IngestReport(
        works=1,
        statements=done.new,
        duplicates=done.duplicate,
        rejected=plan.rejected,
        unchanged=done.unchanged if changed else 0,
        removed=done.removed,
        remarks=tuple(Remark(plan.path, note) for note in notes_of(file_result(plan, done))),
    )


def skipped_report(path: str, work_id: str, note: str) -> IngestReport:
    """The report of a file whose bytes are a work already, or become one."""
    return IngestReport(duplicates=1, skipped=(Skipped(path, work_id, note),))


def file_result(plan: FilePlan, done: Counts) -> dict[str, Any]:
    """What a job keeps of a file: what was done and what a person should look at."""
    document = plan.document
    rejected = [{"line": r.line, "reason": r.reason} for r in plan.rejected[:_MOST_REJECTED]]
    result = {
        "action": plan.action,
        "statements": vars(done),
        "rejected_count": len(plan.rejected),
        "rejected": rejected,
        "pages_without_text": list(document.pages_without_text) if document else [],
        "notes": list(document.notes) if document else [],
        "unsure": sum(
            p.confidence is not None and p.confidence < LOW_CONFIDENCE for p in plan.passages
        ),
    }
    return {name: value for name, value in result.items() if value or name == "action"}


def notes_of(result: Mapping[str, Any]) -> Iterator[str]:
    """What the result of a file says to a person, but for what was rejected."""
    if pages := result.get("pages_without_text"):
        yield f"no text on page {', '.join(map(str, pages))}"
    if unsure := result.get("unsure"):
        yield f"{unsure} statements were recognised with little confidence"
    yield from result.get("notes", ())


def file_state(plan: FilePlan) -> str:
    """The state that a file ends in which is stored, or cannot be."""
    if plan.action == "rejected":
        reasons = {rejected.reason for rejected in plan.rejected}
        return "no-text" if reasons == {NO_STATEMENT} else "failed"
    result = file_result(plan, plan.counts)
    warned = result.keys() & {"rejected", "pages_without_text", "notes", "unsure"}
    return "done-with-warnings" if warned else "done"


def job_state(files: Iterable[JobFile]) -> str:
    """The state that a job ends in, from those of its files."""
    states = {file.state for file in files}
    if states and states <= {"failed", "no-text"}:
        return "failed"
    return "done" if states <= {"done", "skipped-duplicate"} else "done-with-warnings"


def job_result(files: Iterable[JobFile]) -> dict[str, Any]:
    """How many files ended in which state, and the sums of their counts."""
    states: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for file in files:
        states[file.state] += 1
        sums.update(file.result.get("statements", {}))
    return {"files": dict(states), "statements": dict(sums)}
