"""What holds for every request: who may send it, how large it may be, what every response says."""

import ipaddress
import logging
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from haozhi.web.problems import Problem, respond

MOST_BYTES = 64 * 1024
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Not no-referrer: with it browsers send `Origin: null` with our own form.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

log = logging.getLogger(__name__)


def is_loopback(host: str) -> bool:
    """Whether a host, as typed or as in a URL, names this machine and nothing else."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """The outermost layer: refuses what it must not pass on, and turns a defect into a problem."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if headers.get("Cache-Control", "no-cache") == "no-cache":
                    headers["Cache-Control"] = "no-store"
            await send(message)

        try:
            refusal = _refusal(request)
            if refusal is None:
                await self.app(scope, _limited(receive), guarded_send)
            else:
                await respond(request, refusal)(scope, receive, guarded_send)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            await respond(request, Problem(500))(scope, receive, guarded_send)


def _refusal(request: Request) -> Problem | None:
    """Why a request is not looked at any further, None when it is.

    The host is checked against DNS rebinding, the origin against forms on other sites.
    """
    if not _meant_for_us(request.headers.get("host", "")):
        return Problem(400, "the Host header must name this machine: localhost or 127.0.0.1")
    if request.method not in ("GET", "HEAD", "OPTIONS") and _from_another_site(request):
        return Problem(403, "requests from another site are refused")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return _too_large()
    return None


def _meant_for_us(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False


def _from_another_site(request: Request) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and origin != f"{request.url.scheme}://{request.headers['host']}"


def _limited(receive: Receive) -> Receive:
    """Receive a body whose length was not told, up to the limit."""
    received = 0

    async def limited_receive() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise _too_large()
        return message

    return limited_receive


def _too_large() -> Problem:
    return Problem(413, f"a request may have {MOST_BYTES // 1024} kB")
