"""Errors as RFC 9457 problems: an expected error says what to do, any other says nothing."""

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from haozhi.web.rendering import page
from store.errors import (
    AlreadyThere,
    Ambiguous,
    BadInput,
    Cancelled,
    HaozhiError,
    IndexMissing,
    ModelMissing,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
STORE_RETRY_S = 5
_CLIENT_GONE = 499
#: There a problem has one more member: clients made for OpenAI read the message from `error`.
_OPENAI_PATHS = ("/v1/chat/", "/v1/models")

_STATUS: Mapping[type[HaozhiError], int] = {
    UsageError: 400,
    NotFound: 404,
    Ambiguous: 409,
    AlreadyThere: 409,
    BadInput: 422,
    Cancelled: _CLIENT_GONE,
    ModelMissing: 503,
    IndexMissing: 503,
    StoreBusy: 503,
    StoreReadOnly: 503,
    StoreFull: 503,
}

#: What OpenAPI says of every operation's errors.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem (RFC 9457); `detail` says what to do.",
        "content": {
            MEDIA_TYPE: {
                "schema": {
                    "type": "object",
                    "required": ["type", "title", "status"],
                    "properties": {
                        "type": {"const": "about:blank"},
                        "title": {"type": "string"},
                        "status": {"type": "integer"},
                        "detail": {"type": "string"},
                        "candidates": {"type": "array", "items": {"type": "string"}},
                    },
                },
                "example": {
                    "type": "about:blank",
                    "title": "Not Found",
                    "status": 404,
                    "detail": "there is no answer an0123456789abcdef",
                },
            }
        },
    }
}

log = logging.getLogger(__name__)


class Problem(HTTPException):
    """An error as the client sees it; without a detail only the status is told."""

    def __init__(
        self,
        status: int,
        detail: str | None = None,
        *,
        retry_after_s: int | None = None,
        headers: Mapping[str, str] | None = None,
        candidates: Sequence[str] = (),
    ) -> None:
        retry = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
        self.title = _title(status)
        self.candidates = tuple(candidates)
        super().__init__(status, detail or self.title, {**(headers or {}), **retry})

    def to_json(self) -> dict[str, Any]:
        """The members of the problem; `about:blank` means that the status says what it is."""
        known = {"type": "about:blank", "title": self.title, "status": self.status_code}
        detail = {} if self.detail == self.title else {"detail": self.detail}
        candidates = {"candidates": self.candidates} if self.candidates else {}
        return {**known, **detail, **candidates}


def respond(request: Request, problem: Problem) -> Response:
    """A page for a person who asked for one outside the API, else problem+json."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and not request.url.path.startswith("/v1/"):
        return page(
            request,
            "problem.html",
            status=problem.status_code,
            headers=problem.headers,
            problem=problem,
        )
    # A client may have sent half a character: it must not break the answer that tells so.
    members = problem.to_json()
    if request.url.path.startswith(_OPENAI_PATHS):
        members["error"] = {"message": problem.detail, "type": problem.title, "code": None}
    body = json.dumps(members, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, problem.status_code, problem.headers, MEDIA_TYPE)


def problem_of(error: HaozhiError) -> Problem:
    """The problem of an expected error; one of no known kind is logged, its text is not told."""
    for kind, status in _STATUS.items():
        if isinstance(error, kind):
            return Problem(
                status,
                str(error),
                retry_after_s=STORE_RETRY_S if isinstance(error, StoreBusy) else None,
                candidates=error.candidates if isinstance(error, Ambiguous) else (),
            )
    log.error("unexpected: %s", error, exc_info=error)
    return Problem(500)


def install(app: FastAPI) -> None:
    """Answer every error that a route raises with its problem."""

    @app.exception_handler(HaozhiError)
    async def on_expected(request: Request, error: HaozhiError) -> Response:
        return respond(request, problem_of(error))

    @app.exception_handler(HTTPException)
    async def on_http(request: Request, error: HTTPException) -> Response:
        if not isinstance(error, Problem):
            error = Problem(error.status_code, headers=error.headers)
        return respond(request, error)

    @app.exception_handler(RequestValidationError)
    async def on_invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return respond(request, Problem(400, "the body is not valid JSON"))
        where = ".".join(str(part) for part in first["loc"][1:])
        return respond(request, Problem(422, f"{where}: {first['msg']}" if where else first["msg"]))


def _title(status: int) -> str:
    return "Client Closed Request" if status == _CLIENT_GONE else HTTPStatus(status).phrase
