"""Items of attribution: six statements by six authors, spread over languages and kinds."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from haozhi.evaluation.attribution.items import spread
from haozhi.evaluation.attribution.sources import load_items
from haozhi.evaluation.attribution.synthetic import synthetic_items
from store.errors import BadInput


def test_made_items_are_the_same_every_time() -> None:
    """A seed makes the same items, another seed others."""
    assert list(synthetic_items()) == list(synthetic_items())
    assert list(synthetic_items()) != list(synthetic_items(seed=1))


def test_made_items_cover_kinds_and_languages_alike() -> None:
    """At least six of each kind in Chinese and in English, with what is needed among six."""
    items = list(synthetic_items())
    counts = Counter((item.language, item.kind) for item in items)
    kinds = ("single", "duplicate", "conjunction", "two-hop")
    assert all(counts[language, kind] >= 6 for language in ("zh", "en") for kind in kinds)
    needed = {"single": 1, "duplicate": 2, "conjunction": 2, "two-hop": 2}
    assert all(len(item.relevant or ()) == needed[item.kind] for item in items)
    assert all(len(set(item.statements)) == len(set(item.authors)) == 6 for item in items)


def test_the_answer_stands_in_needed_statements_only() -> None:
    """Each name of a made item's answer is in what is needed and in no other statement."""
    for item in synthetic_items():
        for name in item.answer.replace("和", " and ").split(" and "):
            holding = {i for i, text in enumerate(item.statements) if name in text}
            assert frozenset() < holding <= (item.relevant or frozenset()), item.id


def test_the_first_items_are_spread() -> None:
    """Of the first eight made ones each kind comes once per language, languages taking turns."""
    first = [item for _, item in zip(range(8), spread(synthetic_items()), strict=False)]
    assert len({(item.language, item.kind) for item in first}) == 8
    assert [item.language for item in first[:4]] == ["en", "zh", "en", "zh"]


def test_statements_move_with_what_is_known_of_them() -> None:
    """In another order each statement keeps its author and whether it is relevant."""
    item = next(synthetic_items())
    order = [5, 4, 3, 2, 1, 0]
    turned = item.ordered(order, item.statements)
    assert turned.statements == item.statements[::-1]
    assert turned.authors == item.authors[::-1]
    assert turned.relevant == frozenset(5 - i for i in item.relevant or ())


def _hotpot(count: int = 7) -> dict[str, Any]:
    context = [[f"Town {n}", ["It is old. ", f"Town {n} lies on river {n}."]] for n in range(count)]
    question = "On which river does Town 3 lie?"
    return {
        "question": question,
        "answer": "river 3",
        "context": context,
        "supporting_facts": [["Town 3", 1]],
    }


def _written(tmp_path: Path, rows: Any, name: str = "maxshapley/some.json") -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_passage_starts_where_it_tells_most(tmp_path: Path) -> None:
    """Six passages of seven, the relevant one among them, each from its most telling sentence."""
    (item,) = load_items(_written(tmp_path, [_hotpot()]))
    (relevant,) = item.relevant or frozenset()
    assert item.statements[relevant] == "Town 3 lies on river 3."
    assert len(item.statements) == 6
    assert (item.kind, item.language, item.answer) == ("bridge", "en", "river 3")


def test_graded_passages_are_relevant_from_two_on(tmp_path: Path) -> None:
    """MS MARCO's grades 2 and 3 count as relevant, 1 and 0 do not."""
    row = {
        "query_id": 7,
        "question": "what is a tarn",
        "context": [[str(n), [f"A tarn is lake number {n}."]] for n in range(6)],
        "supporting_facts": [[str(n), n % 4] for n in range(6)],
    }
    (item,) = load_items(_written(tmp_path, [row]))
    assert item.kind == "search"
    assert {int(item.authors[i]) for i in item.relevant or ()} == {2, 3}


def test_a_comment_is_asked_for_by_its_speaker(tmp_path: Path) -> None:
    """The question names maxim and speaker; only the speaker's comment is relevant."""
    comments = [f"{a}{b}曰：说法{a}。" for a, b in ("甲一", "乙二", "丙三", "丁四", "戊五", "己六")]
    rows = [{"content": "花不可以无蝶。", "comment": comments}, {"content": "另", "comment": []}]
    path = tmp_path / "maxims.jsonl"
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), encoding="utf-8")
    (item,) = load_items(path)
    assert item.question == "“花不可以无蝶”，甲一怎么说？"
    assert [item.authors[i] for i in item.relevant or ()] == ["甲一"]
    assert (item.kind, item.language) == ("comment", "zh")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"question": "Why?", "context": []}], "no questions of a known shape"),
        ([{"context": []}], "something has no `question`"),
        ({"a": 1}, "shape that is not known"),
        ([], "no questions of a known shape"),
        ([_hotpot(count=4)], "no questions of a known shape"),
    ],
)
def test_data_of_no_known_shape_is_one_clear_line(tmp_path: Path, rows: Any, said: str) -> None:
    """Missing fields, another shape, nothing usable: one line that names the file."""
    path = _written(tmp_path, rows)
    with pytest.raises(BadInput, match=said) as caught:
        load_items(path)
    assert str(path) in str(caught.value)


def test_what_is_no_json_or_not_there_is_one_clear_line(tmp_path: Path) -> None:
    """A file that is not there, one that is no JSON, a folder with nothing known in it."""
    torn = tmp_path / "torn.json"
    torn.write_text('[{"question": ', encoding="utf-8")
    for path, said in ((tmp_path / "none", "no file or folder"), (torn, "is not JSON")):
        with pytest.raises(BadInput, match=said):
            load_items(path)
    with pytest.raises(BadInput, match="no questions of a known shape"):
        load_items(tmp_path)
