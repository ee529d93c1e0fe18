"""What is read out of text, Markdown, JSON lines and tables."""

import json

import pytest

from ingest.documents import Document, Passage
from ingest.fields import authors_in, check_date, language_in
from ingest.kinds import media_type_of
from ingest.readers import read_document
from store.errors import BadInput


def _read(name: str, text: str) -> Document:
    return read_document(name, text.encode("utf-8", "surrogatepass"))


def _said(document: Document) -> list[tuple[str, tuple[str, ...], int | None]]:
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
    document = _read("a.md", MARKDOWN)
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
    assert _read("a.md", "text\n## 猫 ##\n# Dog\n").title == "猫"


@pytest.mark.parametrize("text", ["---\nauthor: A\nno end", "", "---", "# ", "```\nnever closed"])
def test_unfinished_markdown_is_read_without_an_author(text: str) -> None:
    """Front matter or a fence that does not end names nobody and raises nothing."""
    assert all(not passage.authors for passage in _read("a.md", text).passages)


def test_a_list_of_authors_may_be_one_per_line() -> None:
    """YAML's two ways of writing a list mean the same."""
    text = "---\nauthors:\n  - 'A'\n  - B\n---\nx"
    assert _read("a.markdown", text).passages[0].authors == ("A", "B")


def test_plain_text_gives_its_lines() -> None:
    """Every line of a text file is a passage and nothing in it is a marker."""
    document = _read("A.TXT", "# one\r\n- two")
    assert _said(document) == [("# one", (), 1), ("- two", (), 2)]


def test_json_lines_index_their_joined_text() -> None:
    """The text of the work is the record texts joined by line feeds, and spans index it."""
    lines = [
        {"text": "1 + 1 = 2", "author": "A", "title": "t", "date": 1889},
        {"text": "猫\n狗", "authors": ["乙", "丙"], "title": "t", "language": "zh-Hans"},
        {"text": "无名", "author": None, "title": "t", "published_at": "2023-09-26T17:01:22Z"},
    ]
    document = _read("a.jsonl", "\n\n".join(map(json.dumps, lines)) + "\n")
    assert document == Document(
        media_type="application/jsonl",
        encoding="utf-8",
        text="1 + 1 = 2\n猫\n狗\n无名",
        passages=(
            Passage(0, 9, 1, ("A",), "1889", mapped=True),
            Passage(10, 13, 3, ("乙", "丙"), language="zh", mapped=True),
            Passage(14, 16, 5, (), "2023-09-26"),
        ),
        title="t",
    )


def test_records_stand_under_their_source_and_their_own_title() -> None:
    """A title that all share is the work's; an address is no source."""
    rows = [
        {"text": "One.", "source": "The Verge", "title": "S"},
        {"text": "二。", "来源": "https://example.org", "标题": "乙"},
        {"text": "Three.", "source": "The Verge"},
    ]
    document = _read("a.jsonl", "\n".join(map(json.dumps, rows)))
    assert document.title is None
    assert [p.headings for p in document.passages] == [("The Verge", "S"), ("乙",), ("The Verge",)]
    same = _read("a.jsonl", "\n".join(json.dumps(row | {"title": "T"}) for row in rows[::2]))
    assert same.title == "T"
    assert [p.headings for p in same.passages] == [("The Verge",), ("The Verge",)]


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
    document = _read("a.jsonl", f'{{"text": "one"}}\n{line}\n{{"text": "two"}}')
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
    passages = _read(name, text).passages
    assert [passage.authors for passage in passages] == [("A",), ()]
    assert _read(name, text).text == "1 + 1 = 2\n“无名”"


