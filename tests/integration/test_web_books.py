"""The pages over real books: reports with their files, why an answer is so, what may be shown."""

import csv
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from haozhi import policies
from haozhi.app import App
from haozhi.credits import credits_text
from haozhi.reports.report_view import report_view
from haozhi.settings import load_settings
from haozhi.source_view import source_view
from haozhi.web.server import build
from haozhi.web.service import AppService
from store.engine import read, write
from store.ledger import entries_for_answer
from store.rights import NewGrant, add_grant, add_holder
from tests.full_books import FullBooks, make_full_books
from tests.stored_books import add_corpus, settle

ANSWER = "answer-7"


class Reading(AppService):
    """The service without its models: what is stored can be read all the same."""

    def prepare(self) -> None:
        """Nothing is loaded."""


@pytest.fixture
def books(engine: Engine, tmp_path: Path) -> FullBooks:
    """Two closed periods and an open one."""
    return make_full_books(engine, tmp_path)


@pytest.fixture
def client(books: FullBooks, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a server over them."""
    service = Reading(App(load_settings(data_dir=tmp_path), books.engine))
    with TestClient(build(service), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("period", [1, 2, 3])
def test_a_reports_page_shows_the_report(client: TestClient, books: FullBooks, period: int) -> None:
    """The equation, every line with its answer, three charts, and the period that was chosen."""
    html = client.get(f"/authors/A/report?period={period}").text
    with read(books.engine) as s:
        view = report_view(s, "A", period)
    for column in ("opening", "earned", "closing", "held"):
        assert credits_text(view[f"{column}_micro"]) in html
    for line in view["lines"]:
        assert f">{line['answer_id']}</a>" in html or line["answer_id"] is None
    assert html.count("<svg") == 3
    assert f'<option value="{period}" selected>' in html
    assert f"/report/report.zip?period={period}" in html


def test_a_report_can_be_downloaded(client: TestClient, books: FullBooks) -> None:
    """Lines for a spreadsheet, a PDF, and an archive that holds the proof of a closed period."""
    lines = client.get("/authors/A/report/lines.csv?period=1").content.decode("utf-8-sig")
    with read(books.engine) as s:
        count = report_view(s, "A", 1)["line_count"]
    assert len([*csv.DictReader(io.StringIO(lines))]) == count
    assert client.get("/authors/A/report/report.pdf?period=1").content.startswith(b"%PDF")
    archive = zipfile.ZipFile(io.BytesIO(client.get("/authors/A/report/report.zip").content))
    assert "report/lines.csv" in archive.namelist()
    response = client.get("/authors/A/report/report.zip?period=1")
    assert 'filename="report.zip"' in response.headers["content-disposition"]
    assert "report/verify.py" in zipfile.ZipFile(io.BytesIO(response.content)).namelist()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/authors/nobody/report", 404),
        ("/authors/A%00/report", 404),
        ("/authors/A/report?period=99", 404),
        ("/authors/A/report?period=x", 422),
        ("/authors/A/report/secret.txt", 422),
        ("/authors/nobody/report/lines.csv", 404),
        ("/answers/nothing/why", 404),
        ("/v1/answers/nothing/why", 404),
        ("/v1/answers/nothing/receipt", 404),
    ],
)
def test_what_is_not_there_is_said(client: TestClient, path: str, status: int) -> None:
    """A wrong name, period or file is a problem, never a failure."""
    response = client.get(path, headers={"Accept": "text/html"})
    assert response.status_code == status
    html = response.headers["content-type"].startswith("text/html")
    assert html is not path.startswith("/v1/")


def test_why_names_the_entry(client: TestClient, books: FullBooks) -> None:
    """The ledger's entry with its place and hash, and each tier that was stored."""
    why = client.get(f"/v1/answers/{ANSWER}/why").json()
    with read(books.engine) as s:
        (entry,) = entries_for_answer(s, ANSWER)
    assert [(e["id"], e["seq"], e["hash"]) for e in why["entries"]] == [
        (entry.key, entry.seq, entry.hash)
    ]
    assert [found["tier"] for found in why["attributions"]] == ["final"]


def test_neighbours_obey_grants_and_budget(engine: Engine) -> None:
    """What stands around a statement is cut as it is, and not shown where showing is counted."""
    corpus = add_corpus(engine)
    answer = settle(engine, corpus, 1)
    assert answer is not None
    first, second, _ = (added.statement_id for added in corpus.statements)
    with read(engine) as s:
        found = source_view(s, "answer-1")
    assert (found[first]["before"], found[first]["after"]) == (None, "2 + 1 = 3")
    assert (found[second]["before"], found[second]["after"]) == ("1 + 1 = 2", "5 + 4 = 9")
    with write(engine) as s:
        holder = add_holder(s, "Press")
        add_grant(s, NewGrant(corpus.work_id, holder, 0, display_chars=5), "Ada")
    with read(engine) as s:
        assert source_view(s, "answer-1")[second]["before"] == "1 + 1…"
    proposed = policies.propose(engine, {"display_budget_chars": 100}, "Ada")
    policies.approve(engine, proposed.proposal.id, "Bob")
    with read(engine) as s:
        found = source_view(s, "answer-1")
    assert (found[second]["before"], found[second]["after"]) == (None, None)
