"""Items out of data sets, a kind per shape of question.

    *.json           HotpotQA's shape: `bridge`, MuSiQue's: `chain`, MS MARCO's as MaxShapley has
                     it: `search` (`question`; `context` with `supporting_facts`, or `paragraphs`)
    questions.jsonl  with statements.jsonl beside it (MultiHop-RAG): `news`
    maxims.jsonl     `content` with its `comment`s `X曰：…` (youmengying): `comment`

An item gets six statements: those that answer, filled up with others of the same set.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from haozhi.attribution.support.segments import split_segments
from haozhi.evaluation.attribution.items import STATEMENTS, Item
from haozhi.language import Language
from store.errors import BadInput

#: MS MARCO's passages have grades 0..3; from 2 on they count as relevant, as in TREC's tracks.
RELEVANT_GRADE = 2
#: Longer questions leave no room for statements in a short prompt.
LONGEST_QUESTION = 250
_SAID = re.compile(r"(?P<speaker>[^曰：“”，。]{2,4})曰：(?P<words>.+)")
#: A yes rests on no words of any statement.
_NO_WORDS = {"yes", "no"}

Source = tuple[str, str, bool]
"""Author, text, whether it is relevant."""


def load_items(path: Path) -> list[Item]:
    """The items of a file, or of every known file below a folder. BadInput names what is wrong."""
    if not path.exists():
        raise BadInput(f"no file or folder {path}")
    files = [path] if path.is_file() else [f for f in sorted(path.rglob("*.json*")) if _known(f)]
    items = [item for file in files for item in _read(file)]
    if not items:
        raise BadInput(
            f"{path} has no questions of a known shape: see haozhi eval attribution --help"
        )
    return items


def _known(path: Path) -> bool:
    """Below a folder, only the sets that this was made for are read."""
    return path.parent.name in {"maxshapley", "multihop_wiki", "multihop_rag", "youmengying"}


def _read(path: Path) -> list[Item]:
    try:
        if path.name == "questions.jsonl":
            return list(_news(path, _lines(path), _lines(path.with_name("statements.jsonl"))))
        if path.suffix == ".jsonl":
            return list(_maxims(path, _lines(path))) if path.name == "maxims.jsonl" else []
        return list(_multi_hop(path, json.loads(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadInput(f"{path} is not JSON: {error}") from error
    except KeyError as error:
        raise BadInput(f"{path}: something has no `{error.args[0]}`") from error
    except (AttributeError, IndexError, TypeError) as error:
        raise BadInput(f"{path} has a shape that is not known") from error


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _multi_hop(path: Path, rows: Sequence[Any]) -> Iterator[Item]:
    for number, row in enumerate(rows):
        answer = str(row.get("answer", ""))
        judged = "query_id" in row and not answer
        passages = _passages(row, judged)
        chain = "paragraphs" in row or "hop" in str(row.get("query_id", ""))
        kind = "search" if judged else "chain" if chain else "bridge"
        yield from _item(path, number, kind, "en", row["question"], answer, passages)


def _passages(row: Any, judged: bool) -> list[Source]:
    """Of MS MARCO's passages the title is a number, so that it is no words of theirs."""
    facts: dict[str, int] = {}
    for title, grade in row.get("supporting_facts", ()):
        facts[title] = max(grade, facts.get(title, 0))
    if "paragraphs" in row:
        return [
            (p["title"], _with_title(p["title"], p["paragraph_text"], row), p["is_supporting"])
            for p in row["paragraphs"]
        ]
    found = []
    for title, sentences in row["context"]:
        text = "".join(sentences)
        if judged:
            found.append((title, _telling(text, row), facts.get(title, 0) >= RELEVANT_GRADE))
        else:
            found.append((title, _with_title(title, text, row), title in facts))
    return found


def _with_title(title: str, text: str, row: Any) -> str:
    """The telling part of a passage, under its title unless it says it."""
    told = _telling(text, row)
    return told if title.split(" (")[0].casefold() in told.casefold() else f"{title}: {told}"


def _telling(text: str, row: Any) -> str:
    """The passage from the sentence on that shares most words with question and answer.

    The passages are cut short: relevant or not, each shows its best part.
    """
    wanted = _words(f"{row['question']} {row.get('answer', '')}")
    spans = split_segments(text)
    start = max(spans, key=lambda s: (len(wanted & _words(text[s[0] : s[1]])), -s[0]))[0]
    return " ".join(text[start:].split())


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", text.casefold()))


def _news(path: Path, questions: Sequence[Any], statements: Sequence[Any]) -> Iterator[Item]:
    by_sid = {row["sid"]: row for row in statements}
    for number, row in enumerate(questions):
        gold = [_news_statement(by_sid[sid], relevant=True) for sid in row["gold_sids"]]
        others = [_news_statement(each, relevant=False) for each in statements]
        random.Random(number).shuffle(others)
        kept = [each for each in others if each[1] not in {text for _, text, _ in gold}]
        if gold:
            passages = [*gold, *kept]
            yield from _item(path, number, "news", "en", row["question"], row["answer"], passages)


def _news_statement(row: Any, *, relevant: bool) -> Source:
    return str(row["author"] or row["source"]), str(row["text"]), relevant


def _maxims(path: Path, rows: Sequence[Any]) -> Iterator[Item]:
    """What does one person say about a maxim? Others speak of it, and of other maxims."""
    said = [[m for c in row["comment"] if (m := _SAID.fullmatch(c))] for row in rows]
    for number, (here, there) in enumerate(pairwise([*said, said[0]])):
        content = rows[number]["content"]
        if len(here) >= 2 and len(content) <= 40:
            wanted, *others = here
            maxim = content.rstrip("。")
            question = f"“{maxim}”，{wanted['speaker']}怎么说？"
            passages = [
                (m["speaker"], m[0], m is wanted) for m in [wanted, *others, *there, *_rest(said)]
            ]
            yield from _item(path, number, "comment", "zh", question, wanted["words"], passages)


def _rest(said: Sequence[Sequence[re.Match[str]]]) -> Iterator[re.Match[str]]:
    return (match for row in said for match in row)


def _item(
    path: Path,
    number: int,
    kind: str,
    language: Language,
    question: str,
    answer: str,
    passages: Iterable[Source],
) -> Iterator[Item]:
    """One item, its statements in an order drawn by its number; none where it makes no sense."""
    by_author: dict[str, Source] = {}
    for each in sorted(passages, key=lambda p: not p[2]):
        by_author.setdefault(each[0], each)
    chosen = list(by_author.values())[:STATEMENTS]
    relevant = sum(p[2] for p in chosen)
    usable = len(chosen) == STATEMENTS and relevant > 0
    if not usable or len(question) > LONGEST_QUESTION or answer.casefold() in _NO_WORDS:
        return
    random.Random(f"{path.name} {number}").shuffle(chosen)
    yield Item(
        id=f"{path.parent.name}-{path.stem}-{number}",
        source=f"{path.parent.name}-{path.stem}",
        kind=kind,
        language=language,
        question=question,
        statements=tuple(text for _, text, _ in chosen),
        authors=tuple(author for author, _, _ in chosen),
        relevant=frozenset(i for i, p in enumerate(chosen) if p[2]),
        answer=answer,
    )
