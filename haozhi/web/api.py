"""The JSON API: ask, who, answers, reports, and whether the server is alive and ready."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from haozhi.citing import Format
from haozhi.questions import check_question
from haozhi.web.bodies import Ask, Who, needs_json
from haozhi.web.problems import Problem
from haozhi.web.service import Service
from haozhi.web.waiting import answer_id_of
from haozhi.web.worker import RETRY_AFTER_S, Worker

Json = dict[str, Any]

_MEDIA_TYPES: dict[Format, str] = {
    "csl": "application/vnd.citationstyles.csl+json",
    "bibtex": "application/x-bibtex; charset=utf-8",
    "gbt7714": "text/plain; charset=utf-8",
}


def api_routes(service: Service, worker: Worker) -> APIRouter:
    """The routes under `/v1`."""
    routes = APIRouter(prefix="/v1")

    @routes.post("/ask", dependencies=[Depends(needs_json)])
    async def ask(request: Request, body: Ask) -> Json:
        """Answer a question; waits for the final shares."""
        check_question(body.question)
        answer_id = await answer_id_of(
            request, worker, lambda cancelled: service.ask(body.question, body.options, cancelled)
        )
        return await run_in_threadpool(service.answer, answer_id)

    @routes.post("/who", dependencies=[Depends(needs_json)])
    async def who(request: Request, body: Who) -> Json:
        """Attribute a claim to the authors of the statements that it rests on."""
        check_question(body.claim)
        answer_id = await answer_id_of(
            request, worker, lambda cancelled: service.who(body.claim, body.language, cancelled)
        )
        return await run_in_threadpool(service.answer, answer_id)

    @routes.get("/answers/{answer_id}")
    def answer(answer_id: str) -> Json:
        """A stored answer."""
        return service.answer(answer_id)

    @routes.get("/answers/{answer_id}/why")
    def why(answer_id: str) -> Json:
        """How a stored answer came about: tokens, fingerprints, attributions, entries."""
        return service.why(answer_id)

    @routes.get("/answers/{answer_id}/receipt")
    def receipt(answer_id: str) -> Json:
        """The signed receipt of a paid answer, to be kept; `haozhi receipt verify` reads it."""
        found: Json | None = service.answer(answer_id)["receipt"]
        if found is None:
            raise Problem(404, f"there is no receipt for answer {answer_id}")
        return found

    @routes.get("/answers/{answer_id}/citations", response_class=Response)
    def citations(
        request: Request, answer_id: str, style: Annotated[Format, Query(alias="format")] = "csl"
    ) -> Response:
        """The answer and its cited works as CSL-JSON, BibTeX or GB/T 7714 references."""
        text = service.citations(answer_id, style, str(request.base_url).rstrip("/"))
        return Response(text, media_type=_MEDIA_TYPES[style])

    # A name may have a slash in it.
    @routes.get("/authors/{author:path}/report")
    def report(author: str, period: Annotated[int | None, Query(ge=1, lt=2**53)] = None) -> Json:
        """The credit report of an author, by id or name; by default for the open period."""
        return service.report(author, period)

    return routes


def health_routes(service: Service, worker: Worker) -> APIRouter:
    """Whether the process is alive, and whether questions will be answered."""
    routes = APIRouter()

    @routes.get("/healthz")
    async def alive() -> Json:
        """The process is alive."""
        return {"status": "alive"}

    @routes.get("/readyz")
    def ready() -> Json:
        """Database, index and models are ready; 503 tells what is not."""
        if not service.is_current():
            detail = "the database is not at the newest revision: haozhi db upgrade"
        elif worker.ready:
            return {"status": "ready"}
        elif worker.failure is not None:
            detail = str(worker.failure)
        else:
            detail = "the index and the models are not loaded"
        raise Problem(503, detail, retry_after_s=RETRY_AFTER_S)

    return routes
