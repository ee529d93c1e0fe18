"""`haozhi serve` with the real models: starts, answers, ends cleanly, and is for this machine."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from haozhi.accounting.settle import check_ledger
from haozhi.app import App, open_app
from haozhi.models.embedders import load_embedder
from haozhi.samples import sample_paths
from haozhi.settings import load_settings
from haozhi.web.rendering import percent
from ingest.pipeline import ingest
from store.answers import list_answers, unsettled
from store.engine import read

HAOZHI = Path(sys.executable).with_name("haozhi")
LIMIT_S = 120


@dataclass(frozen=True)
class Server:
    """A running `haozhi serve` with a client for it and an app over the same data."""

    process: subprocess.Popen[str]
    client: httpx2.Client
    app: App

    def ask(self, question: str) -> httpx2.Response:
        """One question to the API."""
        return self.client.post("/v1/ask", json={"question": question})


def _serve(folder: Path, *options: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [HAOZHI, "serve", *options],
        env={**os.environ, "HAOZHI_DATA_DIR": str(folder), **variables},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def server(model_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over the sample corpus, ready; what is left of it in the end is killed."""
    folder = tmp_path_factory.mktemp("served")
    settings = load_settings(data_dir=folder, model_dir=model_dir)
    app = open_app(settings)
    ingest(sample_paths(), engine=app.engine, embedder=load_embedder(settings))
    process = _serve(folder, "--port", "0", HAOZHI_MODEL_DIR=str(model_dir))
    assert process.stderr
    said = [process.stderr.readline() for _ in range(2)]
    found = re.search(r"ready at (http://127\.0\.0\.1:\d+)/", said[-1])
    assert found, said
    with httpx2.Client(base_url=found[1], timeout=LIMIT_S) as client:
        yield Server(process, client, app)
    process.kill()
    process.wait()
    process.stderr.close()
    app.engine.dispose()


@pytest.fixture(scope="module")
def answer(server: Server) -> dict[str, Any]:
    """The answer to the one question that most tests share."""
    response = server.ask("1+1+1 等于几？")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_it_is_ready_when_it_says_so(server: Server) -> None:
    """Index and models are loaded before the line that tells the address."""
    deadline = time.monotonic() + LIMIT_S
    while server.client.get("/readyz").status_code != 200:  # the worker looks once more
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert server.client.get("/readyz").json() == {"status": "ready"}
    assert server.client.get("/healthz").status_code == 200


def test_an_answer_over_http_is_final_and_paid(server: Server, answer: dict[str, Any]) -> None:
    """The plain POST waits for the final shares; the stored answer is the same value."""
    assert (answer["state"], answer["tier"], answer["language"]) == ("answered", "final", "zh")
    assert "3" in answer["text"]
    assert (
        sum(share["share_ppb"] for share in answer["shares"]) + answer["unattributed_ppb"] == 10**9
    )
    assert sum(posting["amount_micro"] for posting in answer["postings"]) == answer["fee_micro"]
    assert server.client.get(f"/v1/answers/{answer['id']}").json() == answer


def test_the_authors_report_has_the_line(server: Server, answer: dict[str, Any]) -> None:
    """A's credit report, by name and by id, shows what the answer brought."""
    share = next(share for share in answer["shares"] if share["name"] == "A")
    by_name = server.client.get("/v1/authors/A/report").json()
    assert by_name == server.client.get(f"/v1/authors/{share['author_id']}/report").json()
    lines = [line for line in by_name["lines"] if line["answer_id"] == answer["id"]]
    assert [line["share_ppb"] for line in lines] == [share["share_ppb"]]
    period = by_name["period"]["id"]
    assert server.client.get(f"/v1/authors/A/report?period={period}").json() == by_name


def test_the_answers_pages_show_its_authors(server: Server, answer: dict[str, Any]) -> None:
    """Without a script: the text, both authors with their share, the statements, and why."""
    page = server.client.get(f"/answers/{answer['id']}").text
    for text in ("1 + 1 = 2", "2 + 1 = 3", "AI-generated"):
        assert text in page
    why = server.client.get(f"/answers/{answer['id']}/why").text
    for share in answer["shares"]:
        assert percent(share["share_ppb"]) in page
        assert percent(share["share_ppb"]) in why
    assert answer["receipt"]["entry_hash"] in why
    receipt = server.client.get(f"/v1/answers/{answer['id']}/receipt").json()
    assert receipt == answer["receipt"]


def test_a_claim_over_http_posts_nothing(server: Server) -> None:
    """`POST /v1/who` gives a stored answer of kind who, in the language asked for, without fee."""
    body = {"claim": "1 + 1 + 1 = 3", "language": "en"}
    found = server.client.post("/v1/who", json=body).json()
    assert (found["kind"], found["language"], found["fee_micro"]) == ("who", "en", 0)
    assert {share["name"] for share in found["shares"]} == {"A", "B"}
    assert (found["entry_id"], found["postings"]) == (None, [])


