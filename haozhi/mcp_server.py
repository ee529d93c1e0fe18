"""haozhi as tools for other people's agents, over the Model Context Protocol. Home of mcp."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

from pydantic import Field

from haozhi import __version__
from haozhi.answered import answered
from haozhi.app import App
from haozhi.ask import AskOptions, ask
from haozhi.language import Language
from haozhi.reports.report_view import report_view
from haozhi.search import search
from haozhi.search_view import search_view
from haozhi.statement_view import statement_view
from haozhi.who import who
from store.engine import read
from store.errors import HaozhiError, UsageError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

Json = dict[str, Any]
Given = ParamSpec("Given")

INSTRUCTIONS = (
    "Answers from author-tagged statements, with each author's share of the answer in parts per"
    " billion. Cite the authors and works that an answer names. An answer of state 'refused' means"
    " that no statement backs one: do not fill it in."
)
StatementId = Annotated[int, Field(ge=1, lt=2**53, description="As answers and searches name it.")]


def mcp_server(app: App) -> "MCPServer":
    """The server with its five tools; UsageError: the package mcp is not installed.

    Questions are answered one after the other, each is stored and paid like any other.
    """
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise UsageError("this needs the package mcp: pip install 'haozhi[mcp]'") from error

    server: MCPServer = MCPServer("haozhi", instructions=INSTRUCTIONS, version=__version__)
    turn = threading.Lock()

    def told(tool: Callable[Given, Json]) -> Callable[Given, Json]:
        """The tool, one call at a time; an expected error is told, any other is not."""

        @wraps(tool)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Json:
            try:
                with turn:
                    return tool(*args, **kwargs)
            except HaozhiError as error:
                raise ToolError(str(error)) from error

        return call

    for tool in _tools(app):
        server.add_tool(told(tool))
    return server


def _tools(app: App) -> tuple[Callable[..., Json], ...]:
    """The tools; their docstrings are what an agent reads."""
    asker_id = app.settings.asker

    def ask_(question: str, language: Language | None = None) -> Json:
        """Answer a question in Chinese or English, with sources, shares and what was paid."""
        answer_id = ask(app, question, AskOptions(language=language), asker_id=asker_id)
        return answered(app, answer_id)

    def search_(query: str, limit: Annotated[int, Field(ge=1, le=100)] = 8) -> Json:
        """Find statements by meaning and by words, with their authors; nothing is paid."""
        found = search(app.engine, app.near, query, limit, reranker=app.reranker)
        return {"statements": [search_view(each) for each in found]}

    def who_(claim: str, language: Language | None = None) -> Json:
        """Tell who stated a claim, or from whose statements it follows; nothing is paid."""
        return answered(app, who(app, claim, language=language, asker_id=asker_id))

    def get_source(statement_id: StatementId) -> Json:
        """A statement with its authors, works, dates, licences and what stands around it."""
        with read(app.engine) as session:
            return statement_view(session, statement_id)

    def get_credit(author: str, period: Annotated[int | None, Field(ge=1)] = None) -> Json:
        """An author's credit report, by id or name, by default for the open period."""
        with read(app.engine) as session:
            return report_view(session, author, period)

    tools = (ask_, search_, who_, get_source, get_credit)
    for tool in tools:
        tool.__name__ = tool.__name__.rstrip("_")
    return tools
