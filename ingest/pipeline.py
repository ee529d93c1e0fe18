"""Files become statements in the store, so that a kill at any moment loses and doubles nothing.

Each file is planned, and the plan carried out at once; a dry run only plans. The rows and vectors
of a batch are committed together, and a work is ready with its last batch. A run is a job; running
the same files again, or resuming the job, goes on from what was stored.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ingest.applying import Stale, apply_plan
from ingest.archives import Source, sources_in
from ingest.batches import OnBatch, Progress, Run, embed_missing
from ingest.documents import Rejected
from ingest.files import files_in, place, read_bytes, shown
from ingest.holding import begin, hold
from ingest.options import IngestOptions, check_options
from ingest.planning import DELETED, plan_file
from ingest.plans import Counts, Earlier, FilePlan
from ingest.ports import Embedder
from ingest.removals import Seen, plan_removals, remove
from ingest.reports import (
    IngestReport,
    file_result,
    file_state,
    skipped_report,
    stored_report,
)
from store.engine import Engine, read, write
from store.errors import AlreadyThere, BadInput, Cancelled, StoreBusy
from store.works import move_work

__all__ = ["IngestReport", "ingest", "plan", "resume"]


def _ignore(*_: object) -> None:
    """Nobody is told."""


_MOST_PLANS = 5  # of a file while others change what is stored of it
_AS_THE_FILES_SAY = IngestOptions()


def plan(
    paths: Iterable[Path], *, engine: Engine, options: IngestOptions = _AS_THE_FILES_SAY
) -> Iterator[FilePlan]:
    """What ingesting these files would do, file by file; nothing is written.

    Raises for the options as `ingest` does.
    """
    with read(engine) as s:
        options = check_options(s, options)
    given, earlier, seen = list(paths), Earlier(), Seen()
    for source in _sources(given):
        if isinstance(source, Source):
            found = plan_file(engine, options, source, _ignore, earlier)
            seen.add(found)
        else:
            found = FilePlan(source.path, "rejected", rejected=(source,))
            seen.reject(source)
        yield found
    yield from plan_removals(engine, options, given, seen)


def ingest(
    paths: Iterable[Path],
    *,
    engine: Engine,
    embedder: Embedder,
    options: IngestOptions = _AS_THE_FILES_SAY,
    on_batch: OnBatch = _ignore,
    progress: Progress = _ignore,
) -> IngestReport:
    """Store the statements of files and of all files in folders, and embed what has no vector.

    A file that cannot be used is rejected and the next one goes in. A file that lay there with
    other bytes before is the next version of its work. Raises UsageError, NotFound, Ambiguous or
    BadInput for the options, StoreBusy, StoreReadOnly or StoreFull for the store, Cancelled; what
    was committed before stays, and the next run goes on from there.
    """
    with read(engine) as s:
        options = check_options(s, options)
    given = list(paths)
    job = begin(engine, {"paths": [place(shown(p)) for p in given], "options": vars(options)})
    return _run(Run(engine, embedder, options, on_batch, progress, job), given)


def resume(
    job_id: str,
    *,
    engine: Engine,
    embedder: Embedder,
    on_batch: OnBatch = _ignore,
    progress: Progress = _ignore,
) -> IngestReport:
    """Go on with a job that was interrupted, cancelled or failed; raises as `ingest` does.

    NotFound: no such job; BadInput: it is done, or named who was erased; StoreBusy: it is running.
    """
    job, found = hold(engine, job_id)
    if "options" not in found.payload:
        error = BadInput(f"job {job_id} named an author who was erased: ingest its files anew")
        job.let_go(error)
        raise error
    options = IngestOptions(**found.payload["options"])
    run = Run(engine, embedder, options, on_batch, progress, job)
    return _run(run, [Path(path) for path in found.payload["paths"]])


def _run(run: Run, paths: Sequence[Path]) -> IngestReport:
    """Carry the job out and end it; what stops it on the way leaves it to be resumed."""
    report = IngestReport(job_id=run.job.id)
    try:
        embed_missing(run)
        for done in _done(run, paths):
            report += done
        if report.unchanged or report.removed:
            embed_missing(run)  # what came back may have no vector of this embedder
    except Cancelled:
        run.job.end("cancelled")
        raise
    except BaseException as error:
        run.job.let_go(error)
        raise
    run.job.end()
    return report


def _done(run: Run, paths: Sequence[Path]) -> Iterator[IngestReport]:
    seen = Seen()
    for source in _sources(paths):
        run.job.beat()
        if isinstance(source, Source):
            yield _ingest_source(run, source, seen)
        else:
            seen.reject(source)
            yield _rejected(run, FilePlan(source.path, "rejected", rejected=(source,)))
    if run.options.sync:
        for found in plan_removals(run.engine, run.options, paths, seen):
            run.job.beat()
            yield _removed(run, found)


def _sources(paths: Iterable[Path]) -> Iterator[Source | Rejected]:
    """The files, and the files in archives; those that cannot be read with the reason."""
    for path in files_in(paths):
        try:
            yield from sources_in(shown(path), read_bytes(path))
        except BadInput as error:
            yield Rejected(shown(path), None, str(error))


def _ingest_source(run: Run, source: Source, seen: Seen) -> IngestReport:
    """Plan a file and carry the plan out; another plan when somebody changed the store between."""
    for _ in range(_MOST_PLANS):
        found = plan_file(run.engine, run.options, source, run.job.reading(source.path), Earlier())
        seen.add(found)
        if found.action == "rejected":
            return _rejected(run, found)
        if found.work is None:
            return _skipped(run, found)
        try:
            work_id, done = apply_plan(run, found)
        except Stale:
            continue
        except AlreadyThere as error:
            seen.works.add(error.work_id)
            return _skipped(run, found, error)
        except BadInput as error:
            reason = Rejected(source.path, None, str(error))
            seen.reject(reason)
            return _rejected(run, FilePlan(source.path, "rejected", rejected=(reason,)))
        seen.works.add(work_id)
        run.job.end_file(source.path, file_state(found), work_id, file_result(found, done))
        return stored_report(found, done)
    raise StoreBusy(f"{source.path} or its authors are being changed: try again later")


def _removed(run: Run, found: FilePlan) -> IngestReport:
    assert found.there is not None
    done = Counts(removed=remove(run.engine, found.there.id))
    run.job.end_file(found.path, "done", found.there.id, file_result(found, done))
    return IngestReport(removed=done.removed)


def _rejected(run: Run, found: FilePlan) -> IngestReport:
    run.job.end_file(found.path, file_state(found), None, file_result(found, Counts()))
    return IngestReport(rejected=found.rejected)


def _skipped(run: Run, found: FilePlan, error: AlreadyThere | None = None) -> IngestReport:
    """The bytes are a work, or become one: a job that stored them itself has said so."""
    work_id = error.work_id if error else found.there.id if found.there else ""
    if found.action == "moved":
        with write(run.engine) as s:
            move_work(s, work_id, found.path, place(found.path))
    note = DELETED if found.action == "deleted" else str(error or "")
    notes = {"notes": [note]} if note else {}
    run.job.skip_file(found.path, work_id, file_result(found, Counts()) | notes)
    return skipped_report(found.path, work_id, note)
