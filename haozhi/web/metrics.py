"""What a monitor reads of the server, in Prometheus' format. Home of prometheus_client."""

import json
import logging
import time

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from haozhi.web.worker import Worker

#: Seconds; answers take seconds on a CPU, pages milliseconds.
BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120)
UNKNOWN_ROUTE = "none"

log = logging.getLogger("haozhi.access")


class Metrics:
    """Counts of one server. Labels are routes as declared, never addresses: nobody is named."""

    def __init__(self, worker: Worker) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "haozhi_http_requests",
            "Responses by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "haozhi_http_request_seconds",
            "From the request's first byte to the response's last.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.registry.register(_Queue(worker))


class _Queue(Collector):
    """The worker, looked at when somebody asks."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def collect(self) -> list[GaugeMetricFamily]:
        """The gauges as they are now."""
        return [
            GaugeMetricFamily(
                "haozhi_questions_waiting", "Questions in the queue.", self._worker.waiting
            ),
            GaugeMetricFamily(
                "haozhi_ready", "1 when questions are answered, else 0.", int(self._worker.ready)
            ),
        ]


def metrics_routes(metrics: Metrics) -> APIRouter:
    """`/metrics`."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/metrics")
    def read(_: Request) -> Response:
        """All counts so far."""
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return routes


class Counted:
    """Counts each request when its response is over, and logs it as one line of JSON.

    The line has neither query nor body: what people ask is theirs.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def watched_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched_send)
        finally:
            self._count(scope, status, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", UNKNOWN_ROUTE)
        # A client may invent methods; each new label would be kept for ever.
        method = scope["method"] if route != UNKNOWN_ROUTE else UNKNOWN_ROUTE
        self.metrics.requests.labels(method, route, status).inc()
        self.metrics.seconds.labels(method, route).observe(seconds)
        line = {
            "time_ms": time.time_ns() // 1_000_000,
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        log.info(json.dumps(line))
