"""`haozhi search` and `haozhi eval retrieval` through the real command."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from haozhi.cli import app
from haozhi.settings import load_settings
from store.errors import HaozhiError

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def _settings(model_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(model_dir))
    monkeypatch.setenv("COLUMNS", "200")
    assert load_settings().reranker is None


def _run(*command: str) -> Any:
    result = RUNNER.invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    return json.loads(line)


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Three statements by two authors and by nobody known."""
    rows = [
        {"text": "我家貓叫糰子。", "author": "甲", "date": "2024-05-01"},
        {"text": "The tide turns twice a day.", "author": "Bo", "date": "2023"},
        {"text": "Cats sleep for most of the day."},
    ]
    _lines(tmp_path / "notes.jsonl", rows)
    return tmp_path / "notes.jsonl"


def test_search_by_words_meaning_and_filters(notes: Path) -> None:
    """Simplified finds traditional; filters hold; each hit says how it was found; neighbours."""
    _run("ingest", str(notes))
    (first, *_) = _run("search", "猫叫什么")["statements"]
    assert first["text"] == "我家貓叫糰子。"
    assert first["ranks"]["lexical"] == 1
    assert first["score"] > 0
    assert -1 <= first["similarity"] <= 1
    (only,) = _run("search", "day", "--mode", "lexical", "--author", "Bo")["statements"]
    assert [author["name"] for author in only["authors"]] == ["Bo"]
    assert only["similarity"] is None
    (dated,) = _run("search", "day", "--from", "2024", "--to", "2024-12")["statements"]
    assert dated["text"] == "我家貓叫糰子。"
    (hit,) = _run("search", "tide", "--top-k", "1", "--neighbours", "1")["statements"]
    assert [each["text"] for each in hit["before"]] == ["我家貓叫糰子。"]
    assert [each["text"] for each in hit["after"]] == ["Cats sleep for most of the day."]


@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        (("--author", "Nobody"), 3, "no author"),
        (("--work", "w0"), 3, "no work"),
        (("--from", "soon"), 4, "not a date"),
        (("--from", "2024", "--to", "2023"), 4, "nothing is from 2024"),
    ],
)
def test_filters_that_make_no_sense_are_one_line(
    notes: Path, option: tuple[str, ...], code: int, message: str
) -> None:
    """Exit 3 for what is not there, 4 for what is no date."""
    _run("ingest", str(notes))
    error = RUNNER.invoke(app, ["search", "day", "--mode", "lexical", *option]).exception
    assert isinstance(error, HaozhiError)
    assert error.exit_code == code
    assert message in str(error)


def test_words_are_found_without_any_model(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lexical mode looks for no model."""
    _run("ingest", str(notes))
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(tmp_path / "no-models"))
    (found, *_) = _run("search", "TIDE", "--mode", "lexical")["statements"]
    assert found["text"] == "The tide turns twice a day."


def test_retrieval_is_measured_on_data_of_ones_own(tmp_path: Path) -> None:
    """Every mode gets every figure; vectors are kept in the folder that is named."""
    data = tmp_path / "set"
    data.mkdir()
    _lines(
        data / "statements.jsonl",
        [
            {"sid": "s1", "text": "Warsaw is the capital of Poland.", "author": "Bo"},
            {"sid": "s2", "text": "我家猫叫团子。", "author": "甲"},
            {"sid": "s3", "text": "The tide turns twice a day."},
        ],
    )
    _lines(
        data / "questions.jsonl",
        [
            {"question": "What governs Poland?", "gold_sids": ["s1"], "gold_authors": ["Bo"]},
            {"question": "猫叫什么？", "gold_sids": ["s2"], "gold_authors": ["甲"]},
        ],
    )
    kept = str(tmp_path / "kept")
    found = _run("eval", "retrieval", str(data), "--folder", kept)
    assert (found["passages"], found["questions"]) == (3, 2)
    assert list(found["modes"]) == ["dense", "lexical", "rrf", "hybrid"]
    for figures in found["modes"].values():
        assert figures["recall@5"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
        assert figures["author_f1@4"]["mean"] > 0.3
    again = RUNNER.invoke(app, ["eval", "retrieval", str(data), "--folder", kept])
    assert "embedded" not in again.output
    assert "recall@10" in again.stdout
    one = _run("eval", "retrieval", str(data), "--folder", kept, "--mode", "lexical")
    assert list(one["modes"]) == ["lexical"]


@pytest.mark.evaldata
def test_simplified_questions_find_traditional_text() -> None:
    """Words alone find nearly every DRCD paragraph first, asked in simplified characters."""
    drcd = str(Path(os.environ["HAOZHI_EVAL_DATA"]) / "drcd")
    options = ("--simplified", "--limit", "200", "--mode", "lexical")
    found = _run("eval", "retrieval", drcd, *options)
    assert found["modes"]["lexical"]["recall@1"]["mean"] >= 0.93
