"""Asks every question of a development set for real: each corpus in a data folder of its own."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from haozhi.answer_view import answer_view
from haozhi.app import App, open_app
from haozhi.ask import ask
from haozhi.evaluation.devset import DevSet, Item
from haozhi.evaluation.metrics import Result
from haozhi.settings import Settings
from ingest.pipeline import ingest
from store.engine import read


@dataclass(frozen=True)
class Asked:
    """An item with what became of it; `view` is the stored answer, as `haozhi ask` prints it."""

    result: Result
    view: dict[str, Any]

    @property
    def needed_ppb(self) -> int:
        """The shares of the authors whom the item needs, together."""
        needed = self.result.item.needed
        return sum(row["share_ppb"] for row in self.view["shares"] if row["name"] in needed)

    def to_json(self) -> dict[str, Any]:
        """What it takes to see why an item is right or wrong."""
        item, view = self.result.item, self.view
        kept = ("state", "refusal", "text", "shares", "unattributed", "grounding", "timings_ms")
        return {
            "id": item.id,
            "language": item.language,
            "kind": item.kind,
            "cross": item.cross,
            "question": item.question,
            "right": self.result.right,
            "fee_micro": self.result.fee_micro,
            "needed_ppb": self.needed_ppb,
            **{name: view[name] for name in kept},
        }


def chosen(devset: DevSet, limit: int | None) -> tuple[Item, ...]:
    """All items, or `limit` of them (1 or more) spread evenly over the set."""
    count = len(devset.items)
    take = min(limit or count, count)
    return tuple(devset.items[i * count // take] for i in range(take))


def run_answers(settings: Settings, devset: DevSet, items: Iterable[Item]) -> Iterator[Asked]:
    """Ask the items corpus by corpus, with the models and the fee that settings name.

    Each corpus is ingested once into a fresh data folder, which is removed afterwards.
    """
    models: dict[str, object] = {}
    for corpus, group in groupby(sorted(items, key=_corpus), key=_corpus):
        with tempfile.TemporaryDirectory(prefix="haozhi-eval-") as folder:
            app = open_app(_settings_in(folder, settings))
            vars(app).update(models)  # cached properties: later corpora use the same models
            ingest([devset.corpora[corpus].path], engine=app.engine, embedder=app.embedder)
            yield from (_ask(app, item) for item in group)
            models = {"embedder": app.embedder, "generator": app.generator}
            app.engine.dispose()


def _corpus(item: Item) -> str:
    return item.corpus


def _settings_in(folder: str, settings: Settings) -> Settings:
    database_url = f"sqlite:///{folder}/haozhi.db"
    return settings.model_copy(update={"data_dir": Path(folder), "database_url": database_url})


def _ask(app: App, item: Item) -> Asked:
    answer_id = ask(app, item.question, asker_id=app.settings.asker)
    with read(app.engine) as session:
        view = answer_view(session, answer_id)
    refused = view["state"] == "refused"
    return Asked(Result(item, refused, view["text"], view["fee_micro"]), view)
