"""A job in the hands of this process: its lease is kept alive, and somebody may end it."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from ingest.files import place
from ingest.reports import job_result, job_state
from store.engine import Engine, Session, write
from store.errors import Cancelled, HaozhiError
from store.job_files import FINAL, end_files, find_state, list_files, put_file
from store.job_owners import new_owner
from store.jobs import Job, add_job, finish_job, heartbeat, release_job, take_job

KIND = "ingest"
LEASE_US = 120_000_000
"""Longer than a step takes: a page of a file, or a batch of statements."""

BEAT_S = 1.0
"""Least time between two signs of life."""


class Holding:
    """A claimed job. Steps call `beat`, which raises Cancelled when somebody asked for its end."""

    def __init__(self, engine: Engine, job: Job, owner: str) -> None:
        self._engine = engine
        self._owner = owner
        self._paths = job.payload.get("paths", [])
        self._latest = monotonic()
        self.id = job.id

    def beat(self) -> None:
        """Give a sign of life; StoreBusy when another process has taken the job over."""
        if monotonic() - self._latest >= BEAT_S:
            with write(self._engine) as s:
                self.beat_in(s)

    def beat_in(self, s: Session) -> None:
        """The same within a transaction, whenever the last one was."""
        self._latest = monotonic()
        if not heartbeat(s, self.id, self._owner, LEASE_US):
            raise Cancelled(f"job {self.id} was cancelled: what was stored stays")

    def enter(self, path: str, state: str) -> None:
        """Say where it is with a file."""
        with write(self._engine) as s:
            put_file(s, self.id, place(path), state)

    def reading(self, path: str) -> Callable[[], None]:
        """To be called now and then while a file is read."""
        entered = False

        def step() -> None:
            nonlocal entered
            if not entered:
                self.enter(path, "parsing")
                entered = True
            self.beat()

        return step

    def skip_file(self, path: str, work_id: str, result: Mapping[str, Any]) -> None:
        """A file is there already; where this very job stored it, that stays said."""
        with write(self._engine) as s:
            if find_state(s, self.id, place(path)) not in FINAL:
                state = "skipped-duplicate"
                put_file(s, self.id, place(path), state, work_id=work_id, result=result)

    def end_file(
        self, path: str, state: str, work_id: str | None, result: Mapping[str, Any]
    ) -> None:
        """Say what became of a file."""
        with write(self._engine) as s:
            put_file(s, self.id, place(path), state, work_id=work_id, result=result)

    def end(self, state: str | None = None) -> None:
        """The job has ended, in the state that its files say unless another one is given."""
        with write(self._engine) as s:
            end_files(s, self.id)
            files = list_files(s, self.id)
            state, result = state or job_state(files), job_result(files)
            # What is done is not resumed, and an author's name must not be kept for nothing.
            payload = {"paths": self._paths} if state.startswith("done") else None
            finish_job(s, self.id, self._owner, state=state, result=result, payload=payload)

    def let_go(self, error: BaseException) -> None:
        """The job cannot go on here; where even that cannot be said, its lease will tell."""
        try:
            with write(self._engine) as s:
                release_job(s, self.id, self._owner, str(error) or type(error).__name__)
        except HaozhiError:
            return


def begin(engine: Engine, payload: Mapping[str, Any]) -> Holding:
    """A new job, at once in the hands of this process."""
    with write(engine) as s:
        job_id = add_job(s, KIND, None, dict(payload)).id
    return hold(engine, job_id)[0]


def hold(engine: Engine, job_id: str) -> tuple[Holding, Job]:
    """Take a job to start it or to go on with it. Raises as `store.jobs.take_job`."""
    owner = new_owner()
    with write(engine) as s:
        job = take_job(s, job_id, owner, LEASE_US)
    return Holding(engine, job, owner), job
