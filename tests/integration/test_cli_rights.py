"""`haozhi rights`: grants in words, names that find works and holders, errors in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from haozhi.app import open_app
from haozhi.cli import app
from haozhi.settings import load_settings
from store.engine import write
from store.errors import Ambiguous, BadInput, HaozhiError, NotFound
from store.people import add_author
from store.statements import NewStatement, add_statements
from store.works import NewWork, add_work

TEXT = "我家猫叫团子。"
DAY_MS = 86_400_000


@pytest.fixture(autouse=True)
def work_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A work called `cats` with one statement, and the author 李四, in the data folder."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    with write(open_app(load_settings()).engine) as s:
        add_author(s, "李四", "x")
        found = _add_work(s, "cats")
        add_statements(s, found, "public", [NewStatement(TEXT, "zh", 0, len(TEXT))])
    return found


def _add_work(s: Any, title: str, path: str = "p") -> str:
    about = ("public", title + path, 1, path, title, "text/plain", "utf-8", "x", TEXT)
    return add_work(s, NewWork(*about))


def _run(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["rights", *map(str, arguments)], catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def _json(*arguments: object) -> dict[str, Any]:
    out = _run(*arguments, "--json")
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_work_without_grants_is_free(work_id: str) -> None:
    """What may be done is said in words, and by id, title and path alike."""
    assert _run("show", "cats").splitlines() == [
        f"cats ({work_id}), of unknown date",
        ", ".join(f"{use}: free, there are no grants" for use in ("answer", "display", "train")),
    ]
    assert _json("show", work_id) == _json("show", "p") == _json("show", "cats")
    assert _json("show", "cats")["uses"] == dict.fromkeys(("answer", "display", "train"), "free")


def test_a_grant_is_shown_as_it_was_made(work_id: str) -> None:
    """Every option reaches the grant; dates are whole days in UTC, the last one included."""
    press = _json("holder", "Press")["id"]
    options = ["--no-generate", "--display-chars", 20, "--train", "--terms", "mit or apache-2.0"]
    dates = ["--from", "2020-01-01", "--until", "2020-01-02"]
    result = _json("grant", "cats", "--holder", "Press", "--ppm", 5, *options, *dates, "--by", "x")
    (made,) = result["grants"]
    assert result["uses"] == dict.fromkeys(("answer", "display", "train"), "not_granted")
    assert made["valid_until_ms"] - made["valid_from_ms"] == 2 * DAY_MS
    assert made["valid_from_ms"] == 1_577_836_800_000
    expected: dict[str, Any] = {
        "may_retrieve": True,
        "may_generate": False,
        "may_display": True,
        "ppm": 5,
    }
    expected |= {"may_train": True, "display_chars": 20, "terms": "MIT OR Apache-2.0"}
    expected |= {"holder_id": press, "holder": "Press", "in_force": False, "granted_by": "x"}
    assert made.items() >= expected.items()
    assert _json("show", work_id) == result
    line, details = _run("show", "cats").splitlines()[2:]
    assert line == f"grant {made['id']}, not in force: Press, 5 ppm"
    assert details == (
        "    retrieve, no generate, display, train, at most 20 characters shown,"
        " from 2020-01-01 00:00:00 UTC, until 2020-01-03 00:00:00 UTC, MIT OR Apache-2.0"
    )


def test_an_author_can_forbid_and_allow_again(work_id: str) -> None:
    """Authors are holders by name; a grant that has ended leaves the work to the next one."""
    forbidding = _json(
        "grant", "cats", "--holder", "李四", "--ppm", 0, "--no-retrieve", "--by", "x"
    )
    assert forbidding["uses"]["answer"] == "forbidden"
    (made,) = forbidding["grants"]
    assert made["holder"] == "李四"
    assert _run("end", made["id"], "--by", "y") == f"grant {made['id']} has ended\n"
    assert _json("show", "cats")["uses"]["answer"] == "not_granted"
    again = _json("grant", "cats", "--holder", "李四", "--ppm", 0, "--by", "x")
    assert again["uses"] == {"answer": "granted", "display": "granted", "train": "forbidden"}
    assert again["grants"][0]["ended_by"] == "y"
    assert again["work"]["id"] == work_id


def test_evidence_is_for_a_date() -> None:
    """A work's date and how it is known are recorded together."""
    with pytest.raises(BadInput, match="say when"):
        _run("evidence", "cats", "registry", "--by", "x")
    found = _json("evidence", "cats", "registry", "--published-on", "1999-05", "--by", "x")
    assert (found["work"]["published_on"], found["work"]["evidence"]) == ("1999-05", "registry")
    assert _run("show", "cats").splitlines()[0].endswith("published 1999-05 (registry)")
    kept = _json("evidence", "cats", "isbn_doi", "--by", "x")
    assert (kept["work"]["published_on"], kept["work"]["evidence"]) == ("1999-05", "isbn_doi")


