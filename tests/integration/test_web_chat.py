"""The OpenAI-compatible endpoint, used by the official client over a real connection."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import openai
import pytest
import uvicorn

from haozhi.web.chat_view import annotations
from haozhi.web.server import build
from store.errors import BadInput
from tests.fake_service import ANSWER, WHY, FakeService

ASKED: list[Any] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "earlier"},
    {"role": "assistant", "content": "an answer"},
    {"role": "user", "content": [{"type": "text", "text": "团子是谁？"}]},
]


@pytest.fixture
def service() -> FakeService:
    """A service that answers at once."""
    return FakeService()


@pytest.fixture
def client(service: FakeService) -> Iterator[openai.OpenAI]:
    """The official client of a server on a port of its own."""
    config = uvicorn.Config(build(service, places=1), log_level="error", lifespan="on")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        with openai.OpenAI(base_url=address, api_key="none", max_retries=0) as client:
            yield client
        server.should_exit = True
        thread.join()


def test_the_last_message_is_answered_with_its_sources(
    client: openai.OpenAI, service: FakeService
) -> None:
    """Text, citations by URL, usage, and the whole answer in `haozhi`."""
    found = client.chat.completions.create(
        model="haozhi", messages=ASKED, temperature=1, seed=4, max_completion_tokens=20
    )
    assert service.asked == ["团子是谁？"]
    options = service.options[0]
    assert (options.temperature, options.seed, options.max_new_tokens) == (1.0, 4, 20)
    message = found.choices[0].message
    assert (message.content, message.refusal) == (ANSWER["text"], None)
    assert found.choices[0].finish_reason == "stop"
    assert message.annotations
    citation = message.annotations[0].url_citation
    assert (citation.start_index, citation.end_index, citation.title) == (0, 5, "A&B, <w>")
    assert citation.url.startswith("http://127.0.0.1:")
    assert citation.url.endswith("/answers/an1#s7")
    assert found.usage
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (9, 5)
    assert found.to_dict()["haozhi"] == ANSWER
    assert found.system_fingerprint == WHY["model_fingerprint"]


def test_a_stream_says_the_same(client: openai.OpenAI) -> None:
    """The pieces make the text; then citations, the end, the usage, and [DONE]."""
    stream = client.chat.completions.create(
        model="haozhi", messages=ASKED, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert deltas[0].role == "assistant"
    assert "".join(delta.content or "" for delta in deltas) == ANSWER["text"]
    cited = [delta.to_dict()["annotations"] for delta in deltas if "annotations" in delta.to_dict()]
    assert len(cited) == len(annotations(ANSWER, ""))
    finishes = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert finishes == [None] * (len(finishes) - 1) + ["stop"]
    assert deltas[-1].content is None
    assert chunks[-1].usage
    assert chunks[-1].usage.total_tokens == 14
    assert len({chunk.id for chunk in chunks}) == 1


def test_without_the_wish_no_chunk_has_usage(client: openai.OpenAI) -> None:
    """Usage comes only where `include_usage` asks for it."""
    stream = client.chat.completions.create(model="haozhi", messages=ASKED, stream=True)
    assert all(chunk.usage is None and chunk.choices for chunk in stream)


def test_the_models_are_one(client: openai.OpenAI) -> None:
    """The list, and the one by its name."""
    assert [model.id for model in client.models.list()] == ["haozhi"]
    assert client.models.retrieve("haozhi").owned_by == "haozhi"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"model": "gpt-4"}, openai.NotFoundError),
        ({"messages": []}, openai.UnprocessableEntityError),
        ({"messages": [{"role": "assistant", "content": "a"}]}, openai.UnprocessableEntityError),
        ({"messages": [{"role": "user", "content": ""}]}, openai.UnprocessableEntityError),
        ({"messages": [{"role": "user", "content": None}]}, openai.UnprocessableEntityError),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
            openai.UnprocessableEntityError,
        ),
        ({"n": 2}, openai.UnprocessableEntityError),
        ({"temperature": -1}, openai.UnprocessableEntityError),
    ],
)
def test_what_cannot_be_answered_is_the_client_s_error(
    client: openai.OpenAI, service: FakeService, change: dict[str, Any], error: type[Exception]
) -> None:
    """A wrong request has a status of its own, and nothing is asked."""
    body: dict[str, Any] = {"model": "haozhi", "messages": ASKED} | change
    with pytest.raises(error):
        client.chat.completions.create(**body)
    assert service.asked == []


@pytest.mark.parametrize("stream", [False, True])
def test_a_failure_comes_before_the_first_chunk(
    client: openai.OpenAI, service: FakeService, *, stream: bool
) -> None:
    """With a stream as without one, the status says that it failed and the body says why."""
    service.fails = BadInput("ask something else")
    with pytest.raises(openai.UnprocessableEntityError, match="ask something else"):
        client.chat.completions.create(model="haozhi", messages=ASKED, stream=stream)
