"""`haozhi serve`: the pages and the API, on this machine only."""

import logging
import signal
import socket
import sys
from typing import Annotated

import typer

from haozhi.cli.opened import opened
from haozhi.cli.output import say
from store.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="A loopback address.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    access_log: Annotated[
        bool, typer.Option("--access-log", help="A line of JSON on stderr per request.")
    ] = False,
) -> None:
    """Open the pages and the API for this machine; Ctrl-C ends it."""
    from haozhi.web.guard import is_loopback
    from haozhi.web.server import build, run
    from haozhi.web.service import AppService

    if not is_loopback(host):
        raise UsageError(
            f"serve cannot open {host}: only this machine (127.0.0.1) until there are accounts"
        )
    if access_log:
        _log_access()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # also while the models load
    service = AppService(opened())
    with _listen("127.0.0.1" if host == "localhost" else host, port) as listener:
        say("haozhi: loading the index and the models")
        service.prepare()
        shown = f"[{host}]" if ":" in host else host
        say(f"haozhi: ready at http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C ends it)")
        try:
            run(build(service), listener)
        except KeyboardInterrupt:
            say("haozhi: ended")


def _log_access() -> None:
    log = logging.getLogger("haozhi.access")
    log.addHandler(logging.StreamHandler())
    log.setLevel(logging.INFO)
    log.propagate = False


def _listen(address: str, port: int) -> socket.socket:
    """A socket that listens already: a second server must fail before it loads anything."""
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise UsageError(
            f"port {port} of {address}: {error.strerror}; choose another with --port"
        ) from error
    return listener
