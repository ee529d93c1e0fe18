"""Real corpora go in: HAOZHI_EVAL_DATA names the folder that holds them."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from ingest.cutting import cut
from ingest.options import IngestOptions
from ingest.pipeline import ingest
from ingest.readers import read_document
from store.engine import read
from store.statements import counts
from tests.ingesting import SmallE5, everything

pytestmark = pytest.mark.evaldata


def _data(name: str) -> Path:
    return Path(os.environ["HAOZHI_EVAL_DATA"]) / name


def _records(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _jsonl(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def test_quotes_keep_their_authors(sqlite_engine: Engine, tmp_path: Path) -> None:
    """Every quotation goes in under its author, none is rejected."""
    quotes = _records(_data("quotable") / "quotes.jsonl")[:100]
    records = [{"text": quote["content"], "author": quote["author"]} for quote in quotes]
    path = _jsonl(tmp_path / "quotes.jsonl", records)
    report = ingest([path], engine=sqlite_engine, embedder=SmallE5())
    assert report.rejected == ()
    with read(sqlite_engine) as s:
        assert counts(s).authors == len({quote["author"] for quote in quotes})
        lines = s.scalar(text("SELECT count(DISTINCT line) FROM occurrences"))
    assert lines == len(quotes)


def test_tang_poems_are_chinese_line_by_line(sqlite_engine: Engine, tmp_path: Path) -> None:
    """The lines of a poem are statements in Chinese, by the poet."""
    poems = json.loads(_data("tang300.json").read_text(encoding="utf-8"))[:15]
    records = [
        {"text": "\n".join(poem["paragraphs"]), "author": poem["author"], "title": poem["title"]}
        for poem in poems
    ]
    report = ingest(
        [_jsonl(tmp_path / "tang.jsonl", records)], engine=sqlite_engine, embedder=SmallE5()
    )
    assert report.rejected == ()
    rows = everything(sqlite_engine)
    assert {row[3] for row in rows["statements"]} == {"zh"}
    assert {row[6] for row in rows["occurrences"]} == {poem["author"] for poem in poems}


def test_every_comment_on_the_maxims_has_its_speaker(sqlite_engine: Engine, tmp_path: Path) -> None:
    """With speaker lines each comment `X曰：…` is by X, not by the author of the maxims."""
    comments = [
        comment
        for maxim in _records(_data("youmengying") / "maxims.jsonl")[:15]
        for comment in maxim["comment"]
    ]
    path = tmp_path / "comments.txt"
    path.write_text("\n".join(comments), encoding="utf-8")
    options = IngestOptions(author="张潮", speaker_lines=True)
    report = ingest([path], engine=sqlite_engine, embedder=SmallE5(), options=options)
    assert report.rejected == ()
    rows = everything(sqlite_engine)["occurrences"]
    assert {row[3] for row in rows} == set(range(1, len(comments) + 1))
    for _, _, _, line, _, _, name, _ in rows:
        comment = comments[int(str(line)) - 1]
        # 日 is a misprint, and 又曰 is by who spoke before.
        known = name or comment[:3]  # nobody knows who 王司直日 is
        assert comment.startswith((f"{known}曰：", f"{known}：", f"{known}日：", "又曰："))


def test_nearly_all_comments_are_by_who_says_them() -> None:
    """Of the comments `X曰：…` at least 98 % are by X; no other line makes up a name."""
    maxims = _records(_data("youmengying") / "maxims.jsonl")
    lines = [line.strip() for maxim in maxims for line in (maxim["content"], *maxim["comment"])]
    document = read_document("幽梦影.txt", "\n".join(lines).encode())
    names: dict[int, set[tuple[str, ...]]] = {}
    for sentence in cut(document, speaker_lines=True):
        assert sentence.line is not None
        names.setdefault(sentence.line, set()).add(sentence.authors)
    said = [
        (line.split("曰：")[0], names[number])
        for number, line in enumerate(lines, start=1)
        if re.match(r"[^：，。“]{1,8}曰：", line)
    ]
    assert len(said) == 535
    assert sum(found == {(name,)} for name, found in said) >= 0.98 * len(said)
    speakers = {name for name, _ in said}
    assert {n for found in names.values() for authors in found for n in authors} <= speakers


def test_bylines_of_news_name_people() -> None:
    """Each person of a byline is an author; the agency or the town behind them is not."""
    rows = _records(_data("multihop_rag") / "statements.jsonl")
    lines = "\n".join(
        json.dumps({"text": r["text"], "author": r["author"] or None, "source": r["source"]})
        for r in rows
    )
    document = read_document("news.jsonl", lines.encode())
    assert not document.rejected
    found = {row["author"]: p.authors for row, p in zip(rows, document.passages, strict=True)}
    assert found[None] == found[""] == ()
    assert found["Cade Metz, Karen Weise, Nico Grant and Mike Isaac"] == (
        *("Cade Metz", "Karen Weise", "Nico Grant", "Mike Isaac"),
    )
    people = {name for names in found.values() for name in names}
    assert not {n for n in people if "," in n or " and " in n or " in " in n or " at " in n}
    beside = {name for names in found.values() if len(names) > 1 for name in names}
    assert not beside & {"The Associated Press", "Bloomberg", "The Conversation", "Yardbarker"}
    assert {"Reuters", "The New York Times", "Associated Press"} <= people


def test_messy_files_are_read_or_refused(sqlite_engine: Engine) -> None:
    """Whatever real files hold, a run ends with each stored, counted or refused with a reason."""
    # The book and the long table would only be embedded longer; test_messy_files reads them too.
    long = ("winter-sports", "ChatGLM_closed")
    paths = [p for p in _data("messy_files").iterdir() if not any(name in p.name for name in long)]
    report = ingest(paths, engine=sqlite_engine, embedder=SmallE5())
    refused = {rejected.path for rejected in report.rejected}
    assert report.works + len(refused) == len(paths)
    assert any("unstructur__empty.txt" in path for path in refused)
