"""Disputes from several processes: one wins, and a killed one leaves nothing half done."""

import subprocess
import sys

import pytest

from store.disputes import list_disputes
from store.engine import Engine, read
from tests.disputing import assert_whole, balances
from tests.disputing_under_fire import ANSWERS
from tests.stored_books import add_corpus, settle

FEES = 10_000 * ANSWERS


def under_fire(engine: Engine, mode: str, count: int) -> str:
    """What `tests.disputing_under_fire` prints."""
    engine.dispose()
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.disputing_under_fire", mode, url, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("processes", [2, 6])
def test_one_of_several_processes_opens_the_dispute(engine: Engine, processes: int) -> None:
    """The same line disputed at once: one dispute, and the others are told in one line."""
    corpus = add_corpus(engine)
    settle(engine, corpus)
    assert under_fire(engine, "race", processes) == f"1 {processes - 1}"
    with read(engine) as s:
        (opened,) = list_disputes(s)
    assert opened.amount_micro == balances(engine, corpus)["disputed"] == 4000
    assert_whole(engine)


def test_killed_processes_leave_no_dispute_half_open(engine: Engine) -> None:
    """Three processes open and close at random while 20 are SIGKILLed: the books are whole."""
    corpus = add_corpus(engine)
    for number in range(1, ANSWERS + 1):
        settle(engine, corpus, number)
    assert under_fire(engine, "kill", 20) == "20"
    with read(engine) as s:
        found = list_disputes(s)
    assert len(found) > 10
    assert sum(balances(engine, corpus).values()) == FEES
    assert_whole(engine)
