"""The page: a form that works without a script, and an answer whose every text is escaped."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from haozhi.web.rendering import percent
from haozhi.web.server import build
from store.errors import BadInput
from tests.fake_service import ANSWER, FakeService

HTML = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def service() -> FakeService:
    """A service that answers at once."""
    return FakeService()


@pytest.fixture
def client(service: FakeService) -> Iterator[TestClient]:
    """A client of a server that has started, as a browser without scripts is one."""
    with TestClient(build(service), base_url="http://localhost", headers=HTML) as client:
        yield client


def test_the_form_leads_to_the_answer(client: TestClient, service: FakeService) -> None:
    """The question is asked as typed, and a redirect keeps a reload from asking again."""
    assert 'action="/ask"' in client.get("/").text
    response = client.post("/ask", content="question=1+%2B+1+%E7%AD%89%E4%BA%8E%E5%87%A0")
    assert service.asked == ["1 + 1 等于几"]
    assert [r.status_code for r in (*response.history, response)] == [303, 200]
    assert response.url.path == "/answers/an1"


def test_an_answer_shows_whose_it_is(client: TestClient) -> None:
    """Label, segments with their sources, a bar with its words, and what nobody is credited for."""
    html = client.get("/answers/an1").text
    assert "AI-generated" in html
    assert 'data-rests="7" title="from the sources">甲&lt;i&gt;。</span>' in html
    assert 'href="#s7" data-rests="7"' in html
    assert "no source backs this" in html
    assert (
        'aria-label="A&amp;B 60.00 %; Unattributed: the model knew it without them 40.00 %"' in html
    )
    assert "50.0–70.0" in html
    assert "not backed by a statement" not in html
    for place in ("2020-01", "page 3", "characters 0–25"):
        assert place in html


def test_shares_say_whether_they_are_final(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before they are, nothing is said of a fee, and the page says what is still to come."""
    assert "Final shares, booked" in client.get("/answers/an1").text
    first = {"tier": "provisional", "entry_id": None}
    monkeypatch.setattr("tests.fake_service.ANSWER", ANSWER | first)
    html = client.get("/answers/an1").text
    assert "nothing is booked yet" in html
    assert "No fee" not in html


def test_a_refusal_is_not_called_generated(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words are ours: no model's label, no author; it says why nothing was answered."""
    nothing = {"state": "refused", "text": "没有。", "segments": [], "shares": []}
    refused = ANSWER | nothing | {"refusal": "unsupported", "unattributed_ppb": 10**9}
    monkeypatch.setattr("tests.fake_service.ANSWER", refused)
    html = client.get("/answers/an1").text.partition("<article")[2].partition("</article>")[0]
    assert "没有。" in html
    assert "What was found does not answer it." in html
    for absent in ("AI-generated", "Whose answer", "<h2>Sources"):
        assert absent not in html


@pytest.mark.parametrize("path", ["/answers/an1", "/answers/an1/why", "/answers/an1?lang=zh"])
def test_nothing_of_an_answer_becomes_markup(client: TestClient, path: str) -> None:
    """Questions, answers, statements, names, titles and licences are text, whatever they hold."""
    html = client.get(path).text
    for text in ("<b>几", "<i>", "<script>a", "<w>", "A&B", "<CC", "<u>", "<m>"):
        assert text not in html
    assert "&lt;script&gt;" in html
    assert "style=" not in html  # the policy refuses it


def test_why_shows_what_is_stored_and_calls_the_rest_unknown(client: TestClient) -> None:
    """Tokens, signals and measures as they are stored; null is never shown as a number."""
    html = client.get("/answers/an1/why").text
    assert "The prompt has 9 tokens: 3 of statements" in html
    for shown in ("0.750", "0.1000", "-0.300", "-2.500", "0.900", "Did not fit the window"):
        assert shown in html
    assert html.count('class="unknown">unknown') == 5
    assert "not stored" in html
    assert "Nothing was posted" in html


def test_a_claim_can_be_traced_by_its_form(client: TestClient, service: FakeService) -> None:
    """ "Who taught you this?" works without a script and leads to an answer of its own."""
    response = client.post("/who", content="claim=1+%3D+1")
    assert service.asked == ["1 = 1"]
    assert response.url.path == "/answers/an1"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("", 422, "empty"),
        ("question=", 422, "empty"),
        ("question=%FF", 400, "cannot be read"),
        ("&".join("question=a" for _ in range(99)), 400, "cannot be read"),
        ("question=" + "a" * 10_001, 422, "10000"),
    ],
)
def test_a_form_that_cannot_be_used_is_a_page(
    client: TestClient, service: FakeService, body: str, status: int, said: str
) -> None:
    """A person reads what is wrong on a page with the form, and nothing is asked."""
    response = client.post("/ask", content=body)
    assert response.status_code == status
    assert response.headers["content-type"].startswith("text/html")
    assert said in response.text
    assert service.asked == []


def test_a_problem_of_the_api_is_never_a_page(client: TestClient) -> None:
    """Under /v1 an error is problem+json whatever is accepted; a page shows it escaped."""
    assert client.get("/v1/answers/x").headers["content-type"] == "application/problem+json"
    html = client.get("/answers/%3Cscript%3E").text
    assert "there is no answer &lt;script&gt;" in html


def test_a_failure_is_shown_on_the_page(client: TestClient, service: FakeService) -> None:
    """An expected failure of the answering itself says its line there too."""
    service.fails = BadInput("ask something else")
    assert "ask something else" in client.post("/ask", content="question=a").text


def test_a_share_is_shown_in_percent() -> None:
    """Parts per billion with two decimals."""
    assert [percent(ppb) for ppb in (0, 333_333_333, 10**9)] == ["0.00 %", "33.33 %", "100.00 %"]
