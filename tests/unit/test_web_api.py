"""The API over a fake service: what it takes, what it refuses, and how it says so."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import pytest
from fastapi.testclient import TestClient

from haozhi.web.server import build
from store.errors import (
    Ambiguous,
    BadInput,
    HaozhiError,
    IndexMissing,
    ModelMissing,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
    UsageError,
)
from tests.fake_service import ANSWER, FakeService

LOCAL = "http://localhost"
LIMIT_S = 10


@pytest.fixture
def service() -> FakeService:
    """A service that answers at once."""
    return FakeService()


@pytest.fixture
def client(service: FakeService) -> Iterator[TestClient]:
    """A client of a server that has started."""
    with TestClient(build(service, places=1), base_url=LOCAL) as client:
        yield client


def _problem(response: Any, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert (body["type"], body["status"]) == ("about:blank", status)
    assert body["title"]
    return body


def test_ask_and_who_answer_with_the_stored_answer(
    client: TestClient, service: FakeService
) -> None:
    """The body's members reach the service, and the answer comes back as it is stored."""
    body = {"question": "几?", "language": "zh", "top_k": 3, "seed": 5}
    assert client.post("/v1/ask", json=body).json() == ANSWER
    assert client.post("/v1/who", json={"claim": "1 = 1"}).json() == ANSWER
    assert service.asked == ["几?", "1 = 1"]
    options = service.options[0]
    assert (options.language, options.top_k, options.seed) == ("zh", 3, 5)
    assert client.get("/v1/answers/an1").json() == ANSWER


def test_a_report_is_found_by_any_name(client: TestClient) -> None:
    """A name may hold a slash or Chinese; the period is a number."""
    assert client.get("/v1/authors/a%2Fb 甲/report?period=2").json() == {
        "author": "a/b 甲",
        "period": 2,
    }
    _problem(client.get("/v1/authors/a/report?period=x"), 422)
    _problem(client.get("/v1/authors/a/report?period=99999999999999999999"), 422)


def test_an_answer_is_cited_in_three_styles(client: TestClient) -> None:
    """Each style has its own media type and leads back to the answer's page; no other style is."""
    url = "/v1/answers/an1/citations"
    kinds = {"csl": "csl+json", "bibtex": "x-bibtex", "gbt7714": "text/plain"}
    for style, kind in kinds.items():
        response = client.get(url, params={"format": style})
        assert kind in response.headers["content-type"]
        assert f"{LOCAL}/answers/an1" in response.text
    assert client.get(url).json()[0]["URL"] == f"{LOCAL}/answers/an1"
    _problem(client.get(url, params={"format": "apa"}), 422)
    _problem(client.get("/v1/answers/an2/citations"), 404)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "JSON"),
        (b'{"question": "\xff"}', 400, ""),
        (b"[" * 60_000, 400, ""),
        (b"", 422, "required"),
        (b"[]", 422, ""),
        (b'{"question": ""}', 422, "empty"),
        (b'{"question": " \\n "}', 422, "empty"),
        (b'{"question": 3}', 422, "question"),
        (b'{"question": "a\\u0000"}', 422, "U+0000"),
        (b'{"question": "a\\ud800"}', 422, "U+D800"),
        (b'{"question": "a", "\\ud800": 1}', 422, ""),
        (b'{"question": "a", "top_k": 0}', 422, "top_k"),
        (b'{"question": "a", "top_k": "5"}', 422, "top_k"),
        (b'{"question": "a", "seed": -1}', 422, "seed"),
        (b'{"question": "a", "language": "fr"}', 422, "language"),
        (b'{"question": "a", "fee": 0}', 422, "fee"),
        (json.dumps({"question": "x" * 10_001}).encode(), 422, "10000"),
        (json.dumps({"question": "x" * 70_000}).encode(), 413, "64 kB"),
    ],
)
def test_a_body_that_cannot_be_used_is_a_problem(
    client: TestClient, service: FakeService, body: bytes, status: int, said: str
) -> None:
    """Each wrong body has its status and a detail that names what is wrong; nothing is asked."""
    headers = {"Content-Type": "application/json"}
    problem = _problem(client.post("/v1/ask", content=body, headers=headers), status)
    assert said in problem.get("detail", "")
    assert service.asked == []


def test_a_body_of_untold_length_is_limited_too(client: TestClient) -> None:
    """Chunks are counted as they come."""
    chunks = (b" " * 10_000 for _ in range(10))
    headers = {"Content-Type": "application/json"}
    _problem(client.post("/v1/ask", content=chunks, headers=headers), 413)


