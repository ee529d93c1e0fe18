"""Whom an answer names, against whom people marked: read from files, measured once, scored."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from haozhi.evaluation.attribution.author_f1 import author_figures, measure_authors
from haozhi.evaluation.attribution.marked import load_marked
from haozhi.evaluation.attribution.rows import Row, open_rows
from haozhi.evaluation.attribution.self_citation import self_citation
from haozhi.evaluation.made.posing import Parts
from store.errors import BadInput
from tests.tiny import tiny

HOPS = {
    "question": "Where does Tom live?",
    "answer": "Oslo",
    "supporting_facts": [["Tom", 0], ["Mill", 4]],
    "context": [
        ["Tom", ["Tom lives near the mill."]],
        ["Mill (place)", ["Big. ", "Old."]],
        ["Mill", ["The mill is in Oslo."]],
    ],
}
SEARCH = {
    "query_id": 7,
    "question": "Where does Tom live?",
    "supporting_facts": [["11", 3], ["12", 1], ["13", 2]],
    "context": [
        ["11", ["Tom lives in Oslo."]],
        ["12", ["Tom is old."]],
        ["13", ["Oslo, says Tom."]],
    ],
}
METHODS = ("retrieval", "supported-only/1", "used-and-supported/1", "used-only/1", "self-citation")


class Letters:
    """An embedder of letter counts."""

    fingerprint, dim = "letters", 128

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[len(texts), 128] unit vectors."""
        rows = [np.bincount([ord(c) for c in t.lower()], minlength=128) for t in texts]
        found = np.array(rows, dtype=np.float32)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))

    queries = passages


@pytest.fixture(scope="module")
def parts() -> Parts:
    """A tiny model, a character a token, with room for a prompt of worked examples."""
    return Parts(replace(tiny("llama"), window=4096), Letters())


def _file(folder: Path, name: str, *rows: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_relevant_are_the_titles_named_or_the_high_grades(tmp_path: Path) -> None:
    """Beside an answer a title is enough; without one a grade of 2 or 3 counts."""
    _file(tmp_path, "a.json", HOPS)
    _file(tmp_path, "b.json", SEARCH)
    hops, search = load_marked(tmp_path)
    assert (hops.dataset, hops.relevant) == ("a", frozenset({0, 2}))
    assert (search.dataset, search.relevant) == ("b", frozenset({0, 2}))
    assert search.case.answer == ""


def test_a_passage_is_whole_and_says_its_title(tmp_path: Path) -> None:
    """All its sentences, under the title where it does not say it; a number is no title."""
    hops, search = load_marked(_file(tmp_path, "a.json", HOPS, SEARCH))
    assert hops.case.sayings[1].text == "Mill (place): Big. Old."
    assert hops.case.sayings[0].text == "Tom lives near the mill."
    assert search.case.sayings[0].text == "Tom lives in Oslo."


@pytest.mark.parametrize("text", ["{", "[1]", '[{"question": "?"}]', '{"a": 1}'])
def test_another_shape_is_one_clear_line(tmp_path: Path, text: str) -> None:
    """The line names the file."""
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"x\.json has no questions"):
        load_marked(path)


def test_a_folder_without_questions_is_one_clear_line(tmp_path: Path) -> None:
    """The line names the folder."""
    with pytest.raises(BadInput, match="has no JSON files"):
        load_marked(tmp_path)


def test_every_method_gives_each_passage_a_part_and_is_measured_once(
    parts: Parts, tmp_path: Path
) -> None:
    """Parts are 0..1 and at most one together; what is on file is not measured again."""
    marked = load_marked(_file(tmp_path, "a.json", HOPS, SEARCH))
    told: list[str] = []
    with open_rows(tmp_path / "rows.jsonl") as rows:
        first = measure_authors(parts, marked, rows, METHODS, told.append)
    with open_rows(tmp_path / "rows.jsonl") as rows:
        again = measure_authors(parts, marked, rows, METHODS, told.append)
    assert len(told) == len(METHODS) * 2
    for method in METHODS:
        for each in marked:
            row = first[method][each.case.id]
            assert len(row.influence) == 3
            assert min(row.influence) >= 0
            assert sum(row.influence) <= 1 + 1e-9
            assert again[method][each.case.id].influence == row.influence


def test_figures_are_over_questions_per_data_set_and_together(tmp_path: Path) -> None:
    """A tenth of the answer names an author; who is not measured does not count."""
    _file(tmp_path, "a.json", HOPS)
    _file(tmp_path, "b.json", SEARCH)
    marked = load_marked(tmp_path)

    def row(*influence: float) -> Row:
        return Row("", "m", "", 1, influence, 0, 0, 0, 0)

    found = author_figures(
        marked, {"m": {"a-0": row(0.9, 0.0, 0.1)}, "n": {"b-0": row(0.05, 0.5, 0.4)}}
    )
    assert found["m"].keys() == {"a", "all"}
    assert found["m"]["all"]["f1"].mean == 1
    assert found["n"]["b"]["precision"].mean == 0.5
    assert found["n"]["b"]["recall"].mean == 0.5


def test_markers_are_weighed_by_their_probability(parts: Parts) -> None:
    """One part per statement, together one."""
    found = self_citation(parts.generator, "en", "Who?", ["A is.", "B is."], "A")
    assert len(found) == 2
    assert sum(found) == pytest.approx(1)
