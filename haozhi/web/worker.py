"""One thread that owns generator and attribution, behind a short queue."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from haozhi.web.problems import Problem
from store.errors import HaozhiError

PLACES = 8
RETRY_AFTER_S = 10

Work = Callable[[Callable[[], bool]], str]
"""Given `cancelled`, which it looks at now and then, does its work and returns an answer's id."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Job:
    """Work that was accepted; `future` has the answer's id or the error in the end."""

    work: Work
    future: Future[str] = field(default_factory=Future)
    stopped: threading.Event = field(default_factory=threading.Event)


class Worker:
    """Runs jobs one after the other; at most `places` wait, the next one is turned away.

    `prepare` runs first; while it fails with an expected error, so does every job, and it is tried
    again for the next one. A job's defect is the job's alone: the thread lives on.
    """

    def __init__(self, prepare: Callable[[], object], places: int = PLACES) -> None:
        self._prepare = prepare
        self._places = places
        self._waiting: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._busy = False
        self._prepared = False
        self._thread = threading.Thread(target=self._run, name="haozhi-worker", daemon=True)
        self.failure: HaozhiError | None = None
        """Why `prepare` failed the last time it was tried."""

    @property
    def ready(self) -> bool:
        """Whether `prepare` is done and jobs are taken."""
        return self._prepared and self._thread.is_alive() and not self._closing

    def start(self) -> None:
        """Begin with `prepare`, then take jobs."""
        self._thread.start()

    def submit(self, work: Work) -> Job:
        """Put work in the queue. Problem (503): every place is taken, or the server is stopping."""
        with self._changed:
            if self._closing:
                raise _stopping()
            if len(self._waiting) >= self._places:
                detail = f"{self._places} questions are waiting already: try again later"
                raise Problem(503, detail, retry_after_s=RETRY_AFTER_S)
            job = Job(work)
            self._waiting.append(job)
            self._changed.notify()
        return job

    @property
    def waiting(self) -> int:
        """How many questions are in the queue."""
        return len(self._waiting)

    def ahead(self, job: Job) -> int:
        """How many questions are answered before this one's turn; 0 when it has come or is over."""
        with self._changed:
            return self._waiting.index(job) + self._busy if job in self._waiting else 0

    def cancel(self, job: Job) -> None:
        """Nobody waits for this job: it leaves the queue, or sees `cancelled()` become true."""
        job.stopped.set()
        with self._changed:
            waiting = job in self._waiting
            if waiting:
                self._waiting.remove(job)
        if waiting:
            job.future.set_exception(Problem(499, "the client has gone"))

    def close(self) -> None:
        """Take no more jobs and turn the waiting ones away; the one that runs goes on."""
        with self._changed:
            self._closing = True
            turned_away = tuple(self._waiting)
            self._waiting.clear()
            self._changed.notify()
        for job in turned_away:
            job.future.set_exception(_stopping())

    def join(self) -> None:
        """After `close`: wait for the job that runs."""
        self._thread.join()

    def _run(self) -> None:
        self._try_to_prepare()
        while (job := self._next()) is not None:
            try:
                if not self._prepared:
                    self._prepare_or_raise()
                answer_id = job.work(job.stopped.is_set)
            except (HaozhiError, Problem) as error:
                job.future.set_exception(error)
            except Exception:
                log.exception("a question failed")
                job.future.set_exception(Problem(500))
            else:
                job.future.set_result(answer_id)

    def _next(self) -> Job | None:
        """The job that waits longest, None once the worker is closing."""
        with self._changed:
            self._busy = False
            self._changed.wait_for(lambda: self._waiting or self._closing)
            self._busy = bool(self._waiting)
            return self._waiting.popleft() if self._waiting else None

    def _try_to_prepare(self) -> None:
        try:
            self._prepare_or_raise()
        except HaozhiError as error:
            log.warning("not ready: %s", error)
        except Exception:
            log.exception("not ready")

    def _prepare_or_raise(self) -> None:
        try:
            self._prepare()
        except HaozhiError as error:
            self.failure = error
            raise
        self._prepared = True


def _stopping() -> Problem:
    return Problem(503, "the server is stopping", retry_after_s=RETRY_AFTER_S)