@pytest.mark.parametrize(
    ("question", "said"), [("1+1+1 等于几？", "3"), ("What is 1 + 1 + 1?", "3")]
)
def test_a_client_made_for_openai_gets_the_sources(
    server: Server, question: str, said: str
) -> None:
    """The official client asks, and each of its citations leads to a statement of the page."""
    address = f"{server.client.base_url}/v1"
    with openai.OpenAI(base_url=address, api_key="none", timeout=LIMIT_S) as client:
        found = client.chat.completions.create(
            model="haozhi", messages=[{"role": "user", "content": question}]
        )
    message = found.choices[0].message
    assert said in (message.content or "")
    assert message.annotations
    for annotation in message.annotations:
        path, _, anchor = annotation.url_citation.url.partition("#")
        assert f'id="{anchor}"' in server.client.get(path).text


def _stream(server: Server, question: str, **headers: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a question asked as a stream."""
    body = {"question": question}
    text = server.client.post("/v1/ask/stream", json=body, headers=headers).text
    blocks = [re.findall(r"^(?:event|data): (.*)$", b, re.MULTILINE) for b in text.split("\n\n")]
    return [(block[0], json.loads(block[1])) for block in blocks if block]


def test_a_streamed_answer_is_the_stored_one_and_can_be_had_again(server: Server) -> None:
    """Its last draft is its text, its shares come twice, and to resume it costs nothing."""
    question = "Where is the Harbour Library's collection of old maps kept?"
    events = _stream(server, question)
    names = [name for name, _ in events]
    assert names[:2] == ["meta", "queue"]
    assert names.index("evidence") < names.index("delta") < names.index("attribution")
    tiers = [data["tier"] for name, data in events if name == "attribution"]
    assert tiers == ["provisional", "final"]
    answer = events[-1][1]["answer"]
    assert server.client.get(f"/v1/answers/{answer['id']}").json() == answer
    deltas = [data for name, data in events if name == "delta"]
    last = [delta["text"] for delta in deltas if delta["draft"] == deltas[-1]["draft"]]
    assert "".join(last) == answer["text"]
    before = _answers(server.app)
    again = _stream(server, question, **{"Last-Event-ID": answer["id"]})
    assert again[-1] == events[-1]
    assert (again[0], _answers(server.app)) == (events[0], before)
    other = _stream(server, "another question", **{"Last-Event-ID": answer["id"]})
    assert other[-1][1]["problem"]["status"] == 422


def test_who_leaves_a_stream_gets_no_answer_and_pays_none(server: Server) -> None:
    """Generation stops when the connection ends; the next question is answered."""
    before = _answers(server.app)
    body = {"question": "Where was the botanist Elin Torvald born?"}
    with server.client.stream("POST", "/v1/ask/stream", json=body) as response:
        assert any(line == "event: evidence" for line in response.iter_lines())
    assert server.ask("1 + 1 + 1 = ?").status_code == 200
    assert _answers(server.app) == before + 1


# Last: it ends the server.
def test_sigterm_finishes_the_answer_in_work(server: Server) -> None:
    """The answer in work is given and paid, the waiting question gets a 503, the exit code is 0."""
    before = _answers(server.app)
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(server.ask, "1 + 1 + 1 = ?") for _ in range(2)]
        time.sleep(0.5)  # both have arrived, none is answered
        server.process.send_signal(signal.SIGTERM)
        statuses = sorted(future.result().status_code for future in both)
    assert statuses == [200, 503]
    assert server.process.wait(LIMIT_S) == 0
    assert _answers(server.app) == before + 1
    with read(server.app.engine) as session:
        assert unsettled(session) == ()
        assert check_ledger(session) == ()


def _answers(app: App) -> int:
    with read(app.engine) as session:
        return len(list_answers(session, limit=100))


@pytest.mark.parametrize("host", ["0.0.0.0", "haozhi.example"])  # noqa: S104  # refused
def test_another_host_is_refused(tmp_path: Path, host: str) -> None:
    """Until there are accounts the server is for this machine: one line, nothing created."""
    process = _serve(tmp_path / "data", "--host", host)
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert said.startswith(f"haozhi: serve cannot open {host}")
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    """It is noticed before anything is loaded."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = _serve(tmp_path, "--port", port)
        _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert said.startswith(f"haozhi: port {port} of 127.0.0.1: ")
    assert len(said.splitlines()) == 1


def test_a_missing_model_ends_it(tmp_path: Path) -> None:
    """The server does not open without its models; the last line names the command."""
    process = _serve(tmp_path, "--port", "0", HAOZHI_MODEL_DIR=str(tmp_path / "none"))
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 5
    assert "haozhi models install" in said.splitlines()[-1]
    assert "Traceback" not in said
