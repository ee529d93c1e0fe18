"""What cannot be answered or stored: one clear error, and nothing half written."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, text

import store.engine
from haozhi.accounting.settle import check_ledger
from haozhi.app import App
from haozhi.ask import ask
from haozhi.models.generator import load_generator
from haozhi.reports.credit_report import credit_report
from haozhi.settings import load_settings
from haozhi.settling import settle_all
from haozhi.who import who
from store.answers import list_answers
from store.engine import make_engine, read, write
from store.errors import BadInput, Cancelled, ModelMissing, NotFound, StoreBusy, StoreFull
from tests.asking import MakeWorld

QUESTION = "What is the capital of France?"


@pytest.fixture(scope="module")
def filled(world: MakeWorld) -> App:
    """One statement that answers the question."""
    return world([("The capital of France is Paris.", "Zoe", None)])


@pytest.fixture
def app(filled: App, tmp_path: Path) -> Iterator[App]:
    """The same, as a copy in which nothing was asked yet."""
    filled.engine.dispose()
    shutil.copytree(filled.settings.data_dir, tmp_path / "data")
    settings = load_settings(data_dir=tmp_path / "data", generator=filled.settings.generator)
    app = App(settings, make_engine(settings.database_url))
    vars(app).update(embedder=filled.embedder, generator=filled.generator)
    yield app
    app.engine.dispose()


def _answers(app: App) -> int:
    with read(app.engine) as s:
        assert check_ledger(s) == ()
        return len(list_answers(s, 100))


@pytest.mark.parametrize("asked", [ask, who])
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "empty"),
        (" \n\t　", "empty"),
        ("why? " * 20_000, "100000 characters"),
        ("为什么？" * 2_600, "10400 characters"),
        ("a\ud800b", "U+D800"),
        ("a\x00b", "U+0000"),
    ],
)
def test_a_question_that_is_none_is_bad_input(
    app: App, asked: Callable[..., str], question: str, said: str
) -> None:
    """Empty, too long or no text: said in one line, before anything is stored."""
    with pytest.raises(BadInput) as caught:
        asked(app, question, asker_id="local")
    assert "\n" not in str(caught.value)
    assert said in str(caught.value)
    assert _answers(app) == 0


def test_a_cancelled_question_leaves_nothing(app: App) -> None:
    """Nobody waits any more: no answer, no money."""
    with pytest.raises(Cancelled):
        ask(app, QUESTION, asker_id="local", cancelled=lambda: True)
    assert _answers(app) == 0


def test_an_unknown_author_has_no_report(app: App) -> None:
    """The name or id that was given is named."""
    with pytest.raises(NotFound, match="Nobody Known"), read(app.engine) as s:
        credit_report(s, "Nobody Known")


def test_a_model_folder_without_weights_is_missing(app: App, tmp_path: Path) -> None:
    """The folder is named; no answer is stored."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelMissing, match=f"{folder} has no weights"):
        load_generator(load_settings(data_dir=app.settings.data_dir, generator=str(folder)))


def test_a_second_writer_is_told_and_can_ask_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes, an ask stores nothing; afterwards it does, once."""
    monkeypatch.setattr(store.engine, "BUSY_TIMEOUT_S", 1)
    monkeypatch.setattr(store.engine, "_PRAGMAS", ())
    other = make_engine(app.settings.database_url)
    busy = App(app.settings, make_engine(app.settings.database_url))
    vars(busy).update(embedder=app.embedder, generator=app.generator, index=app.index)
    with write(other), pytest.raises(StoreBusy, match="another process is writing"):
        ask(busy, QUESTION, asker_id="local")
    assert _answers(app) == 0
    ask(busy, QUESTION, asker_id="local")
    assert _answers(app) == 1
    for engine in (other, busy.engine):
        engine.dispose()


def test_a_full_disk_stores_no_answer(app: App) -> None:
    """When the answer does not fit nothing of it is stored; with space it can be asked again."""
    with read(app.engine) as s:
        most = s.scalar(text("PRAGMA page_count"))

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {most}")

    app.engine.dispose()
    event.listen(app.engine, "connect", limit)
    wide = QUESTION + " " * 4200  # more than the free space of the pages that are there
    with pytest.raises(StoreFull, match="free some space"):
        ask(app, wide, asker_id="local")
    assert _answers(app) == 0
    most = 1_000_000
    app.engine.dispose()
    ask(app, wide, asker_id="local")
    assert _answers(app) == 1
    assert settle_all(app) == ()
