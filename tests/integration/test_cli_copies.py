"""`haozhi eval copies` and `haozhi eval setting`, on made texts and on real ones."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from haozhi.cli import app
from haozhi.evaluation.copies import load_texts
from haozhi.evaluation.settings import load_setting_set
from store.errors import BadInput

RUNNER = CliRunner()

ORIGINAL = "The derived classes inherit the attributes and the behaviour of their base classes."
FILES = {
    "orig_taska.txt": ("a", "orig", f"{ORIGINAL}\nA base class has no parent of its own."),
    "p1_taska.txt": ("a", "cut", ORIGINAL),
    "p2_taska.txt": ("a", "light", ORIGINAL.replace("behaviour", "behavior")),
    "p3_taska.txt": ("a", "heavy", "What a parent class does is done by its children as well."),
    "p4_taska.txt": ("a", "non", ORIGINAL.replace("inherit", "never inherit")),
}


@pytest.fixture(autouse=True)
def _settings(model_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(model_dir))


def _measured(folder: Path) -> dict[str, dict[str, Any]]:
    result = RUNNER.invoke(app, ["eval", "copies", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    found: dict[str, dict[str, Any]] = json.loads(line)["categories"]
    return found


def test_credit_reaches_the_original_of_copies_only(tmp_path: Path) -> None:
    """Cut and light copies reach it; other words, and a denial in the same words, do not."""
    rows = ["File,Task,Category"]
    for name, (task, category, text) in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        rows.append(f"{name},{task},{category}")
    (tmp_path / "file_information.csv").write_text("\n".join(rows), encoding="utf-8")
    found = _measured(tmp_path)
    reached = {kind: figures["reached"] for kind, figures in found.items()}
    assert reached == {"cut": 1, "light": 1, "heavy": 0, "non": 0}
    assert found["cut"]["holding"] == 1
    assert (found["non"]["statements"], found["non"]["statements_others"]) == (1, 0)


def test_a_folder_without_the_table_is_one_line(tmp_path: Path) -> None:
    """It says what is missing."""
    with pytest.raises(BadInput, match=r"file_information\.csv"):
        load_texts(tmp_path)


@pytest.mark.evaldata
@pytest.mark.slow
def test_real_copies_reach_the_original_and_nothing_else_does() -> None:
    """Short answers: every cut or light copy that holds text of the original, none without it."""
    found = _measured(Path(os.environ["HAOZHI_EVAL_DATA"]) / "short_answer_plagiarism")
    for kind in ("cut", "light"):
        assert found[kind]["missed"] == []
    assert found["cut"]["reached"] + found["light"]["reached"] >= 36
    assert found["non"]["statements_reached"] == 0


def test_a_setting_is_measured_on_sentences_with_pronouns(tmp_path: Path) -> None:
    """Questions that a pronoun's sentence answers, and others, each alone and in the setting."""
    text = "Marie Curie was born in Warsaw. She moved to Paris in 1891. Tom likes tea."
    asked = [("Where did Marie Curie move?", "Paris"), ("What does Tom like?", "tea")]
    qas = [{"question": q, "answers": [{"answer_start": text.index(a)}]} for q, a in asked]
    paragraph = {"context": text, "qas": qas}
    path = tmp_path / "set.json"
    path.write_text(json.dumps({"data": [{"title": "Curie", "paragraphs": [paragraph]}]}))
    result = RUNNER.invoke(app, ["eval", "setting", str(path), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["statements"], found["questions"], found["pronoun_questions"]) == (3, 2, 1)
    assert list(found["ways"]) == [
        *("pronoun alone", "pronoun in setting", "others alone", "others in setting")
    ]
    assert found["ways"]["pronoun in setting"]["recall@10"]["mean"] == 1


def test_a_set_without_pronouns_is_refused(tmp_path: Path) -> None:
    """There is nothing to measure, and the line says so."""
    path = tmp_path / "set.json"
    path.write_text('{"data": []}')
    with pytest.raises(BadInput, match="opens with a pronoun"):
        load_setting_set(path, 100)
    path.write_text("[]")
    with pytest.raises(BadInput, match="SQuAD"):
        load_setting_set(path, 100)
