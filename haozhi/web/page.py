"""A plain page with a form: a question goes in, the answer with its authors comes out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from haozhi.ask import AskOptions, check_question
from haozhi.web.problems import Problem
from haozhi.web.rendering import page
from haozhi.web.service import Service
from haozhi.web.waiting import answer_id_of
from haozhi.web.worker import Worker


@dataclass(frozen=True)
class Part:
    """A stretch of the answer's text with the numbers of the sources that it cites."""

    text: str
    sources: tuple[int, ...] = ()


def page_routes(service: Service, worker: Worker) -> APIRouter:
    """The form, what it sends, and an answer's page."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def home() -> HTMLResponse:
        return page("home.html")

    @routes.post("/ask")
    async def ask(request: Request) -> RedirectResponse:
        """Answer the question; a redirect, so that reloading the page does not ask again."""
        question = await _question(request)
        check_question(question)
        answer_id = await answer_id_of(
            request, worker, lambda cancelled: service.ask(question, AskOptions(), cancelled)
        )
        return RedirectResponse(f"/answers/{answer_id}", status_code=303)

    @routes.get("/answers/{answer_id}")
    def answer(answer_id: str) -> HTMLResponse:
        found = service.answer(answer_id)
        numbers = _numbers(found)
        return page("answer.html", answer=found, numbers=numbers, parts=[*_parts(found, numbers)])

    return routes


async def _question(request: Request) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Problem(415, "send the form")
    body = await request.body()
    try:
        fields = parse_qs(body.decode("ascii"), max_num_fields=8, errors="strict")
    except ValueError:
        raise Problem(400, "the form cannot be read") from None
    return fields.get("question", [""])[0]


def _numbers(answer: dict[str, Any]) -> dict[int, int]:
    """A number from 1 for each statement that is cited, in the order of the context."""
    cited = {c["statement_id"] for s in answer["segments"] for c in s["citations"]}
    ordered = [e["statement_id"] for e in answer["context"] if e["statement_id"] in cited]
    return {statement_id: number for number, statement_id in enumerate(ordered, 1)}


def _parts(answer: dict[str, Any], numbers: dict[int, int]) -> Iterator[Part]:
    """The whole text in order: segments with their sources, and what stands between them."""
    text, done = answer["text"], 0
    for segment in answer["segments"]:
        if segment["start"] > done:
            yield Part(text[done : segment["start"]])
        cited = sorted(numbers[c["statement_id"]] for c in segment["citations"])
        yield Part(text[segment["start"] : segment["end"]], tuple(cited))
        done = segment["end"]
    if done < len(text):
        yield Part(text[done:])
