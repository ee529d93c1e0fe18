"""The demo does the whole main job on the samples, and can be run again."""

import re
from pathlib import Path

import pytest

from haozhi import demo


def test_the_demo_does_the_main_job_and_again(
    tmp_path: Path,
    model_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It prints two cited answers and two credit reports; a second run has nothing to ingest."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path / "demo"))
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(model_dir))
    demo.demo()
    said = capsys.readouterr()
    assert said.out.startswith("The sample corpus: 6 works, 52 new statements, 0 duplicates.\n")
    for question, label in zip(demo.QUESTIONS, ("AI-generated", "由 AI 生成"), strict=True):
        assert re.search(rf"\n{re.escape(question)}\n\n.*3.*\n{label}", said.out)
    assert len(re.findall(r"\n  [AB]  .*█.* %", said.out)) == 4
    assert re.findall(r"Credit report of (\w)", said.out) == ["A", "B"]
    assert _form(said.out) == _form(_shown_in_readme())
    assert len(re.findall(r"^answered in [\d.]+ s$", said.err, re.MULTILINE)) == 2

    monkeypatch.setattr(demo, "QUESTIONS", ())
    demo.demo()
    again = capsys.readouterr().out
    assert again.startswith("The sample corpus: nothing to do")
    assert again.partition("Credit report")[2] == said.out.partition("Credit report")[2]


def _shown_in_readme() -> str:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    between = re.search(r"demo output: begin.*?\n(.*)<!-- demo output: end", text, re.DOTALL)
    assert between
    return between[1]


def _form(output: str) -> list[str]:
    """The lines without what differs from run to run: ids, amounts, lengths of bars."""
    bare = re.sub(r"\ban?[0-9a-f]{16}\b", "ID", output)
    bare = re.sub(r"\d+", "0", re.sub(r"[█-▏░]+", "█", bare))
    return [" ".join(line.split()) for line in bare.strip().splitlines()]
