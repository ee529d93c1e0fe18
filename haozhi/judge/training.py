"""Lists to learn from: a question, what was retrieved for it, and what of that answers it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from haozhi.evaluation.devset import Corpus, DevSet, Item
from haozhi.evaluation.metrics import is_correct

TOP_K = 8
Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True)
class Example:
    """One retrieved list. `right`: places that answer, one or two; None when nothing does."""

    question: str
    statements: tuple[str, ...]
    similarities: tuple[float, ...]
    right: tuple[int, ...] | None
    answerable: bool  # by the corpus; the list may lack it
    language: str
    group: str  # corpus: lists over one corpus are never on both sides of a cross-validation


def examples(devset: DevSet, passages: Embed, queries: Embed) -> tuple[Example, ...]:
    """One list per item that is no sum: the best 8 statements by cosine, in that order."""
    items = [item for item in devset.items if item.kind != "sum"]
    vectors = {
        name: passages([record.text for record in corpus.records])
        for name, corpus in devset.corpora.items()
    }
    asked = queries([item.question for item in items])
    return tuple(
        _example(item, devset.corpora[item.corpus], vectors[item.corpus] @ query)
        for item, query in zip(items, asked, strict=True)
    )


def _example(item: Item, corpus: Corpus, cosines: NDArray[np.float32]) -> Example:
    order = [int(n) for n in np.argsort(-cosines, kind="stable")[:TOP_K]]
    right = None
    if item.answerable:
        said = [(corpus.records[n].author, corpus.records[n].text) for n in order]
        right = _right(item, said)
    return Example(
        item.question,
        tuple(corpus.records[n].text for n in order),
        tuple(float(cosines[n]) for n in order),
        right,
        item.answerable,
        item.language,
        item.corpus,
    )


def _right(item: Item, said: Sequence[tuple[str, str]]) -> tuple[int, ...] | None:
    """The statement that holds the answer, after the best other one of a needed author if two are
    needed; None when the list lacks one of them."""
    ends = [n for n, (by, text) in enumerate(said) if by in item.needed and is_correct(item, text)]
    if not ends or item.kind == "single":
        return tuple(ends[:1]) or None
    last = said[ends[0]][0]
    starts = [n for n, (by, _) in enumerate(said) if by in item.needed and by != last]
    return (starts[0], ends[0]) if starts else None


def without_answer(example: Example) -> Example:
    """The same list after the statement that holds the answer was withdrawn: nothing answers."""
    if example.right is None:
        raise ValueError("nothing in this list answers")
    kept = [n for n in range(len(example.statements)) if n != example.right[-1]]
    return replace(
        example,
        statements=tuple(example.statements[n] for n in kept),
        similarities=tuple(example.similarities[n] for n in kept),
        right=None,
        answerable=False,
    )
