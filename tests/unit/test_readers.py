"""What is read out of text, Markdown, JSON lines and tables."""

import json
from pathlib import Path

import pytest

from ingest.documents import Document, Passage
from ingest.fields import authors_in, check_date, language_in
from ingest.readers import media_type, read_document
from store.errors import BadInput


def _said(document: Document) -> list[tuple[str, tuple[str, ...], int]]:
    passages = document.passages
    text = document.text
    return [(text[p.start : p.end].strip(), p.authors, p.line) for p in passages]


def _reasons(document: Document) -> list[tuple[int | None, str]]:
    return [(rejected.line, rejected.reason) for rejected in document.rejected]


MARKDOWN = """---
title: "家事"
authors: [甲, 乙]
date: 2024-03
---

# Heading
First *line*.
> - [x] a task
1. numbered
- 3 + 1 = 4

Underlined
==========
```python
code = "left out"
# still code
```
~~~
more
~~~
| a | b |
last
"""


def test_markdown_gives_its_prose_and_front_matter() -> None:
    """Markers, headings and code are no statements; front matter says author, title and date."""
    document = read_document(Path("a.md"), MARKDOWN)
    by = ("甲", "乙")
    assert _said(document) == [
        ("First *line*.", by, 8),
        ("a task", by, 9),
        ("numbered", by, 10),
        ("3 + 1 = 4", by, 11),
        ("| a | b |", by, 22),
        ("last", by, 23),
    ]
    assert (document.title, document.published_on) == ("家事", "2024-03")


def test_the_first_heading_is_the_title_without_front_matter() -> None:
    """A Markdown file without front matter is called what its first heading says."""
    assert read_document(Path("a.md"), "text\n## 猫 ##\n# Dog\n").title == "猫"


@pytest.mark.parametrize("text", ["---\nauthor: A\nno end", "", "---", "# ", "```\nnever closed"])
def test_unfinished_markdown_is_read_without_an_author(text: str) -> None:
    """Front matter or a fence that does not end names nobody and raises nothing."""
    assert all(not passage.authors for passage in read_document(Path("a.md"), text).passages)


def test_a_list_of_authors_may_be_one_per_line() -> None:
    """YAML's two ways of writing a list mean the same."""
    text = "---\nauthors:\n  - 'A'\n  - B\n---\nx"
    assert read_document(Path("a.markdown"), text).passages[0].authors == ("A", "B")


def test_plain_text_gives_its_lines() -> None:
    """Every line of a text file is a passage and nothing in it is a marker."""
    document = read_document(Path("A.TXT"), "# one\r\n- two")
    assert _said(document) == [("# one", (), 1), ("- two", (), 2)]


