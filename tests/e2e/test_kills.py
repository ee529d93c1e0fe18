"""A killed ask loses nothing and doubles nothing: real SIGKILLs, at moments all over it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from haozhi.accounting.settle import check_ledger
from haozhi.app import App
from haozhi.indexing import verify
from haozhi.models.generator import load_generator
from haozhi.replay import replay
from haozhi.settings import load_settings
from haozhi.settling import settle_all
from store import ledger
from store.answers import get_attribution, list_answers, unsettled
from store.engine import read
from tests.asking import Models, make_world
from tests.ingesting import SmallE5

QUESTION = "What is the capital of France?"
#: Asks for the Apache-licensed English model, which is the faster one.
MODEL = "builtin:smollm2-135m"


@pytest.fixture(scope="module")
def app(model_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> App:
    """Two statements and the small English model."""
    settings = load_settings(model_dir=model_dir, generator=MODEL)
    models = Models(SmallE5(), load_generator(settings))
    said = [("The capital of France is Paris.", "A", None), ("The tide is low.", "B", None)]
    return make_world(tmp_path_factory.mktemp("kills") / "data", models, said)


def _under_fire(app: App, moments: Sequence[str]) -> list[dict[str, Any]]:
    """Ask, or settle, once per moment in processes that die at it; what became of each."""
    command = [sys.executable, "-m", "tests.asking_under_fire", str(app.settings.data_dir)]
    environment = {**os.environ, "HAOZHI_GENERATOR": MODEL}
    done = subprocess.run(
        [*command, QUESTION, *moments], env=environment, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _check_store(app: App) -> None:
    """What must hold at any time, settled or not."""
    with read(app.engine) as s:
        assert s.scalar(text("PRAGMA integrity_check")) == "ok"
        assert s.execute(text("PRAGMA foreign_key_check")).all() == []
        assert check_ledger(s) == ()
    assert verify(app.engine, app.settings.index_dir).differences == ()


def test_killed_asks_are_settled_once(app: App) -> None:
    """Killed before T1 there is no answer; after it, settling ends each with one entry, no more."""
    (whole,) = _under_fire(app, ["never"])
    count = whole["sql"]
    assert count, whole
    spread = [f"sql:{1 + n * (count - 1) // 9}" for n in range(10)]
    late = [f"sql:{count - n}" for n in (1, 2, 4)]  # within T2, its commit among them
    between = ["call:settle", "call:attribute_finally", "call:post_final"]  # T1 and T2
    moments = [*spread, *late, *between, "token:1", "token:6"]
    killed = _under_fire(app, moments)
    assert [each["moment"] for each in killed if each["killed"]] == moments
    _check_store(app)
    with read(app.engine) as s:
        waiting = unsettled(s)
    assert len(waiting) >= 3  # those killed in between
    assert all(each["killed"] for each in _under_fire(app, ["settle:4", "settle:20", "settle:60"]))
    _check_store(app)

    settle_all(app)
    _check_store(app)
    with read(app.engine) as s:
        answers = list_answers(s, 100)
        assert unsettled(s) == ()
        assert {answer.id for answer in answers} >= set(waiting)
        assert len(answers) <= len(moments) + 1
        for answer in answers:
            assert answer.state == "answered"
            assert get_attribution(s, answer.id).version == 2
            ledger.get_entry(s, ledger.distribution_key(answer.id))
        fees = sum(answer.fee_micro for answer in answers)
        assert ledger.balance(s, "asker:local") == -fees != 0
    assert settle_all(app) == ()
    assert {replay(app, answer_id).state for answer_id in waiting[:3]} == {"same"}
