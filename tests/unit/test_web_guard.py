"""The server answers to this machine and to its own page only, and says so in its headers."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from haozhi.web.guard import is_loopback
from haozhi.web.server import build
from tests.fake_service import FakeService

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A client of a server that has started; it does not follow redirects."""
    with TestClient(build(FakeService()), "http://localhost", follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1", True),
        ("127.0.0.2", True),
        ("::1", True),
        ("localhost", True),
        ("::", False),
        ("", False),
        ("192.168.1.2", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
    ],
)
def test_what_names_this_machine_only(host: str, ours: bool) -> None:
    """A loopback address or localhost, nothing that looks like one."""
    assert is_loopback(host) is ours


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 400),
        ("localhost@evil.example", 400),
        ("testserver", 400),
        ("[::1", 400),
        ("", 400),
    ],
)
def test_another_host_name_is_refused(client: TestClient, host: str, status: int) -> None:
    """A page that makes its own name point here (DNS rebinding) learns nothing."""
    assert client.get("/", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost:9000"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_form_on_another_site_is_refused(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    """A question costs money: only our own page, or no browser at all, may send one."""
    response = client.post("/ask", content=b"question=a", headers={**FORM, **headers})
    assert response.status_code == status


@pytest.mark.parametrize(
    "path",
    [
        "/answers/an1/why",
        "/authors/A/report",
        "/authors/A/report/lines.csv",
        "/v1/answers/an1/why",
        "/v1/answers/an1/receipt",
        "/v1/authors/A/report",
    ],
)
def test_no_page_is_for_another_host(client: TestClient, path: str) -> None:
    """Until there are accounts, what anybody earned or asked is read on this machine only."""
    assert client.get(path, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/", "/nothing", "/v1/answers/an1", "/answers/an1/why", "/static/style.css", "/static/ask.js"],
)
def test_every_response_is_guarded(client: TestClient, path: str) -> None:
    """No script or style from elsewhere, no frame, no guessing of types."""
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
