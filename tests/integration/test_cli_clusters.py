"""`haozhi clusters` and `haozhi author list`: who stands for whom is told, not guessed."""

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.orm import Session

from store.clusters import join_clusters
from store.engine import Engine, write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, put_embeddings, withdraw_statement
from store.works import NewWork, add_work
from tests.identifying import People
from tests.terminal import Terminal

ORIGINAL, COPY = "我家貓叫糰子，每天都去圖書館看書。", "我家猫叫团子，每天都去图书馆看书"


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_DATABASE_URL", raising=False)


@pytest.fixture
def haozhi(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line."""
    return Terminal(capsys)


def _said(s: Session, name: str, text: str, published_on: str) -> int:
    work = add_work(
        s, NewWork("public", name * 64, 1, "p", f"of {name}", "text/plain", "utf-8", "x", text)
    )
    by = (AuthorShare(add_author(s, name, "x"), 1_000_000),)
    statement = NewStatement(text, "zh", 0, len(text), by, published_on=published_on)
    (added,) = add_statements(s, work, "public", [statement])
    put_embeddings(s, "f", [added.statement_id], np.array([[1.0, 0.0]], dtype=np.float32))
    join_clusters(s, "f", [added.statement_id])
    return added.statement_id


def test_copies_are_listed_with_the_first_of_them_first(
    haozhi: Terminal, sqlite_engine: Engine
) -> None:
    """By date, not by import; a withdrawn one is marked; what stands alone is not listed."""
    assert haozhi.text("clusters") == "no text is there twice\n"
    with write(sqlite_engine) as s:
        copy = _said(s, "B", COPY, "2024-05-01")
        _said(s, "C", "潮水一天涨落两次。", "2020")
        original = _said(s, "A", ORIGINAL, "2023")
    (cluster,) = haozhi.json("clusters")["clusters"]
    first, second = cluster["statements"]
    assert (first["statement_id"], second["statement_id"]) == (original, copy)
    assert (first["text"], first["published_on"]) == (ORIGINAL, "2023")
    assert [each["authors"][0]["name"] for each in (first, second)] == ["A", "B"]
    assert first["work"]["title"] == "of A"
    assert haozhi.text("clusters").splitlines() == [
        f"cluster {cluster['id']}",
        f"{original:>8}  {ORIGINAL}  (A; 2023; of A)",
        f"{copy:>8}  {COPY}  (B; 2024-05-01; of B)",
    ]
    assert haozhi.json("clusters", "--after", cluster["id"]) == {"clusters": []}
    with write(sqlite_engine) as s:
        withdraw_statement(s, original)
    (cluster,) = haozhi.json("clusters")["clusters"]
    assert [each["withdrawn"] for each in cluster["statements"]] == [False, True]
    assert cluster["statements"][0]["statement_id"] == copy


def test_the_list_of_authors_marks_who_is_not_sure(haozhi: Terminal, sqlite_engine: Engine) -> None:
    """An unresolved author and one who was merged are told from the others."""
    people = People(sqlite_engine)
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    met = people.say("魯迅")
    people.merge("周树人", "鲁迅")
    assert haozhi.text("author", "list").splitlines() == [
        f"{luxun.author_id}  鲁迅",
        f"{zhou.author_id}  周树人 (is author {luxun.author_id})",
        f"{met.author_id}  魯迅 (unresolved)",
    ]
    rows = haozhi.json("author", "list")["authors"]
    assert [(row["unresolved"], row["is_now"]) for row in rows] == [
        (False, None),
        (False, luxun.author_id),
        (True, None),
    ]


def test_an_empty_path_is_a_wrong_command(haozhi: Terminal) -> None:
    """`"$UNSET"` is no folder to back up to or to restore from."""
    for command in ("backup", "restore"):
        code, _, said = haozhi.run(command, "")
        assert (code, "a path is empty" in said) == (2, True)
