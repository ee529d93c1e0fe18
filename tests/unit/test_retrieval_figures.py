"""What the figures of retrieval count, and the shapes of data that they are measured on."""

import json
from pathlib import Path
from typing import Any

import pytest

from haozhi.evaluation.retrieval_data import Half, Passage, load_retrieval_set
from haozhi.evaluation.retrieval_figures import Ranked, figures
from store.errors import BadInput


def _ranked(sids: str, gold: str, authors: str = "", gold_authors: str = "") -> Ranked:
    """One letter per place and right passage; a dot is nobody."""
    names = [frozenset(name.replace(".", "")) for name in authors or "." * len(sids)]
    return Ranked([frozenset(s) for s in sids], names, frozenset(gold), frozenset(gold_authors))


def test_recall_counts_the_right_passages_among_the_first() -> None:
    """Half of two at the first place, all within five."""
    found = figures([_ranked("axxbx", "ab")])
    assert [found[f"recall@{k}"].mean for k in (1, 5, 10)] == [0.5, 1.0, 1.0]
    assert found["mrr"].mean == 1.0


def test_ndcg_discounts_by_place_and_knows_the_best() -> None:
    """All right ones first is 1, nothing is 0, and one of one at the third place is 1/log2(4)."""
    assert figures([_ranked("abx", "ab")])["ndcg@10"].mean == 1.0
    assert figures([_ranked("xyz", "ab")])["ndcg@10"].mean == 0.0
    assert figures([_ranked("xya", "a")])["ndcg@10"].mean == pytest.approx(0.5)


def test_author_f1_looks_at_the_first_four() -> None:
    """A and B right, C wrong, D missing: precision 2/3, recall 2/3; who comes fifth is late."""
    found = figures([_ranked("vwxyz", "v", "AB.CD", "ABD")])
    assert found["author_f1@4"].mean == pytest.approx(2 / 3)
    assert "author_f1@4" not in figures([_ranked("a", "a")])


def test_intervals_are_about_questions() -> None:
    """A mean lies within its interval, one question has none to speak of, runs agree."""
    many = [_ranked("a" if n % 2 else "x", "a") for n in range(100)]
    first = figures(many)["recall@1"]
    assert first.low < first.mean == 0.5 < first.high
    assert 0.38 < first.low < 0.42
    assert figures(many)["recall@1"] == first


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


def test_a_folder_of_ones_own_is_read(tmp_path: Path) -> None:
    """Statements with what is known of them, questions with what answers them, and distractors."""
    _lines(
        tmp_path / "statements.jsonl",
        [
            {"sid": "s1", "text": "One.", "author": "A and B C", "source": "The Verge",
             "title": "T", "published_at": "2023-09-26T17:01:22+00:00"},
            {"sid": "s2", "text": "Two."},
        ],
    )  # fmt: skip
    questions = [{"question": "Q?", "gold_sids": ["s1"]}, {"question": "?", "gold_sids": []}]
    _lines(tmp_path / "questions.jsonl", questions)
    _lines(tmp_path / "more.jsonl", [{"content": "Three.", "author": "D"}])
    found = load_retrieval_set(tmp_path, [tmp_path / "more.jsonl"])
    first, second, third = found.passages
    headings = ("The Verge", "T")
    assert first == Passage("s1", "One.", "statements", headings, "2023-09-26", "A and B C")
    assert second == Passage("s2", "Two.", "statements")
    assert (third.text, third.byline) == ("Three.", "D")
    assert [question.gold for question in found.questions] == [("s1",)]


def test_questions_are_halved_so_that_what_is_tuned_on_is_not_published(tmp_path: Path) -> None:
    """The two halves share no question and are all of them together."""
    _lines(tmp_path / "statements.jsonl", [{"sid": "s1", "text": "One."}])
    asked = [{"question": f"Q{n}?", "gold_sids": ["s1"]} for n in range(5)]
    _lines(tmp_path / "questions.jsonl", asked)
    halves: list[Half] = ["dev", "heldout"]
    dev, heldout = (
        [each.text for each in load_retrieval_set(tmp_path, half=half).questions] for half in halves
    )
    assert (dev, heldout) == (["Q0?", "Q2?", "Q4?"], ["Q1?", "Q3?"])


ARTICLE = {
    "data": [
        {
            "title": "貓",
            "paragraphs": [{"context": "貓很小。", "qas": [{"question": "貓多大？"}]}],
        }
    ]
}
HOTPOT = {
    "question": "Q?",
    "supporting_facts": [["A", 0]],
    "context": [["A", ["One. ", "Two."]], ["B", ["Three."]]],
}
MUSIQUE = {
    "question": "Q?",
    "paragraphs": [
        {"title": "A", "paragraph_text": "One.", "is_supporting": True},
        {"title": "B", "paragraph_text": "Two.", "is_supporting": False},
    ],
}


@pytest.mark.parametrize("data", [ARTICLE, [HOTPOT], [MUSIQUE]])
def test_known_shapes_give_passages_and_what_answers(tmp_path: Path, data: object) -> None:
    """The first passage answers the question in each of the examples."""
    path = tmp_path / "data.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = load_retrieval_set(path)
    assert [question.gold for question in found.questions] == [("p0",)]
    assert found.passages[0].title in ("貓", "A")


def test_questions_can_be_asked_in_simplified_characters(tmp_path: Path) -> None:
    """Only the question changes."""
    path = tmp_path / "data.json"
    path.write_text(json.dumps(ARTICLE), encoding="utf-8")
    found = load_retrieval_set(path, ask_simplified=True)
    assert (found.questions[0].text, found.passages[0].text) == ("猫多大？", "貓很小。")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"data.json": "[]"}, "shape that is not known"),
        ({"data.json": "{"}, "cannot be read"),
        ({"statements.jsonl": '{"sid": "s", "text": "x"}'}, "cannot be read"),
        (
            {
                "statements.jsonl": '{"sid": "s", "text": "x"}',
                "questions.jsonl": '{"question": "q", "gold_sids": ["t"]}',
            },
            "does not have: t",
        ),
        (
            {
                "statements.jsonl": '{"sid": "s", "text": "x"}',
                "questions.jsonl": '{"question": "q"}',
            },
            "no `gold_sids`",
        ),
        ({"statements.jsonl": '{"sid": "s"}', "questions.jsonl": "{}"}, "no `text`"),
        ({}, "name one file"),
    ],
)
def test_data_that_cannot_be_used_is_one_line(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    """Missing files, fields, passages and unknown shapes are named."""
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        load_retrieval_set(tmp_path)
