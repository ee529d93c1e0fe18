"""The OpenAI-compatible endpoint, for clients that speak nothing else."""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse

from haozhi.questions import check_question
from haozhi.web.bodies import needs_json
from haozhi.web.chat_bodies import Completion
from haozhi.web.chat_view import MODEL, chunks, completion
from haozhi.web.problems import Problem
from haozhi.web.service import Service
from haozhi.web.waiting import answer_id_of
from haozhi.web.worker import Worker

Json = dict[str, Any]


def chat_routes(service: Service, worker: Worker) -> APIRouter:
    """`/v1/chat/completions` and `/v1/models`."""
    routes = APIRouter(prefix="/v1")

    @routes.post("/chat/completions", dependencies=[Depends(needs_json)], response_model=None)
    async def complete(request: Request, body: Completion) -> JSONResponse | StreamingResponse:
        """Answer the user's last message; `haozhi` is the answer as `POST /v1/ask` gives it.

        With `stream` the answer comes in chunks once it is stored and attributed.
        """
        _check_model(body.model)
        question = body.question
        check_question(question)
        answer_id = await answer_id_of(
            request, worker, lambda cancelled: service.ask(question, body.options, cancelled)
        )
        answer = await run_in_threadpool(service.answer, answer_id)
        why = await run_in_threadpool(service.why, answer_id)
        site = str(request.base_url).rstrip("/")
        if not body.stream:
            return JSONResponse(completion(answer, why, site))
        wanted = bool(body.stream_options and body.stream_options.include_usage)
        told = chunks(answer, why, site, include_usage=wanted)
        return StreamingResponse(
            _lines(list(told)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    @routes.get("/models")
    def models() -> Json:
        """The one name that answers."""
        return {"object": "list", "data": [_model()]}

    @routes.get("/models/{name}")
    def model(name: str) -> Json:
        """That name again."""
        _check_model(name)
        return _model()

    return routes


def _model() -> Json:
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": "haozhi"}


def _check_model(name: str) -> None:
    if name != MODEL:
        raise Problem(404, f"there is no model {name!r}: the model is called {MODEL!r}")


async def _lines(told: list[Json]) -> AsyncIterator[str]:
    for chunk in told:
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
    yield "data: [DONE]\n\n"
