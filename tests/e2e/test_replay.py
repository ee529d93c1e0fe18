"""Replay: the stored tokens give the same text, shares and postings again."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from haozhi.app import App
from haozhi.replay import replay
from store.engine import write
from store.schema import StatementRow
from tests.asking import MakeWorld, Said, asked, shares, take_out

SAID: tuple[Said, ...] = (
    ("1 + 1 = 2", "A", None),
    ("2 + 1 = 3", "B", None),
    ("3 + 1 = 4", "C", None),
    ("我家猫叫团子。", "苏禾", None),
    ("An octopus has three hearts.", None, None),
    ("The bakery opens at six.", "Ida", None),
)


@pytest.fixture(scope="module")
def app(world: MakeWorld) -> App:
    """Sums, a cat, and a statement whose author is unknown."""
    return world(SAID)


@pytest.mark.parametrize(
    "question",
    [
        "1 + 1 + 1 = ?",
        "我的猫叫什么？",
        "How many hearts does an octopus have?",
        "Who said 1 + 1 + 1 = 3?",
        "Who invented the fountain pen?",
    ],
)
def test_a_stored_answer_replays_as_it_was(app: App, question: str) -> None:
    """Answered or refused, asked or `who`: nothing differs."""
    view = asked(app, question)
    assert replay(app, view["id"]).differences == ()
    assert replay(app, view["id"]).state == "same"


def test_another_model_cannot_replay_an_answer(app: App) -> None:
    """The fingerprint of the weights decides, and both are named."""
    view = asked(app, "我的猫叫什么？")
    other = App(app.settings, app.engine)
    vars(other)["generator"] = replace(app.generator, fingerprint="another")
    found = replay(other, view["id"])
    assert found.state == "not_replayable"
    assert app.generator.fingerprint in found.differences[0]
    assert "another" in found.differences[0]


def test_the_same_question_gets_the_same_answer(app: App) -> None:
    """Greedy answers do not change from one asking to the next, nor do their shares."""
    first, second = (asked(app, "How many hearts does an octopus have?") for _ in range(2))
    assert first["id"] != second["id"]
    assert first["text"] == second["text"]
    assert shares(second) == pytest.approx(shares(first), abs=1)  # ties fall by answer id


def test_a_withdrawn_statement_replays_and_a_deleted_one_does_not(app: App) -> None:
    """Withdrawing keeps the text of old answers; without its text nothing is recomputed."""
    text = "The bakery opens at six."
    view = asked(app, "When does the bakery open?")
    assert shares(view)["Ida"] > 0
    take_out(app, text)
    assert replay(app, view["id"]).state == "same"
    with write(app.engine) as session:
        session.execute(update(StatementRow).where(StatementRow.text == text).values(text=None))
    found = replay(app, view["id"])
    assert found.state == "not_replayable"
    assert "was deleted" in found.differences[0]
