"""The worker: one job at a time, a short queue, and no job that harms another."""

import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from haozhi.web.problems import Problem
from haozhi.web.worker import Worker
from store.errors import ModelMissing, NotFound

LIMIT_S = 10


def _nothing() -> None:
    pass


@pytest.fixture
def worker() -> Iterator[Worker]:
    """A worker that has started, with room for two."""
    worker = Worker(_nothing, places=2)
    worker.start()
    yield worker
    worker.close()
    worker.join()


class Held:
    """Work that says when it has begun and waits to be let go, or to be cancelled."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()

    def __call__(self, cancelled: Callable[[], bool]) -> str:
        self.begun.set()
        while not self.go.wait(0.01):
            if cancelled():
                return "cancelled"
        return "done"


def test_jobs_run_one_after_the_other_in_their_order(worker: Worker) -> None:
    """No two jobs overlap, and who came first is answered first."""
    held, order = Held(), list[str]()

    def noted(name: str) -> Callable[[Callable[[], bool]], str]:
        def work(_: Callable[[], bool]) -> str:
            order.append(name)
            return name

        return work

    first = worker.submit(held)
    assert held.begun.wait(LIMIT_S)
    second, third = worker.submit(noted("second")), worker.submit(noted("third"))
    assert order == []
    held.go.set()
    assert [j.future.result(LIMIT_S) for j in (first, second, third)] == ["done", "second", "third"]
    assert order == ["second", "third"]


def test_a_full_queue_turns_away_and_says_when_to_come_back(worker: Worker) -> None:
    """Beyond the places that wait, 503 with Retry-After; a job that leaves frees its place."""
    held = Held()
    worker.submit(held)
    assert held.begun.wait(LIMIT_S)
    waiting = [worker.submit(lambda _: "later") for _ in range(2)]
    with pytest.raises(Problem) as full:
        worker.submit(lambda _: "too much")
    assert full.value.status_code == 503
    assert int((full.value.headers or {})["Retry-After"]) > 0
    worker.cancel(waiting[0])
    again = worker.submit(lambda _: "again")
    held.go.set()
    assert again.future.result(LIMIT_S) == "again"
    with pytest.raises(Problem, match="gone"):
        waiting[0].future.result(LIMIT_S)


def test_a_running_job_sees_that_it_is_cancelled(worker: Worker) -> None:
    """`cancelled()` becomes true for the job that runs, and for no other."""
    held, other = Held(), Held()
    job = worker.submit(held)
    assert held.begun.wait(LIMIT_S)
    next_job = worker.submit(other)
    worker.cancel(job)
    assert job.future.result(LIMIT_S) == "cancelled"
    assert other.begun.wait(LIMIT_S)
    other.go.set()
    assert next_job.future.result(LIMIT_S) == "done"


def test_a_defect_is_the_jobs_alone(worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
    """An unexpected error becomes a 500 without its text, is logged, and the thread lives on."""

    def broken(_: Callable[[], bool]) -> str:
        raise RuntimeError("secret")

    def missing(_: Callable[[], bool]) -> str:
        raise NotFound("no such author")

    with pytest.raises(Problem) as defect, caplog.at_level(logging.ERROR):
        worker.submit(broken).future.result(LIMIT_S)
    assert defect.value.status_code == 500
    assert "secret" not in str(defect.value)
    assert "secret" in caplog.text
    with pytest.raises(NotFound, match="no such author"):
        worker.submit(missing).future.result(LIMIT_S)
    assert worker.submit(lambda _: "fine").future.result(LIMIT_S) == "fine"


def test_closing_finishes_the_running_job_and_turns_the_waiting_away(worker: Worker) -> None:
    """At the end the answer in work is finished; waiting and new questions get a clean 503."""
    held = Held()
    running = worker.submit(held)
    assert held.begun.wait(LIMIT_S)
    waiting = worker.submit(lambda _: "never")
    worker.close()
    with pytest.raises(Problem, match="stopping"):
        waiting.future.result(LIMIT_S)
    with pytest.raises(Problem, match="stopping"):
        worker.submit(lambda _: "never")
    assert not worker.ready
    held.go.set()
    assert running.future.result(LIMIT_S) == "done"


def test_what_could_not_be_prepared_is_tried_again() -> None:
    """While a model is missing every job says so; once it is there, jobs run."""
    missing = [ModelMissing("haozhi models install"), ModelMissing("haozhi models install")]

    def prepare() -> None:
        if missing:
            raise missing.pop()

    worker = Worker(prepare)
    worker.start()
    with pytest.raises(ModelMissing, match="models install"):
        worker.submit(lambda _: "never").future.result(LIMIT_S)
    assert not worker.ready
    assert isinstance(worker.failure, ModelMissing)
    assert worker.submit(lambda _: "done").future.result(LIMIT_S) == "done"
    assert worker.ready
    worker.close()
    worker.join()
