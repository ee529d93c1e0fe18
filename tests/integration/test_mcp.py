"""`haozhi mcp` with the real models, used by the official client over stdin and stdout."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from haozhi.models.embedders import load_embedder
from haozhi.samples import sample_paths
from haozhi.settings import load_settings
from ingest.pipeline import ingest
from store.database import upgrade
from store.engine import make_engine

HAOZHI = str(Path(sys.executable).with_name("haozhi"))
LIMIT_S = 240
TOOLS = {"ask", "search", "who", "get_source", "get_credit"}
Json = dict[str, Any]
Run = Callable[[Callable[[Client], Coroutine[Any, Any, Any]]], Any]


@pytest.fixture(scope="module")
def run(model_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs something with a client of a server over the sample corpus."""
    folder = tmp_path_factory.mktemp("mcp")
    settings = load_settings(data_dir=folder, model_dir=model_dir)
    engine = make_engine(settings.database_url)
    upgrade(engine)
    ingest(sample_paths(), engine=engine, embedder=load_embedder(settings))
    engine.dispose()
    variables = {"HAOZHI_DATA_DIR": str(folder), "HAOZHI_MODEL_DIR": str(model_dir)}
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    server = StdioServerParameters(command=HAOZHI, args=["mcp"], env=variables | kept)

    def run(use: Callable[[Client], Coroutine[Any, Any, Any]]) -> Any:
        async def connected() -> Any:
            async with Client(server, read_timeout_seconds=LIMIT_S) as client:
                return await use(client)

        return asyncio.run(connected())

    return run


async def _call(client: Client, tool: str, **arguments: Any) -> Json:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found = result.structured_content
    assert isinstance(found, dict)
    return found


def test_an_agent_asks_and_follows_the_money(run: Run) -> None:
    """From the question to the statement, the author and her credit, in both languages."""

    async def use(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        answer = await _call(client, "ask", question="1+1+1 等于几？")
        assert (answer["state"], answer["tier"], answer["language"]) == ("answered", "final", "zh")
        cited = answer["segments"][0]["citations"][0]["statement_id"]
        source = await _call(client, "get_source", statement_id=cited)
        assert source["text"] in answer["text"]
        author = source["occurrences"][0]["authors"][0]
        report = await _call(client, "get_credit", author=author["id"])
        assert [line["answer_id"] for line in report["lines"]] == [answer["id"]]
        claim = await _call(client, "who", claim="1 + 1 + 1 = 3", language="en")
        assert (claim["kind"], claim["fee_micro"]) == ("who", 0)
        assert {share["name"] for share in claim["shares"]} == {"A", "B"}

    run(use)


def test_a_search_names_authors_and_what_it_found(run: Run) -> None:
    """Chinese and English words find statements that `get_source` knows."""

    async def use(client: Client) -> None:
        for query in ("一加一", "tea"):
            hits = (await _call(client, "search", query=query, limit=3))["statements"]
            assert len(hits) == 3
            for hit in hits:
                source = await _call(client, "get_source", statement_id=hit["statement_id"])
                assert source["text"] == hit["text"]

    run(use)


WRONG: list[tuple[str, Json, str]] = [
    ("ask", {"question": " "}, "empty"),
    ("search", {"query": ""}, "nothing to search for"),
    ("search", {"query": "a", "limit": 0}, "limit"),
    ("get_source", {"statement_id": 10**9}, "no statement"),
    ("get_source", {"statement_id": 0}, "statement_id"),
    ("get_credit", {"author": "nobody at all"}, "nobody at all"),
    ("who", {}, "claim"),
]


def test_a_wrong_call_is_told_what_is_wrong(run: Run) -> None:
    """The agent reads one clear line each time, and the server goes on."""

    async def use(client: Client) -> None:
        for tool, arguments, said in WRONG:
            result = await client.call_tool(tool, arguments)
            assert result.is_error, tool
            assert said in str(result.content[0])
            assert "Traceback" not in str(result.content)
        assert (await client.list_tools()).tools

    run(use)
