"""What tests of asking share: a small world of statements, one ask, and who got how much of it."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from haozhi.answer_view import Json, answer_view
from haozhi.app import App, open_app
from haozhi.ask import ask
from haozhi.models.generator import Generator
from haozhi.settings import load_settings
from haozhi.withdraw import withdraw
from ingest.pipeline import ingest
from ingest.ports import Embedder
from store.engine import read
from store.vectors.catch_up import catch_up

#: A text, its author (None: unknown) and the day, month or year it is from (None: unknown).
Said = tuple[str, str | None, str | None]
MakeWorld = Callable[[Sequence[Said]], App]

PERCENT = 10**7
"""One hundredth of an answer, in ppb."""


@dataclass(frozen=True)
class Models:
    """The real models, loaded once for many worlds."""

    embedder: Embedder
    generator: Generator


def make_world(folder: Path, models: Models, said: Sequence[Said]) -> App:
    """An app over a new data folder, with these statements ingested in this order."""
    folder.mkdir(parents=True)
    names = ("text", "author", "date")
    records = [
        {name: value for name, value in zip(names, each, strict=True) if value} for each in said
    ]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path = folder / "said.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    app = open_app(load_settings(data_dir=folder, generator=models.generator.name))
    vars(app).update(embedder=models.embedder, generator=models.generator)
    report = ingest([path], engine=app.engine, embedder=app.embedder)
    assert not report.rejected, report
    catch_up(app.engine, app.index)
    return app


def asked(app: App, question: str) -> Json:
    """Ask with the default options; the stored answer as others read it."""
    answer_id = ask(app, question, asker_id="local")
    with read(app.engine) as session:
        return answer_view(session, answer_id)


def take_out(app: App, text: str) -> None:
    """Withdraw the statement with exactly this text."""
    withdraw(app.engine, app.index, text)


def shares(view: Json) -> dict[str | None, int]:
    """The share of each author by name, in ppb."""
    return {row["name"]: row["share_ppb"] for row in view["shares"]}


def share(view: Json, author: str) -> int:
    """One author's share, in ppb; 0 for an author without one."""
    return shares(view).get(author, 0)


def others(view: Json, authors: Collection[str]) -> int:
    """What everybody else gets together, in ppb."""
    return sum(ppb for name, ppb in shares(view).items() if name not in authors)


def told(view: Json) -> str:
    """What was answered and who got what, for a failed assertion."""
    parts = {name: round(ppb / PERCENT, 2) for name, ppb in shares(view).items()}
    segments = [
        (view["text"][s["start"] : s["end"]], s["supports"], s["contradicts"])
        for s in view["segments"]
    ]
    context = [(c["statement_id"], c["text"]) for c in view["context"]]
    return f"{view['text']!r} {parts} {view['unattributed']} {segments} {context}"