def test_json_lines_index_their_joined_text() -> None:
    """The text of the work is the record texts joined by line feeds, and spans index it."""
    lines = [
        {"text": "1 + 1 = 2", "author": "A", "title": "t", "date": 1889},
        {"text": "猫\n狗", "authors": ["乙", "丙"], "title": "t", "language": "zh-Hans"},
        {"text": "无名", "author": None, "title": "t", "published_at": "2023-09-26T17:01:22Z"},
    ]
    document = read_document(Path("a.jsonl"), "\n\n".join(map(json.dumps, lines)) + "\n")
    assert document == Document(
        text="1 + 1 = 2\n猫\n狗\n无名",
        passages=(
            Passage(0, 9, 1, ("A",), "1889"),
            Passage(10, 13, 3, ("乙", "丙"), language="zh"),
            Passage(14, 16, 5, (), "2023-09-26"),
        ),
        title="t",
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": "a"', "not JSON: Expecting ',' delimiter at character 13"),
        ("[" * 100_000, "not JSON that can be read"),
        ('{"text": ' + "1" * 5000 + "}", "not JSON that can be read"),
        ('["a"]', "not a JSON object"),
        ('{"author": "A"}', "there is no text"),
        ('{"text": " —— "}', "there is no text"),
        ('{"text": 5}', "`text` must be a string, not int"),
        ('{"text": "a\\u0000"}', "U\\+0000 at code point 1"),
        ('{"text": "a\\ud800"}', "U\\+D800 at code point 1"),
        ('{"text": "a", "author": ""}', "needs a visible character"),
        ('{"text": "a", "author": "\\u200b "}', "needs a visible character"),
        ('{"text": "a", "author": "a\\u0007"}', "control characters"),
        ('{"text": "a", "authors": ["B", 5]}', "must be a string, not int"),
        ('{"text": "a", "author": "A", "authors": ["B"]}', "say the same thing"),
        (f'{{"text": "a", "author": "{"n" * 201}"}}', "201 characters is longer than 200"),
        ('{"text": "a", "date": "5 May 2020"}', "'5 May 2020' is not a date"),
        ('{"text": "a", "date": "2023-02-30"}', "is not in the calendar"),
        ('{"text": "a", "language": "fr"}', "'fr' is neither zh nor en"),
    ],
)
def test_a_broken_json_line_is_rejected_alone(line: str, reason: str) -> None:
    """The line is reported with its number and reason, and the lines around it go in."""
    document = read_document(Path("a.jsonl"), f'{{"text": "one"}}\n{line}\n{{"text": "two"}}')
    assert document.text == "one\ntwo"
    [(number, found)] = _reasons(document)
    assert number == 2
    with pytest.raises(BadInput, match=reason):
        raise BadInput(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "author,text\nA,1 + 1 = 2\n,“无名”\n"),
        ("a.csv", " Author ;Text\r\nA;1 + 1 = 2\r\n;“无名”\r\n"),
        ("a.tsv", "作者\t文本\nA\t1 + 1 = 2\n\n\t“无名”"),
        ("a.csv", '"author","text"\n"A","1 + 1 = 2"\n"","“无名”"'),
    ],
)
def test_a_table_says_who_said_what(name: str, text: str) -> None:
    """Any separator and Chinese headers are read; an empty author cell is unknown."""
    passages = read_document(Path(name), text).passages
    assert [passage.authors for passage in passages] == [("A",), ()]
    assert read_document(Path(name), text).text == "1 + 1 = 2\n“无名”"


def test_broken_rows_are_rejected_and_the_rest_goes_in() -> None:
    """A row with a cell too many or a quote that nobody closes does not take others with it."""
    text = 'text,author\n"two\nlines",A\nx,y,z\n"open,B\nfour,C\n"closed"late,D\nfive,E\n'
    document = read_document(Path("a.csv"), text)
    assert _said(document) == [("two\nlines", ("A",), 2), ("four", ("C",), 6), ("five", ("E",), 8)]
    assert _reasons(document) == [
        (4, "3 cells under 2 columns"),
        (5, "not a row: ',' expected after '\"'"),
        (7, "not a row: ',' expected after '\"'"),
    ]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", '"text', "\n"])
def test_a_table_without_a_text_column_is_refused(text: str) -> None:
    """Which column holds the text is never guessed."""
    with pytest.raises(BadInput, match="no column is named `text`"):
        read_document(Path("a.csv"), text)


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.py", ".txt"])
def test_other_types_are_refused(name: str) -> None:
    """A file whose name says no supported type is refused, with the types that are."""
    with pytest.raises(BadInput, match=r"are not read: use one of \.csv, "):
        media_type(Path(name))


def test_authors_are_listed_once() -> None:
    """Two spellings that match exactly after NFKC are one author, named as written first."""
    assert authors_in({"authors": ["Ｂ", " A", "B"]}) == ("Ｂ", "A")


def test_dates_are_as_exact_as_claimed() -> None:
    """A year stays a year and a time gives its day."""
    assert [check_date(date) for date in (1905, "1905-06", "1905-06-30 10:00")] == [
        "1905",
        "1905-06",
        "1905-06-30",
    ]


def test_an_empty_language_is_unknown() -> None:
    """An empty tag says nothing, it is not an error."""
    assert language_in({"language": ""}) == ""
