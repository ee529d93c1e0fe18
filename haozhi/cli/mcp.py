"""`haozhi mcp`: the tools for an agent that starts this program itself."""

import typer

from haozhi.cli.opened import opened
from haozhi.cli.output import say


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(mcp)


def mcp() -> None:
    """Serve ask, search, who, get_source and get_credit over MCP on stdin and stdout."""
    from haozhi.mcp_server import mcp_server

    server = mcp_server(opened())
    say("haozhi: MCP on stdin and stdout; Ctrl-C ends it")
    server.run()