def test_ten_thousand_chinese_characters_are_a_question(client: TestClient) -> None:
    """The longest question fits into the largest body."""
    body = json.dumps({"question": "问" * 10_000}).encode()
    headers = {"Content-Type": "application/json; charset=utf-8"}
    assert client.post("/v1/ask", content=body, headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json_is_taken(client: TestClient, kind: str | None) -> None:
    """Any other kind of body, which a form on another site could send, is a 415."""
    headers = {"Content-Type": kind} if kind else {}
    _problem(client.post("/v1/ask", content=b'{"question": "a"}', headers=headers), 415)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("use it so"), 400),
        (NotFound("use it so"), 404),
        (Ambiguous("use it so", ["a1", "a2"]), 409),
        (BadInput("use it so"), 422),
        (ModelMissing("use it so"), 503),
        (IndexMissing("use it so"), 503),
        (StoreBusy("use it so"), 503),
        (StoreReadOnly("use it so"), 503),
        (StoreFull("use it so"), 503),
    ],
)
def test_an_expected_error_says_what_to_do(
    client: TestClient, service: FakeService, error: HaozhiError, status: int
) -> None:
    """Each kind of expected error has its status and keeps its one line, in both threads."""
    service.fails = error
    for response in (
        client.post("/v1/ask", json={"question": "a"}),
        client.get("/v1/authors/a/report"),
    ):
        problem = _problem(response, status)
        assert problem["detail"].startswith("use it so")
        assert problem.get("candidates", []) == list(getattr(error, "candidates", []))
        assert ("retry-after" in response.headers) == isinstance(error, StoreBusy)


@pytest.mark.parametrize("error", [RuntimeError("secret"), HaozhiError("secret")])
def test_an_unexpected_error_says_nothing(
    client: TestClient, service: FakeService, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """The client learns that it is a 500, the log has the rest, and the server goes on."""
    service.fails = error
    for response in (
        client.post("/v1/ask", json={"question": "a"}),
        client.get("/v1/authors/a/report"),
    ):
        _problem(response, 500)
        assert "secret" not in response.text
        assert response.headers["x-content-type-options"] == "nosniff"
    assert "secret" in caplog.text
    service.fails = None
    assert client.post("/v1/ask", json={"question": "a"}).status_code == 200


def test_what_is_not_there_is_a_problem(client: TestClient) -> None:
    """Unknown paths, answers and methods have their problem, the method with those allowed."""
    _problem(client.get("/nothing"), 404)
    _problem(client.get("/static/nothing"), 404)
    _problem(client.get("/docs"), 404)
    assert "an2" in _problem(client.get("/v1/answers/an2"), 404)["detail"]
    response = client.get("/v1/ask")
    _problem(response, 405)
    assert response.headers["allow"] == "POST"


def test_ready_means_that_questions_are_answered(client: TestClient, service: FakeService) -> None:
    """Alive is not ready: an old database is a 503 that names the command."""
    client.post("/v1/ask", json={"question": "a"})  # by now it is prepared
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"status": "ready"}
    service.current = False
    assert "haozhi db upgrade" in _problem(client.get("/readyz"), 503)["detail"]
    assert client.get("/healthz").status_code == 200


def test_a_missing_model_is_not_ready(service: FakeService) -> None:
    """The server starts, says why it is not ready, and says the same to each question."""
    service.prepare_fails = ModelMissing("run haozhi models install")
    with TestClient(build(service), base_url=LOCAL) as client:
        asked = client.post("/v1/ask", json={"question": "a"})
        for response in (asked, client.get("/readyz")):
            assert "haozhi models install" in _problem(response, 503)["detail"]


def test_a_full_queue_is_a_503(client: TestClient, service: FakeService) -> None:
    """One is answered, one waits, the third is told when to come back; none is lost."""
    service.hold = True
    with ThreadPoolExecutor(3) as threads:
        ask = {"question": "a"}
        first = threads.submit(client.post, "/v1/ask", json=ask)
        assert service.started.wait(LIMIT_S)
        others = [threads.submit(client.post, "/v1/ask", json=ask) for _ in range(2)]
        wait(others, LIMIT_S, FIRST_COMPLETED)
        service.go.set()
        statuses = sorted(future.result().status_code for future in [first, *others])
        refused = next(f.result() for f in others if f.result().status_code == 503)
    assert statuses == [200, 200, 503]
    assert int(refused.headers["retry-after"]) > 0
    assert "waiting" in _problem(refused, 503)["detail"]


def test_a_client_that_leaves_cancels_its_question() -> None:
    """When the connection ends, the question sees it and the next one is answered."""
    service = FakeService(hold=True)
    web = build(service)
    web.state.worker.start()

    async def leave() -> list[Any]:
        messages = iter([{"type": "http.request", "body": b'{"question": "left"}'}])
        sent: list[Any] = []

        async def receive() -> Any:
            for message in messages:
                return message
            await asyncio.to_thread(service.started.wait, LIMIT_S)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/ask",
            "raw_path": b"/v1/ask",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        }
        await asyncio.wait_for(web(scope, receive, send), LIMIT_S)
        return sent

    asyncio.run(leave())
    assert service.cancelled == ["left"]
    web.state.worker.close()
    web.state.worker.join()
