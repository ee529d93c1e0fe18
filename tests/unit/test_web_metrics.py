"""Metrics and the access log over a fake service: what is counted, and what is never told."""

import json
import logging
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from haozhi.web.server import build
from tests.fake_service import FakeService


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A client of a server that has started."""
    with TestClient(build(FakeService()), base_url="http://localhost") as client:
        yield client


def _samples(client: TestClient) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(client.get("/metrics").text)
    samples = (sample for family in families for sample in family.samples)
    return {(each.name, *each.labels.values()): each.value for each in samples}


def test_requests_are_counted_by_route(client: TestClient) -> None:
    """An id is no label; errors, refusals and unknown addresses are counted too."""
    client.get("/v1/answers/an1")
    client.get("/v1/answers/an2")
    client.get("/answers/an1/why")
    client.get("/v1/answers/an1", headers={"Host": "evil.example"})
    client.request("BREW", "/nothing/here")
    samples = _samples(client)
    name = "haozhi_http_requests_total"
    assert samples[name, "GET", "/v1/answers/{answer_id}", "200"] == 1
    assert samples[name, "GET", "/v1/answers/{answer_id}", "404"] == 1
    assert samples[name, "GET", "/answers/{answer_id}/why", "200"] == 1
    assert samples[name, "none", "none", "400"] == 1
    assert samples[name, "none", "none", "404"] == 1
    assert not any("an1" in label for sample in samples for label in sample)


def test_the_queue_and_the_model_can_be_watched(client: TestClient) -> None:
    """An idle server that is ready."""
    client.post("/v1/ask", json={"question": "a"})
    samples = _samples(client)
    assert samples[("haozhi_questions_waiting",)] == 0
    assert samples[("haozhi_ready",)] == 1


def test_the_access_log_has_no_word_of_a_question(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    """One line of JSON per request with route, status and time."""
    with caplog.at_level(logging.INFO, logger="haozhi.access"):
        client.post("/v1/ask?secret=1", json={"question": "secret"})
    (line,) = (json.loads(record.message) for record in caplog.records)
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/ask", 200)
    assert "secret" not in caplog.text
