"""Prompts out of one's own corpus: what stands in it, asked for by its first half.

A statement is drawn; its first words are the question, which the model answers in its own words (as
AT2 learns from a model's own continuations). Beside it stand its nearest neighbours and statements
drawn from anywhere, which answer nothing: they show how far noise goes.
"""

import random
from collections.abc import Iterator, Mapping

from haozhi.app import App
from haozhi.evaluation.attribution.items import STATEMENTS, Item
from haozhi.language import detect
from store.engine import read
from store.errors import NotFound
from store.records.corpus import Statement
from store.statements import embedded_ids, get_statements, visible_ids

#: Fewer statements make no prompts of six that differ.
FEWEST = 2 * STATEMENTS
_NEIGHBOURS = 2
#: Statements that are looked at; a larger corpus is sampled.
_MOST = 5000
_FEWEST_WORDS = 4


def corpus_items(app: App, seed: int) -> Iterator[Item]:
    """Prompts from visible statements, in an order drawn by the seed. NotFound: too few of them."""
    drawn = random.Random(seed)
    with read(app.engine) as session:
        ids = [int(i) for i in embedded_ids(session, app.embedder.fingerprint)]
        ids = drawn.sample(ids, min(len(ids), _MOST))
        seen = visible_ids(session, ids)
        statements = get_statements(session, [i for i in ids if i in seen])
    texts = {s.id: s for s in statements if s.text}
    if len(texts) < FEWEST:
        raise NotFound(
            f"the corpus has {len(texts)} statements, calibrate needs {FEWEST}: "
            "run haozhi ingest first, or name data"
        )
    for statement in list(texts.values()):
        item = _item(app, statement, texts, drawn)
        if item is not None:
            yield item


def _item(
    app: App, statement: Statement, texts: Mapping[int, Statement], drawn: random.Random
) -> Item | None:
    """None: the statement is too short to be asked for by its first half, or is in no language."""
    text = statement.text or ""
    language, opening = detect(text), first_half(text)
    if language is None or not opening:
        return None
    hits = app.index.search(app.embedder.passages([text]), STATEMENTS)[0]
    near = [h.statement_id for h in hits if h.statement_id in texts]
    told = [statement.id, *[i for i in near if i != statement.id][:_NEIGHBOURS]]
    far = [i for i in texts if i not in {*told, *near}]
    chosen = told + drawn.sample(far, STATEMENTS - len(told))
    order = drawn.sample(chosen, STATEMENTS)
    return Item(
        id=f"statement-{statement.id}",
        source="corpus",
        kind=language,
        language=language,
        question=f"{opening}…",
        statements=tuple(texts[i].text or "" for i in order),
        authors=tuple(map(str, order)),  # each plays alone
        relevant=frozenset(place for place, i in enumerate(order) if i in told),
        answer="",
    )


def first_half(text: str) -> str:
    """The first half of a statement's words, or of its characters where it has no spaces."""
    words = text.split()
    if len(words) >= _FEWEST_WORDS:
        return " ".join(words[: len(words) // 2])
    return text[: len(text) // 2] if len(text) >= 2 * _FEWEST_WORDS and len(words) == 1 else ""
