"""The event stream: an answer while it comes about, and again for who lost the connection."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from haozhi.drafting import new_answer_id
from haozhi.questions import check_question
from haozhi.web.bodies import Ask, needs_json
from haozhi.web.problems import Problem, problem_of
from haozhi.web.service import Service
from haozhi.web.telling import Event, Json, share_events
from haozhi.web.worker import Job, Worker
from store.errors import HaozhiError

#: How often a question that waits looks at its place in the queue.
LOOK_S = 0.5

_ID = re.compile(r"an[0-9a-f]{16}")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Asked:
    """A question that was accepted; its events come in, None after the last one."""

    answer_id: str
    job: Job
    events: asyncio.Queue[Event | None]


def stream_routes(service: Service, worker: Worker) -> APIRouter:
    """The route of the event stream."""
    routes = APIRouter(prefix="/v1")

    async def accepted(request: Request, body: Ask) -> AsyncIterator[Asked]:
        """Queue the question; when the response has ended, however it did, nobody waits for it."""
        check_question(body.question)
        answer_id = _resumed(request) or new_answer_id()
        loop, events = asyncio.get_running_loop(), asyncio.Queue[Event | None]()

        def put(event: Event | None) -> None:
            loop.call_soon_threadsafe(events.put_nowait, event)

        job = worker.submit(
            lambda cancelled: service.stream(
                answer_id, body.question, body.options, cancelled, lambda *event: put(event)
            )
        )
        job.future.add_done_callback(lambda _: put(None))
        try:
            yield Asked(answer_id, job, events)
        finally:
            worker.cancel(job)

    @routes.post(
        "/ask/stream", response_class=EventSourceResponse, dependencies=[Depends(needs_json)]
    )
    async def stream(
        asked: Annotated[Asked, Depends(accepted)],
    ) -> AsyncIterator[ServerSentEvent]:
        """Answer a question as events: meta, queue, evidence, delta, citation, attribution, done.

        `attribution` comes twice, provisional and final. `error` ends the stream with a problem.
        With `Last-Event-ID` the answer of that id is told again if it is stored, and is else
        answered under that id.
        """
        async for name, data in _events(service, worker, asked):
            yield ServerSentEvent(event=name, data=data, id=asked.answer_id)

    return routes


def _resumed(request: Request) -> str | None:
    """The answer that the client has seen the beginning of; each event has its id."""
    last = request.headers.get("last-event-id")
    if last is not None and not _ID.fullmatch(last):
        raise Problem(400, "Last-Event-ID must be the id of an event of this stream")
    return last


async def _events(service: Service, worker: Worker, asked: Asked) -> AsyncIterator[Event]:
    yield "meta", {"answer_id": asked.answer_id, "model": service.model}
    try:
        async for event in _told(worker, asked):
            yield event
        answer_id = asked.job.future.result()
        answer = await run_in_threadpool(service.answer, answer_id)
        for event in share_events(answer):
            yield event
        yield "done", {"answer": answer}
    except HaozhiError as error:
        yield _error(problem_of(error))
    except Problem as problem:
        yield _error(problem)
    except Exception:
        log.exception("a stream failed")
        yield _error(Problem(500))


async def _told(worker: Worker, asked: Asked) -> AsyncIterator[Event]:
    """What is told until the work is over, with the question's place in the queue before that."""
    place = None
    while True:
        ahead = worker.ahead(asked.job)
        if ahead != place:
            yield "queue", {"position": ahead}
            place = ahead
        try:
            event = await asyncio.wait_for(asked.events.get(), LOOK_S if ahead else None)
        except TimeoutError:
            continue
        if event is None:
            return
        yield event


def _error(problem: Problem) -> Event:
    data: Json = {"problem": problem.to_json()}
    return "error", data
