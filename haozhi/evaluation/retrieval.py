"""How well search finds what answers a question: a set is stored for real, then asked for real.

Passages are stored and embedded as ingestion does it, by the same code.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from haozhi.app import App, open_app
from haozhi.evaluation.retrieval_data import Passage, RetrievalSet
from haozhi.evaluation.retrieval_figures import Figure, Ranked, figures
from haozhi.language import detect
from haozhi.ranking import Mode, Query, rank
from haozhi.settings import Settings
from ingest.batches import embed_all
from ingest.names import known_names
from ingest.segmentation import language_of
from store.engine import Engine, read, write
from store.statements import NewStatement, add_statements
from store.vectors.catch_up import catch_up
from store.works import NewWork, add_work, find_work, set_work_ready

LOOKED_AT = 100
"""Places in which the first right passage is looked for (MRR)."""

Progress = Callable[[int, int], None]


def measure_retrieval(
    settings: Settings,
    data: RetrievalSet,
    folder: Path,
    modes: Sequence[Mode],
    progress: Progress,
) -> dict[Mode, dict[str, Figure]]:
    """The figures of every mode, with the embedder that settings name.

    The set is stored in a folder of its own in `folder`; the vectors that are there already stay.
    The mode `lexical` by itself needs none.
    """
    stored = store_set(settings, data, folder)
    try:
        if set(modes) != {"lexical"}:
            embed_set(stored, progress)
        return {mode: figures(found) for mode, found in ask_set(stored, data, modes).items()}
    finally:
        stored.app.engine.dispose()


@dataclass(frozen=True)
class Stored:
    """A set in a data folder, with the passages that each statement is."""

    app: App
    passages: Mapping[int, tuple[Passage, ...]]


def store_set(settings: Settings, data: RetrievalSet, folder: Path) -> Stored:
    """Store the passages; what is there from an earlier run stays."""
    place = folder / hashlib.sha256(repr(data.passages).encode()).hexdigest()[:12]
    url = f"sqlite:///{place}/haozhi.db"
    app = open_app(settings.model_copy(update={"data_dir": place, "database_url": url}))
    passages: dict[int, tuple[Passage, ...]] = {}
    for _, group in groupby(sorted(data.passages, key=_title), key=_title):
        for passage, statement_id in _store_work(app.engine, list(group)):
            passages[statement_id] = (*passages.get(statement_id, ()), passage)
    return Stored(app, passages)


def embed_set(stored: Stored, progress: Progress) -> None:
    """Vectors for what has none, a batch per transaction, so that a stopped run goes on."""
    for each in embed_all(stored.app.engine, stored.app.embedder):
        progress(each.done, each.count)
    catch_up(stored.app.engine, stored.app.index)


def ask_set(stored: Stored, data: RetrievalSet, modes: Sequence[Mode]) -> dict[Mode, list[Ranked]]:
    """What each mode finds for every question."""
    app = stored.app
    found: dict[Mode, list[Ranked]] = {mode: [] for mode in modes}
    near = None if set(modes) == {"lexical"} else app.near
    for question in data.questions:
        vector = near.query(question.text) if near else None
        query = Query(question.text, vector, language=detect(question.text))
        gold_authors = _names(question.gold_authors)
        for mode in modes:
            with read(app.engine) as session:
                ranked = rank(session, near.index if near else None, query, mode)[:LOOKED_AT]
            places = [stored.passages[each.statement_id] for each in ranked]
            sids = [frozenset(each.sid for each in place) for place in places]
            authors = [_names(each.byline for each in place) for place in places]
            found[mode].append(Ranked(sids, authors, frozenset(question.gold), gold_authors))
    return found


def _names(bylines: Iterable[str]) -> frozenset[str]:
    """The people in bylines, each split by itself."""
    return frozenset(name for byline in bylines for name in known_names(byline))


def _title(passage: Passage) -> str:
    return passage.title


def _store_work(engine: Engine, passages: Sequence[Passage]) -> list[tuple[Passage, int]]:
    """Passages that stand together, as one work; nobody is paid here, so authors are not stored."""
    text = "\n".join(each.text for each in passages)
    first = passages[0]
    digest = hashlib.sha256(repr(passages).encode()).hexdigest()
    statements, start = [], 0
    for each in passages:
        end = start + len(each.text)
        statements.append(
            NewStatement(
                each.text,
                language_of(each.text),
                start,
                end,
                published_on=each.published_on,
                headings=each.headings,
            )
        )
        start = end + 1
    new = NewWork(
        scope="public",
        byte_hash=digest,
        byte_count=len(text.encode()),
        path=first.sid,
        title=first.title,
        media_type="text/plain",
        encoding="utf-8",
        namespace="evaluation",
        text=text,
    )
    with write(engine) as session:
        work = find_work(session, "public", digest)
        work_id = work.id if work else add_work(session, new)
        added = add_statements(session, work_id, "public", statements)
        set_work_ready(session, work_id)
    return [(each, row.statement_id) for each, row in zip(passages, added, strict=True)]
