"""Puts the parts of the server together and runs it."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.staticfiles import StaticFiles

from haozhi import __version__
from haozhi.web import problems
from haozhi.web.api import api_routes, health_routes
from haozhi.web.authors import author_routes
from haozhi.web.chat import chat_routes
from haozhi.web.guard import Guard
from haozhi.web.metrics import Counted, Metrics, metrics_routes
from haozhi.web.page import page_routes
from haozhi.web.service import Service
from haozhi.web.streaming import stream_routes
from haozhi.web.worker import PLACES, Worker

GRACE_S = 60
ROUTES = (api_routes, stream_routes, chat_routes, health_routes, page_routes, author_routes)


def build(service: Service, *, places: int = PLACES) -> FastAPI:
    """The server over a service, which it prepares when it starts.

    `places` questions may wait for the one that is answered.
    """
    worker = Worker(service.prepare, places)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        worker.start()
        yield
        worker.close()
        await run_in_threadpool(worker.join)

    # The usual documentation pages load scripts from elsewhere; /openapi.json is there.
    web = FastAPI(
        title="haozhi",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=problems.RESPONSES,
    )
    web.state.worker = worker
    metrics = Metrics(worker)
    web.add_middleware(Guard)
    web.add_middleware(Counted, metrics=metrics)  # the outermost: it counts refusals as well
    problems.install(web)
    for routes in ROUTES:
        web.include_router(routes(service, worker))
    web.include_router(metrics_routes(metrics))
    web.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    return web


def run(web: FastAPI, listener: socket.socket) -> None:
    """Serve on a listening socket until SIGINT or SIGTERM.

    The answer in work is finished, the waiting questions get a 503.
    """
    config = uvicorn.Config(
        web,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    _Server(config, web.state.worker).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, worker: Worker) -> None:
        super().__init__(config)
        self._worker = worker

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Turn the waiting questions away first: uvicorn waits for every open request."""
        self._worker.close()
        await super().shutdown(sockets)
