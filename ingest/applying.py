"""Carrying out the plan of a file, if the store is still as it was when the plan was made."""

from collections.abc import Sequence

from ingest.authors import resolve_names
from ingest.batches import Run, embed_texts, store_statements
from ingest.files import place
from ingest.planning import find_before
from ingest.plans import Counts, FilePlan, statements_of
from store.engine import Session, write
from store.errors import AlreadyThere, BadInput
from store.job_files import held_by_another, put_file
from store.statements import AddedStatement, NewStatement
from store.versions import put_version
from store.works import add_work, find_work, get_work_text


class Stale(Exception):
    """Somebody changed what the plan was made from: make another one."""


def apply_plan(run: Run, plan: FilePlan) -> tuple[str, Counts]:
    """Store what is planned for a file; the id of its work, and what was done.

    Raises Stale, AlreadyThere when another job is storing the work, BadInput when its text was
    begun by a version of haozhi that read it differently, Cancelled.
    """
    with write(run.engine) as s:
        work_id = _take(s, run, plan)
        ids, refused = resolve_names(s, plan.passages, run.options.namespace, work_id, plan.path)
        if refused:
            raise Stale
        statements = statements_of(plan, ids, run.options)
    if plan.action == "changed":
        return work_id, _store_version(run, work_id, plan, statements)
    stored = store_statements(run, work_id, plan.path, statements)
    return work_id, _counts(stored)


def _take(s: Session, run: Run, plan: FilePlan) -> str:
    """The id of the work, which is this job's until the file has ended."""
    work = plan.work
    assert work is not None
    found = find_work(s, work.scope, work.byte_hash)
    there = found or find_before(s, work)
    if there is not None and (other := held_by_another(s, there.id, run.job.id)):
        raise AlreadyThere(f"job {other} is storing it now, as work {there.id}", there.id)
    if there != plan.there:
        raise Stale
    work_id = there.id if there else add_work(s, work)
    if plan.action == "resumed" and get_work_text(s, work_id) != work.text:
        raise BadInput(f"begun as work {work_id} by a version of haozhi that read it differently")
    put_file(s, run.job.id, place(plan.path), "embedding", work_id=work_id)
    return work_id


def _store_version(
    run: Run, work_id: str, plan: FilePlan, statements: Sequence[NewStatement]
) -> Counts:
    """The texts first, batch by batch, where nobody sees them; then the new version at once."""
    assert plan.work is not None
    kept = [(occurrence_id, statements[index]) for index, occurrence_id in plan.kept.items()]
    new = [item for index, item in enumerate(statements) if index not in plan.kept]
    fresh = embed_texts(run, plan.path, new)
    with write(run.engine) as s:
        run.job.beat_in(s)
        put_file(s, run.job.id, place(plan.path), "indexing")
        removed, _ = put_version(s, work_id, plan.work, kept, new)
    return Counts(fresh, len(new) - fresh, len(kept), removed)


def _counts(stored: Sequence[AddedStatement]) -> Counts:
    return Counts(
        new=sum(item.is_new for item in stored),
        duplicate=sum(item.occurrence_is_new and not item.is_new for item in stored),
        unchanged=sum(not item.occurrence_is_new for item in stored),
    )
