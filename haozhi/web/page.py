"""The pages of askers: a form, an answer with whose it is, and why it is as it is."""

from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from haozhi.ask import AskOptions
from haozhi.questions import check_question
from haozhi.web.answer_page import WHOLE_PPB, answer_page
from haozhi.web.problems import Problem
from haozhi.web.rendering import page
from haozhi.web.service import Service
from haozhi.web.waiting import answer_id_of
from haozhi.web.worker import Work, Worker


def page_routes(service: Service, worker: Worker) -> APIRouter:
    """The form, what it sends, an answer's page, and why it is so."""
    routes = APIRouter(include_in_schema=False)

    async def answered(request: Request, work: Work) -> RedirectResponse:
        """A redirect to the answer, so that reloading the page does not ask again."""
        answer_id = await answer_id_of(request, worker, work)
        return RedirectResponse(f"/answers/{answer_id}", status_code=303)

    @routes.get("/")
    async def home(request: Request) -> HTMLResponse:
        return page(request, "home.html")

    @routes.post("/ask")
    async def ask(request: Request) -> RedirectResponse:
        question = await _field(request, "question")
        check_question(question)
        return await answered(
            request, lambda cancelled: service.ask(question, AskOptions(), cancelled)
        )

    @routes.post("/who")
    async def who(request: Request) -> RedirectResponse:
        claim = await _field(request, "claim")
        check_question(claim)
        return await answered(request, lambda cancelled: service.who(claim, None, cancelled))

    @routes.get("/answers/{answer_id}")
    def answer(request: Request, answer_id: str) -> HTMLResponse:
        return page(request, "answer.html", **_shown(service, answer_id))

    @routes.get("/answers/{answer_id}/why")
    def why(request: Request, answer_id: str) -> HTMLResponse:
        return page(request, "why.html", why=service.why(answer_id), **_shown(service, answer_id))

    return routes


def _shown(service: Service, answer_id: str) -> dict[str, Any]:
    answer = service.answer(answer_id)
    shown = answer_page(answer, service.sources(answer_id))
    return {"answer": answer, "shown": shown, "whole_ppb": WHOLE_PPB}


async def _field(request: Request, name: str) -> str:
    """One field of a form, "" when it is missing. Problem: it is no form that can be read."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Problem(415, "send the form")
    body = await request.body()
    try:
        fields = parse_qs(body.decode("ascii"), max_num_fields=8, errors="strict")
    except ValueError:
        raise Problem(400, "the form cannot be read") from None
    return fields.get(name, [""])[0]
