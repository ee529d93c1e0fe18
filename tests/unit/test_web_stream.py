"""The event stream over a fake service: its events, its errors, and who leaves or comes back."""

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fastapi.routing
import httpx2
import pytest
from fastapi.testclient import TestClient

from haozhi.web.server import build
from haozhi.web.worker import Job, Work
from store.errors import BadInput, StoreBusy
from tests.fake_service import ANSWER, FakeService

LIMIT_S = 10
URL = "/v1/ask/stream"
Events = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def service() -> FakeService:
    """A service that answers at once."""
    return FakeService()


@pytest.fixture
def client(service: FakeService) -> Iterator[TestClient]:
    """A client of a server that has started; one question waits at most."""
    with TestClient(build(service, places=1), base_url="http://localhost") as client:
        yield client


def _events(text: str) -> Events:
    """The events of a stream, each by name with its data; comments are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def _problem(events: Events) -> dict[str, Any]:
    name, data = events[-1]
    assert name == "error"
    assert data["problem"]["type"] == "about:blank"
    problem: dict[str, Any] = data["problem"]
    return problem


def test_an_answer_comes_as_events_in_their_order(client: TestClient, service: FakeService) -> None:
    """First who answers, then place, evidence, words, shares, and the whole answer at the end."""
    body = {"question": "几?", "language": "zh", "top_k": 3}
    response = client.post(URL, json=body)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"
    events = _events(response.text)
    names = ["meta", "queue", "evidence", "delta", "citation", "attribution", "done"]
    assert [name for name, _ in events] == names
    meta, queue, evidence, delta, citation, attribution, done = (data for _, data in events)
    assert (meta["model"], queue) == ("fake", {"position": 0})
    assert evidence["context"] == ANSWER["context"]
    assert delta == {"draft": 1, "text": ANSWER["text"]}
    assert citation == {"segment": 0, "statement_id": 7, "share_ppb": 600_000_000}
    assert attribution["unattributed_ppb"] == 400_000_000
    assert done == {"answer": ANSWER}
    assert f"id: {meta['answer_id']}\n" in response.text
    assert (service.options[0].language, service.options[0].top_k) == ("zh", 3)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"question": ""}', "application/json", 422),
        (b'{"question": "a", "fee": 0}', "application/json", 422),
        (b"{", "application/json", 400),
        (b"question=a", "application/x-www-form-urlencoded", 415),
    ],
)
def test_what_is_refused_before_it_begins_is_no_stream(
    client: TestClient, service: FakeService, body: bytes, kind: str, status: int
) -> None:
    """A question that is not taken is a problem with its own status, as without a stream."""
    response = client.post(URL, content=body, headers={"Content-Type": kind})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert service.asked == []


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (BadInput("ask something else"), 422, "ask something else"),
        (StoreBusy("try again"), 503, "try again"),
        (RuntimeError("secret"), 500, ""),
    ],
)
def test_what_fails_later_ends_the_stream_with_its_problem(
    client: TestClient, service: FakeService, error: Exception, status: int, said: str
) -> None:
    """The problem is the one of the plain API; a defect's text stays in the log."""
    service.fails = error
    response = client.post(URL, json={"question": "a"})
    assert response.status_code == 200
    problem = _problem(_events(response.text))
    assert problem["status"] == status
    assert said in problem.get("detail", "")
    assert "secret" not in response.text


def test_an_id_that_is_none_of_ours_resumes_nothing(
    client: TestClient, service: FakeService
) -> None:
    """Last-Event-ID is the id of an answer, as every event had it."""
    known = "an0123456789abcdef"
    response = client.post(URL, json={"question": "a"}, headers={"Last-Event-ID": known})
    assert _events(response.text)[0][1]["answer_id"] == known
    for other in ("7", "../x", "an0123456789abcdef0"):
        headers = {"Last-Event-ID": other}
        assert client.post(URL, json={"question": "a"}, headers=headers).status_code == 400
    assert len(service.asked) == 1


def test_a_question_that_waits_is_told_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place in the queue comes before the answer, and pings keep the connection meanwhile."""
    monkeypatch.setattr(fastapi.routing, "_PING_INTERVAL", 0.05)
    service = FakeService(hold=True)
    web = build(service)
    submit = web.state.worker.submit

    def noted(work: Work) -> Job:
        job: Job = submit(work)
        if service.asked:
            threading.Timer(0.3, service.go.set).start()
        return job

    monkeypatch.setattr(web.state.worker, "submit", noted)
    with TestClient(web, base_url="http://localhost") as client, ThreadPoolExecutor(2) as threads:
        first = threads.submit(client.post, URL, json={"question": "a"})
        assert service.started.wait(LIMIT_S)
        second = threads.submit(client.post, URL, json={"question": "b"}).result(LIMIT_S)
        first.result(LIMIT_S)
    places = [data["position"] for name, data in _events(second.text) if name == "queue"]
    assert places == [1, 0]
    assert ": ping" in second.text


def test_who_leaves_the_stream_cancels_the_question() -> None:
    """When the connection ends, the question sees it, also between two events."""
    service = FakeService(hold=True)
    web = build(service)
    web.state.worker.start()

    async def leave() -> None:
        transport = httpx2.ASGITransport(web)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            asking = asyncio.create_task(client.post(URL, json={"question": "left"}))
            await asyncio.to_thread(service.started.wait, LIMIT_S)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    asyncio.run(leave())
    web.state.worker.close()
    web.state.worker.join()
    assert service.cancelled == ["left"]