def test_common_knowledge_and_askers_who_are_authors_are_said_once() -> None:
    """Doing it again changes nothing and says so."""
    assert _run("common", TEXT, "--by", "x") == "statement 1 is common knowledge\n"
    assert _json("common", "1", "--by", "x") == {"statement_id": 1, "marked": False}
    linked = _json("link", "local", "李四", "--by", "x")
    assert linked["linked"]
    assert not _json("link", "local", linked["author_id"], "--by", "x")["linked"]
    unlinked = _json("unlink", "local", "李四", "--by", "y")
    assert (unlinked["unlinked"], unlinked["unlinked_by"]) == (True, "y")
    assert not _json("unlink", "local", "李四", "--by", "y")["unlinked"]


def test_who_looked_at_recognised_text_is_named(work_id: str) -> None:
    """A reading is confirmed by somebody, never by nobody."""
    found = _json("reading", "cats", "--by", "Ada")
    assert found == {"work_id": work_id, "statements": 0, "by": "Ada"}
    done = CliRunner().invoke(app, ["rights", "reading", "cats"])
    assert (done.exit_code, "--by" in done.stderr) == (2, True)


GRANT = ("grant", "cats", "--holder", "李四", "--by", "x", "--ppm")


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (NotFound, ("show", "dogs")),
        (NotFound, ("grant", "cats", "--holder", "Nobody", "--ppm", "1", "--by", "x")),
        (NotFound, ("end", "7", "--by", "x")),
        (NotFound, ("common", "no such text", "--by", "x")),
        (NotFound, ("common", "9" * 30, "--by", "x")),
        (NotFound, ("link", "local", "nobody", "--by", "x")),
        (BadInput, (*GRANT, "1000001")),
        (BadInput, (*GRANT, "1", "--from", "2020-02-30")),
        (BadInput, (*GRANT, "1", "--until", "soon")),
        (BadInput, (*GRANT, "1", "--until", "9999-12-31")),
        (BadInput, (*GRANT, "1", "--from", "2020-01-02", "--until", "2020-01-01")),
        (BadInput, (*GRANT, "1", "--display-chars", "99999999999")),
        (BadInput, (*GRANT, "1", "--terms", "http://example.org/rsl")),
        (BadInput, ("grant", "cats", "--holder", "李四", "--by", " ", "--ppm", "1")),
        (BadInput, ("evidence", "cats", "hearsay", "--published-on", "1999", "--by", "x")),
        (BadInput, ("evidence", "cats", "signed", "--published-on", "May", "--by", "x")),
        (BadInput, ("evidence", "cats", "signed", "--published-on", "3000-01-01", "--by", "x")),
        (BadInput, ("evidence", "cats", "registry", "--published-on", "3000", "--by", "x")),
        (BadInput, ("holder", "\u200b")),
        (BadInput, ("link", " ", "李四", "--by", "x")),
        (BadInput, ("unlink", "local", "李四", "--by", " ")),
    ],
)
def test_bad_input_is_one_line_and_changes_nothing(
    error: type[HaozhiError], arguments: tuple[str, ...]
) -> None:
    """What cannot be found or cannot be is an expected error, and no grant is left by it."""
    with pytest.raises(error) as caught:
        _run(*arguments)
    assert len(str(caught.value).splitlines()) == 1
    assert _json("show", "cats")["grants"] == []


def test_a_grant_that_would_be_over_says_which_option_is_wrong() -> None:
    """A last day in the past needs a first day before it; both together are a grant of the past."""
    with pytest.raises(BadInput, match="--until.* is over.*--from"):
        _run(*GRANT, "1", "--until", "2020-01-01")
    (made,) = _json(*GRANT, "1", "--from", "2019-01-01", "--until", "2020-01-01")["grants"]
    assert not made["in_force"]


def test_an_ambiguous_title_is_refused_with_candidates(work_id: str) -> None:
    """Two works of one title are never guessed between, nor a title that is another's path."""
    with write(open_app(load_settings()).engine) as s:
        other = _add_work(s, "dogs", path="cats")
    with pytest.raises(Ambiguous) as caught:
        _run("show", "cats")
    assert set(caught.value.candidates) == {work_id, other}


def test_a_holder_is_added_once() -> None:
    """A second holder of one name would make each grant to it ambiguous."""
    assert _run("holder", "Press").startswith("holder h")
    with pytest.raises(BadInput, match="already"):
        _run("holder", " Press ")
