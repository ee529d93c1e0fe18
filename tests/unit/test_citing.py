"""References of an answer: what is known is in them, what is unknown is not made up."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haozhi.citing import FORMATS, Reference, cite, references
from tests.fake_service import ANSWER, PLACE

SITE = "http://localhost"
WORK = Reference("w1", "zh", ("甲",), "茶经", "2020-03", "", "CC-BY-4.0")


def _found(**changes: Any) -> list[Reference]:
    return references(ANSWER | changes, dict.fromkeys((3, 7), PLACE), 0, SITE)


def test_the_answer_comes_first_and_says_that_it_is_generated() -> None:
    """In every style the first reference is the answer, with its label, its day and its page."""
    for how in FORMATS:
        text = cite(_found(), how)
        assert "人工智能生成" in text
        assert f"{SITE}/answers/an1" in text
        assert "1970" in text
    assert "AI-generated" in cite(_found(language="en"), "gbt7714")


def test_a_work_is_cited_once_with_the_authors_of_what_is_cited() -> None:
    """Several segments on one work are one reference; what is only retrieved is none."""
    twice = [ANSWER["segments"][0], ANSWER["segments"][0]]
    own, *works = _found(segments=twice)
    assert own.key == "an1"
    assert works == [Reference("w1", "en", ("A&B",), "<w>", "2020-01", "", "<CC-BY-4.0>")]


def test_csl_has_what_is_known_and_nothing_else() -> None:
    """Unknown date and authors are absent, names stay whole."""
    known, unknown = json.loads(cite([WORK, replace(WORK, authors=(), date="", note="")], "csl"))
    assert known["author"] == [{"literal": "甲"}]
    assert known["issued"] == {"date-parts": [[2020, 3]]}
    assert known["type"] == "document"
    assert set(unknown) == {"id", "type", "title", "language"}


def test_bibtex_protects_names_and_commands() -> None:
    """A name is one author whatever is in it, and no character of it is a command."""
    text = cite([replace(WORK, authors=("A & B and C", "丁"), title="50 % {x}\\input")], "bibtex")
    assert text == (
        "@misc{w1,\n"
        "  author = {{A \\& B and C} and {丁}},\n"
        "  title = {{50 \\% \\{x\\}\\textbackslash{}input}},\n"
        "  year = {2020},\n"
        "  month = {3},\n"
        "  note = {CC-BY-4.0},\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("reference", "line"),
    [
        (WORK, "[1] 甲. 茶经[Z]. 2020-03. CC-BY-4.0.\n"),
        (replace(WORK, authors=(), date="", note=""), "[1] 佚名. 茶经[Z].\n"),
        (
            replace(WORK, authors=("甲", "乙", "丙", "丁"), note=""),
            "[1] 甲, 乙, 丙, 等. 茶经[Z]. 2020-03.\n",
        ),
        (
            replace(WORK, url="http://a/b", language="en", authors=(), note=""),
            "[1] Anon. 茶经[EB/OL]. (2020-03). http://a/b.\n",
        ),
    ],
)
def test_gbt_7714_lines(reference: Reference, line: str) -> None:
    """Three authors at most, the kind of the source, and the standard's word for unknown ones."""
    assert cite([reference], "gbt7714") == line


@given(st.text(), st.text())
def test_no_text_breaks_out_of_its_place(name: str, title: str) -> None:
    """Braces of BibTeX stay balanced and a GB/T reference stays one line, whatever people wrote."""
    odd = [replace(WORK, authors=(name,), title=title)]
    text = cite(odd, "bibtex").replace("\\{", "").replace("\\}", "")
    assert text.count("{") == text.count("}")
    assert len(cite(odd, "gbt7714").splitlines()) == 1
    assert json.loads(cite(odd, "csl"))[0].get("title", "") == title