def test_broken_rows_are_rejected_and_the_rest_goes_in() -> None:
    """A row with a cell too many or a quote that nobody closes does not take others with it."""
    text = 'text,author\n"two\nlines",A\nx,y,z\n"open,B\nfour,C\n"closed"late,D\nfive,E\n'
    document = _read("a.csv", text)
    assert _said(document) == [("two\nlines", ("A",), 2), ("four", ("C",), 6), ("five", ("E",), 8)]
    assert _reasons(document) == [
        (4, "3 cells under 2 columns"),
        (5, "not a row: ',' expected after '\"'"),
        (7, "not a row: ',' expected after '\"'"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", ["a: 1; b: 2"]),
        (",标题,内容\n0,猫,“团子。\n睡着。”\n", ["标题: 猫; 内容: “团子。"]),
        ("a,b\n", ["a; b"]),
        ("x,x\n1,2\n", ["x; x", "1; 2"]),
        ("name;note\nA;B, or C\n", ["name: A; note: B, or C"]),
        ("名前|年齢\n佐藤|30\n", ["名前: 佐藤; 年齢: 30"]),
        ("", []),
        ("\n", []),
    ],
)
def test_a_row_is_a_statement_where_no_column_has_the_text(text: str, said: list[str]) -> None:
    """Which column holds the text is never guessed; the cells of a row have their names."""
    document = _read("a.csv", text)
    assert [text for text, _, _ in _said(document)][: len(said)] == said
    assert all(passage.whole for passage in document.passages)


def test_a_table_reads_the_columns_that_it_is_told() -> None:
    """What a person says of the columns holds; one that is not there is named."""
    text = b"who;body;day\nA;One. Two.;2020-05\n"
    columns = {"author": "Who", "text": "body", "date": "day"}
    [passage] = read_document("a.csv", text, columns=columns).passages
    assert (passage.authors, passage.published_on, passage.whole) == (("A",), "2020-05", False)
    with pytest.raises(BadInput, match="no column is named `words`: there are who, body, day"):
        read_document("a.csv", text, columns={"text": "words"})


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("a.txt", b"\x1f\x8b\x08\0\0", "unpack it"),
        ("a.py", b"print('hello')", r"files of type \.py .* are not read"),
        ("a.css", b"p {}", r"files of type \.css"),
        ("a.txt", b"PK\x03\x04 and nothing", "damaged"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut", "damaged"),
        ("a.xml", b"<?xml version='1.0'?><rss/>", "XML of an unknown kind"),
        ("a", b"\0\1\2\3", "binary content"),
    ],
)
def test_other_kinds_are_refused(name: str, data: bytes, message: str) -> None:
    """What is no text and no document that is known is refused with what it is."""
    with pytest.raises(BadInput, match=message):
        media_type_of(name, data)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", b"%PDF-1.7\n", "application/pdf"),
        ("a.pdf", "一篇文章。".encode(), "text/plain"),
        ("a.docx", b"{\\rtf1 text}", "application/rtf"),
        ("a", b"WEBVTT\n\n", "text/vtt"),
        ("a.txt", b"1\n00:00:01,000 --> 00:00:02,000\nHi.\n", "application/x-subrip"),
        ("a.txt", b"<!DOCTYPE html><p>Hi.", "text/html"),
        ("a.md", b"<div align=center>\n\n# Hi</div>", "text/markdown"),
        ("a.txt", b"From: a@b.c\nDate: today\n\nHi.", "message/rfc822"),
        ("a.md", b"From: a friend\nDate: today\n\nHi.", "text/markdown"),
        ("a.txt", b'{"text": "a"}\n{"text": "b"}', "application/jsonl"),
        ("a.txt", b'[{"text": "a"},\n{"text": "b"}]', "application/json"),
        ("a.txt", b"[1] A note.", "text/plain"),
        ("a.txt", b"author,text\nA,Hi.\n", "text/csv"),
        ("a.txt", b"text, and no table\nmore\n", "text/plain"),
        ("README", b"Hi.", "text/plain"),
    ],
)
def test_the_kind_is_that_of_the_content(name: str, data: bytes, expected: str) -> None:
    """A name only decides between kinds of text that content does not tell apart."""
    assert media_type_of(name, data) == expected


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
