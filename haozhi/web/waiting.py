"""A request waits for its job, and takes the job back when the client goes away."""

import asyncio

from fastapi import Request

from haozhi.web.worker import Work, Worker


async def answer_id_of(request: Request, worker: Worker, work: Work) -> str:
    """The id of the answer that the work ends with; the request's body must have been read.

    Problem: no place in the queue, the server is stopping, or the work failed unexpectedly.
    HaozhiError: the work failed as expected.
    """
    job = worker.submit(work)
    watch = asyncio.create_task(_client_leaves(request))
    watch.add_done_callback(lambda _: worker.cancel(job))
    try:
        return await asyncio.wrap_future(job.future)
    finally:
        watch.cancel()  # a job that is done cannot be cancelled any more


async def _client_leaves(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
