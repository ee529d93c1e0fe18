"""How much better statements that open with a pronoun are found in their setting.

The paragraphs of a file of SQuAD's shape become sentences; a question is answered by the one in
which its answer begins. Those that open with a pronoun are counted apart from the others.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haozhi.evaluation.retrieval_figures import Figure, Ranked, figures
from ingest.ports import Embedder
from ingest.segmentation import language_of, sentences
from ingest.setting import embed, in_setting, needs_setting
from store.errors import BadInput
from store.statements import NewStatement

LOOKED_AT = 100


@dataclass(frozen=True)
class Asked:
    """A question, the number of the statement that answers it, and whether a pronoun opens that."""

    text: str
    answer: int
    points_back: bool


@dataclass(frozen=True)
class SettingSet:
    """Statements in their settings, and questions."""

    statements: tuple[NewStatement, ...]
    questions: tuple[Asked, ...]


def load_setting_set(path: Path, most: int) -> SettingSet:
    """Read paragraphs until there are `most` statements, those with pronouns asked for first.

    BadInput: the file has another shape.
    """
    try:
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        read = [_paragraph(a["title"], p) for a in articles for p in a["paragraphs"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise BadInput(f"{path} has no paragraphs with questions of SQuAD's shape") from error
    statements: list[NewStatement] = []
    questions: list[Asked] = []
    for said, asked in sorted(read, key=lambda each: not any(a.points_back for a in each[1])):
        if len(statements) + len(said) <= most:
            start = len(statements)
            statements += said
            questions += [Asked(a.text, start + a.answer, a.points_back) for a in asked]
    if not any(asked.points_back for asked in questions):
        raise BadInput(f"{path} asks for no sentence that opens with a pronoun")
    return SettingSet(tuple(statements), tuple(questions))


def measure_setting(embedder: Embedder, data: SettingSet) -> dict[str, dict[str, Figure]]:
    """Figures of the search by meaning, by `pronoun alone`, `others in setting` and so on."""
    texts = [each.text for each in data.statements]
    vectors = {
        "alone": embedder.passages(texts),
        "in setting": embed(embedder, texts, [each.setting for each in data.statements]),
    }
    found: dict[str, dict[str, Figure]] = {}
    for name, back in (("pronoun", True), ("others", False)):
        asked = [each for each in data.questions if each.points_back == back]
        if asked:
            queries = embedder.queries([each.text for each in asked])
            for way, rows in vectors.items():
                found[f"{name} {way}"] = figures(list(_ranked(asked, queries @ rows.T)))
    return found


def _ranked(asked: Sequence[Asked], scores: NDArray[np.float32]) -> Iterator[Ranked]:
    for each, row in zip(asked, scores, strict=True):
        best = np.argsort(-row, kind="stable")[:LOOKED_AT]
        sids = [frozenset((str(place),)) for place in best]
        none = [frozenset[str]()] * len(sids)
        yield Ranked(sids, none, frozenset((str(each.answer),)), frozenset())


def _paragraph(title: str, paragraph: Any) -> tuple[list[NewStatement], list[Asked]]:
    text = paragraph["context"]
    spans = list(sentences(text))
    said = [NewStatement(text[a:b], language_of(text[a:b]), a, b) for a, b in spans]
    questions = []
    for each in paragraph["qas"]:
        start = int(each["answers"][0]["answer_start"])
        held = [n for n, (low, high) in enumerate(spans) if low <= start < high]
        if held:
            back = held[0] > 0 and needs_setting(said[held[0]].text)
            questions.append(Asked(each["question"], held[0], back))
    return in_setting(title.replace("_", " "), said), questions
