"""Which statements a text finds: by meaning, by its words, and under the headings that it names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from haozhi.fusion import Arm, Fused, fuse
from haozhi.judge import usual_similarity
from haozhi.language import Language
from ingest.ports import Embedder
from store.clock import now_us
from store.engine import Session
from store.lexical import ids_under, named_headings, query_words, search_words
from store.statements import Filters, iter_embeddings, languages, visible_ids, wanted_ids
from store.vectors import Hit, VectorIndex

Mode = Literal["hybrid", "dense", "lexical", "rrf"]
"""`hybrid` fuses by scores, `rrf` by ranks."""

NO_FILTERS = Filters()
DEPTH = 100
"""Places of a ranking that count."""
NAMED_WEIGHT = 0.5
"""What a ranking under a heading that the text names counts, the whole ranking being 1."""


Scores = list[tuple[int, float]]


@dataclass(frozen=True)
class Near:
    """Where vectors are searched: the index of an embedder, and the embedder."""

    embedder: Embedder
    index: VectorIndex

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a text that searches, [1, dim], and the index at its newest generation."""
        self.index.load()
        return self.embedder.queries([text])


@dataclass(frozen=True)
class Query:
    """A text to search for, as vector too unless only its words count, and the limits.

    `language`: the text's, None when unknown; `depth`: places of a ranking that count.
    """

    text: str
    vector: NDArray[np.float32] | None = None
    filters: Filters = NO_FILTERS
    at_us: int = field(default_factory=now_us)
    language: Language | None = None
    depth: int = DEPTH


def rank(
    s: Session, index: VectorIndex | None, query: Query, mode: Mode = "hybrid"
) -> tuple[Fused, ...]:
    """The statements that may be retrieved and meet the filters, best first.

    A mode other than `lexical` needs the vector and the index.
    """
    return fuse(_arms(s, index, query, mode), by_rank=mode == "rrf")


def similarities(
    s: Session, embedder: Embedder, query: NDArray[np.float32], ids: Sequence[int]
) -> dict[int, float]:
    """The cosine similarity, -1..1, of a query's vector [1, dim] to statements that have one."""
    return {
        int(i): float(vector @ query[0])
        for batch, vectors in iter_embeddings(s, embedder.fingerprint, ids=ids)
        for i, vector in zip(batch, vectors, strict=True)
    }


def _arms(s: Session, index: VectorIndex | None, query: Query, mode: Mode) -> Iterator[Arm]:
    dense = index if mode != "lexical" else None
    words = query_words(s, query.text) if mode != "dense" else ()
    if dense:
        yield Arm("dense", _dense(s, dense, query))
    if words:
        yield _lexical(s, words, query)
    if not (dense and words):
        return
    for heading in named_headings(s, query.text):
        name = heading.replace("_", " ").strip()
        ids = ids_under(s, heading, query.filters, query.at_us)
        yield Arm(f"dense under {name}", _among(s, dense, query, ids), NAMED_WEIGHT)
        yield _lexical(s, words, query, f" under {name}", heading)


def _lexical(s: Session, words: Sequence[str], query: Query, name: str = "", *under: str) -> Arm:
    hits = search_words(s, words, query.depth, query.filters, query.at_us, under)
    scores = [(hit.statement_id, hit.score) for hit in hits]
    # What has none of the words would score nothing.
    floor = 0.0 if len(hits) < query.depth else None
    return Arm(f"lexical{name}", scores, NAMED_WEIGHT if under else 1.0, floor)


def _dense(s: Session, index: VectorIndex, query: Query) -> Scores:
    """The nearest statements; almost always everything near may be retrieved."""
    assert query.vector is not None
    if query.filters == NO_FILTERS:
        (hits,) = index.search(query.vector, 2 * query.depth)
        visible = visible_ids(s, [hit.statement_id for hit in hits], query.at_us)
        found = [hit for hit in hits if hit.statement_id in visible]
        if len(found) >= query.depth or len(hits) < 2 * query.depth:
            return _scores(s, query, found[: query.depth])
    return _among(s, index, query, wanted_ids(s, query.filters, query.at_us))


def _among(s: Session, index: VectorIndex, query: Query, ids: NDArray[np.int64]) -> Scores:
    assert query.vector is not None
    return _scores(s, query, index.search(query.vector, query.depth, ids)[0])


def _scores(s: Session, query: Query, hits: Sequence[Hit]) -> Scores:
    """The similarity beyond the usual one between the two languages, best first.

    A statement in the other language is never as near as one in the text's own.
    """
    spoken = languages(s, [hit.statement_id for hit in hits])
    scores = [
        (hit.statement_id, hit.similarity - _usual(query.language, spoken[hit.statement_id]))
        for hit in hits
    ]
    return sorted(scores, key=lambda each: (-each[1], each[0]))


def _usual(asked: Language | None, spoken: str) -> float:
    language: Language = "zh" if spoken == "zh" else "en"
    return usual_similarity(asked or language, language)
