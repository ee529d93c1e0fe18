"""Audits: an answer is computed again from its tokens, and the largest difference is told."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import haozhi.app
from haozhi.app import App
from haozhi.auditing import audit, audit_answers
from haozhi.cli import app as cli
from haozhi.replay import replay
from haozhi.settings import load_settings
from store.engine import database_path
from store.errors import NotFound
from tests.asking import MakeWorld, asked


@pytest.fixture(scope="module")
def app(world: MakeWorld) -> App:
    """A sum by two authors, and a cat."""
    return world(
        (("1 + 1 = 2", "A", None), ("2 + 1 = 3", "B", None), ("我家猫叫团子。", "苏禾", None))
    )


def test_an_untouched_answer_is_the_same(app: App) -> None:
    """Answered or refused, in Chinese or English: the difference is 0, and the models are named."""
    questions = ("1 + 1 + 1 = ?", "我的猫叫什么？", "Who invented the fountain pen?")
    ids = [asked(app, question)["id"] for question in questions]
    for answer_id, found in zip(ids, audit_answers(app, ids), strict=True):
        assert (found.answer_id, found.state, found.largest_ppb) == (answer_id, "same", 0)
        assert found.model_fingerprint == found.answer_fingerprint == app.generator.fingerprint


def test_a_changed_share_is_measured(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who moves 5 ppb from one author to another in the stored shares is told: 5 ppb."""
    answer_id = asked(app, "1 + 1 + 1 = ?")["id"]
    with _damaging(app) as connection:
        connection.execute("DROP TRIGGER pair_rows_no_update")
        rows = connection.execute(
            "SELECT p.id FROM pair_rows p JOIN attributions a ON a.id = p.attribution_id"
            " WHERE a.answer_id = ? AND a.tier = 'final' ORDER BY p.id",
            (answer_id,),
        ).fetchall()
        for (row,), moved in zip(rows[:2], (5, -5), strict=True):
            change = "UPDATE pair_rows SET share_ppb = share_ppb + ? WHERE id = ?"
            connection.execute(change, (moved, row))
    found = audit(app, answer_id)
    assert (found.state, found.largest_ppb) == ("differs", 5)
    monkeypatch.setattr(haozhi.app, "open_app", lambda _settings: app)
    done = CliRunner().invoke(cli, ["audit", answer_id, "--json"])
    assert (done.exit_code, json.loads(done.stdout)["largest_ppb"]) == (1, 5)


def test_what_cannot_be_computed_is_unknown_and_not_zero(app: App) -> None:
    """Another model, or none at all: not replayable, a reason, and no difference is claimed."""
    answer_id = asked(app, "我的猫叫什么？")["id"]
    other = App(app.settings, app.engine)
    vars(other)["generator"] = replace(app.generator, fingerprint="another")
    found = audit(other, answer_id)
    assert (found.state, found.largest_ppb, found.model_fingerprint) == (
        "not_replayable",
        None,
        "another",
    )
    assert "another" in found.reason
    bare = load_settings(data_dir=app.settings.data_dir, model_dir=app.settings.data_dir)
    assert audit(App(bare, app.engine), answer_id).state == "not_replayable"
    with pytest.raises(NotFound):
        audit(app, "nothing")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE answers SET tail_start = 0 WHERE id = ?",
        "UPDATE answers SET policy_version = 99 WHERE id = ?",
    ],
)
def test_rows_that_no_answer_can_have_are_a_reason_and_no_crash(app: App, damage: str) -> None:
    """A close that draws such an answer goes on, and whoever replays it reads why it cannot be."""
    answer_id = asked(app, "我的猫叫什么？")["id"]
    with _damaging(app) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DROP TRIGGER IF EXISTS answers_identity")
        connection.execute(damage, (answer_id,))
    found, again = audit(app, answer_id), replay(app, answer_id)
    assert (found.state, found.largest_ppb) == ("not_replayable", None)
    assert again.state == "not_replayable"
    assert found.reason
    assert again.differences == (found.reason,)


@contextmanager
def _damaging(app: App) -> Iterator[sqlite3.Connection]:
    """The database as somebody with the file can change it."""
    path = database_path(app.engine)
    assert path is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection
