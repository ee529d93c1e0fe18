"""Statements with questions and what should be found for them, read from files.

FOLDER/statements.jsonl  `sid`, `text`; where known `author` or `authors`, `title`, `source` or
                         `headings`, `published_at`
FOLDER/questions.jsonl   `question` and its `gold_sids`; where known `gold_authors`

Passages with `pid` and `cited_pids` (ScholarQA), articles with paragraphs (SQuAD, DRCD) and
questions with their own paragraphs (HotpotQA, MuSiQue) are read as well, a passage as a statement.
As in ingestion, the file is the work of its records, which stand under their source and title.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from ingest.fields import find_date
from store.errors import BadInput
from store.lexical.han import simplified

Json = Mapping[str, Any]
Half = Literal["dev", "heldout"]
HALVES: tuple[Half, ...] = get_args(Half)


@dataclass(frozen=True)
class Passage:
    """A text that can be found, with where it stands and its byline as it is written."""

    sid: str
    text: str
    title: str = ""
    headings: tuple[str, ...] = ()
    published_on: str | None = None
    byline: str = ""


@dataclass(frozen=True)
class Question:
    """A question and the passages that answer it; nothing is counted for one without any."""

    text: str
    gold: tuple[str, ...]
    gold_authors: tuple[str, ...] = ()


@dataclass(frozen=True)
class RetrievalSet:
    """Passages and questions."""

    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]


def load_retrieval_set(
    path: Path,
    distractors: Iterable[Path] = (),
    *,
    limit: int | None = None,
    half: Half | None = None,
    ask_simplified: bool = False,
) -> RetrievalSet:
    """Read a folder or a file of a known shape, and more passages that answer nothing.

    `half`: every second question, `dev` to choose by, `heldout` for figures to publish. `limit`: so
    many of them, spread evenly. `ask_simplified`: they are asked in simplified
    characters. BadInput names what is missing.
    """
    found = _load(path)
    more = [passage for each in distractors for passage in _distractors(each)]
    questions = [question for question in found.questions if question.gold]
    questions = questions[HALVES.index(half) :: 2] if half else questions
    count = min(limit or len(questions), len(questions))
    questions = [questions[i * len(questions) // count] for i in range(count)]
    if ask_simplified:
        questions = [replace(each, text=simplified(each.text)) for each in questions]
    if not questions or not found.passages:
        raise BadInput(f"{path} has no question with a passage that answers it")
    known = {passage.sid for passage in found.passages}
    unknown = {sid for question in questions for sid in question.gold} - known
    if unknown:
        raise BadInput(f"{path} names passages that it does not have: {min(unknown)}")
    return RetrievalSet((*found.passages, *more), tuple(questions))


def _load(path: Path) -> RetrievalSet:
    try:
        return _read(path)
    except KeyError as error:
        raise BadInput(f"{path}: something has no `{error.args[0]}`") from error
    except (AttributeError, TypeError) as error:
        raise BadInput(f"{path} has a shape that is not known") from error


def _read(path: Path) -> RetrievalSet:
    if path.is_dir():
        for name, record in (("statements.jsonl", _statement), ("passages.jsonl", _paper)):
            if (path / name).is_file():
                questions = map(_question, _lines(path / "questions.jsonl"))
                passages = [_in_work(path / name, record(each)) for each in _lines(path / name)]
                return RetrievalSet(tuple(passages), tuple(questions))
        files = sorted(path.glob("*.json"))
        if len(files) != 1:
            raise BadInput(f"{path} has no statements.jsonl with questions.jsonl: name one file")
        path = files[0]
    data = _json(path)
    if isinstance(data, dict) and "data" in data:
        return _articles(data["data"])
    if isinstance(data, list) and data and "question" in data[0]:
        return _own_paragraphs(data)
    raise BadInput(f"{path} has a shape that is not known: see haozhi eval retrieval --help")


def _in_work(path: Path, record: Passage) -> Passage:
    """A record as a passage of its file, under its own title."""
    headings = (*record.headings, *filter(None, [record.title]))
    return replace(record, title=path.stem, headings=headings)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error


def _lines(path: Path) -> list[Json]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error


def _text(fields: Json, *names: str) -> str:
    """The first of the fields that has words, as one line; '' when none has."""
    found = (fields[name] for name in names if isinstance(fields.get(name), str))
    return next((text.strip() for text in found if text.strip()), "")


def _statement(fields: Json) -> Passage:
    source = _text(fields, "source")
    return Passage(
        sid=str(fields["sid"]),
        text=fields["text"],
        title=_text(fields, "title"),
        headings=tuple(fields.get("headings") or ((source,) if source else ())),
        published_on=find_date(fields.get("published_at")),
        byline=_text(fields, "author") or ", ".join(fields.get("authors") or ()),
    )


def _paper(fields: Json) -> Passage:
    title = _text(fields, "title")
    return Passage(
        sid=str(fields["pid"]),
        text=_text(fields, "text") or title,  # some have a title only
        title=title,
        byline=", ".join(fields.get("authors") or ()),
    )


def _question(fields: Json) -> Question:
    gold = fields["cited_pids"] if "cited_pids" in fields else fields["gold_sids"]
    return Question(fields["question"], tuple(gold), tuple(fields.get("gold_authors") or ()))


def _articles(articles: Iterable[Json]) -> RetrievalSet:
    passages: list[Passage] = []
    questions: list[Question] = []
    for article in articles:
        for paragraph in article["paragraphs"]:
            sid = f"p{len(passages)}"
            passages.append(Passage(sid, paragraph["context"], article["title"]))
            questions += [Question(each["question"], (sid,)) for each in paragraph["qas"]]
    return RetrievalSet(tuple(passages), tuple(questions))


def _own_paragraphs(items: Iterable[Json]) -> RetrievalSet:
    """One passage per title and text, whichever questions bring it along."""
    read: Callable[[Json], Iterator[tuple[str, str, bool]]]
    passages: dict[tuple[str, str], Passage] = {}
    questions: list[Question] = []
    for item in items:
        read = _musique if "paragraphs" in item else _hotpot
        gold: list[str] = []
        for title, text, supports in read(item):
            fresh = Passage(f"p{len(passages)}", text, title)
            sid = passages.setdefault((title, text), fresh).sid
            gold += [sid] if supports else []
        questions.append(Question(item["question"], tuple(dict.fromkeys(gold))))
    return RetrievalSet(tuple(passages.values()), tuple(questions))


def _musique(item: Json) -> Iterator[tuple[str, str, bool]]:
    for each in item["paragraphs"]:
        yield each["title"], each["paragraph_text"], each["is_supporting"]


def _hotpot(item: Json) -> Iterator[tuple[str, str, bool]]:
    supporting = {title for title, _ in item["supporting_facts"]}
    for title, sentences in item["context"]:
        yield title, "".join(sentences), title in supporting


def _distractors(path: Path) -> Iterator[Passage]:
    for number, fields in enumerate(_lines(path)):
        text = _text(fields, "text", "content")
        sid = f"{path.name}:{number}"
        yield Passage(sid, text, title=path.stem, byline=_text(fields, "author"))
