"""Questions whose passages people marked as relevant or not, read as they are: nothing is cut.

A file has the shape of MaxShapley's subsets: `question`, `answer`, `context` (title and sentences)
and `supporting_facts`: titles of the relevant passages, or for MS MARCO, which has no answers, of
all passages with a grade 0..3.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from haozhi.evaluation.attribution.sources import RELEVANT_GRADE
from haozhi.evaluation.made.case import MadeCase, Saying
from store.errors import BadInput


@dataclass(frozen=True)
class Marked:
    """A question as a case whose authors are its passages' titles; `answer` '' where none is known.

    `relevant` are the numbers of the passages that people marked.
    """

    case: MadeCase
    dataset: str
    relevant: frozenset[int]


def load_marked(path: Path) -> list[Marked]:
    """The questions of a file, or of every JSON file in a folder, but those without a relevant
    passage. BadInput names what is wrong.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise BadInput(f"{path} has no JSON files with marked passages")
    return [marked for file in files for marked in _read(file)]


def _read(path: Path) -> list[Marked]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return list(_marked(path.stem, rows))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path} has no questions with context and supporting_facts") from error


def _marked(dataset: str, rows: list[Any]) -> Iterator[Marked]:
    for number, row in enumerate(rows):
        answer = str(row.get("answer", "")).strip()
        grades: dict[str, int] = {}
        for title, grade in row["supporting_facts"]:
            grades[title] = max(grade, grades.get(title, 0))
        # Beside an answer the number is that of a sentence, not a grade.
        least = 0 if answer else RELEVANT_GRADE
        sayings = tuple(
            Saying(_text(title if answer else "", sentences), title)
            for title, sentences in row["context"]
        )
        relevant = frozenset(
            place for place, said in enumerate(sayings) if grades.get(said.author, -1) >= least
        )
        case = MadeCase(
            id=f"{dataset}-{number}",
            kind="marked",
            language="en",
            question=row["question"].strip(),
            sayings=sayings,
            answer=answer,
            proofs=(),
        )
        if relevant:
            yield Marked(case, dataset, relevant)


def _text(title: str, sentences: list[str]) -> str:
    """The whole passage, under its title unless it says it."""
    text = " ".join("".join(sentences).split())
    named = title.split(" (")[0].casefold() in text.casefold()
    return text if named else f"{title}: {text}"
