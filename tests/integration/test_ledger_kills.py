"""Killed processes leave the ledger whole: real SIGKILLs, on a real file."""

import subprocess
import sys

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.answers import add_answer, add_attribution, unsettled
from store.engine import Engine, read, write
from tests.books import an_attribution
from tests.stored_books import account_of, add_corpus

ANSWERS = 20
KILLS = 25


def test_answers_posted_by_dying_processes_have_one_entry_each(sqlite_engine: Engine) -> None:
    """Three processes settle the same 20 answers while 25 are SIGKILLed: exactly 20 entries."""
    corpus = add_corpus(sqlite_engine)
    with write(sqlite_engine) as s:
        for number in range(ANSWERS):
            answer = corpus.answer(number)
            add_answer(s, answer)
            shares = corpus.shares(400_000_000, 350_000_000)
            add_attribution(s, an_attribution(shares, answer, tier="provisional"))
    sqlite_engine.dispose()
    url = sqlite_engine.url.render_as_string()
    command = [sys.executable, "-m", "tests.posting_under_fire", url, "1", str(KILLS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{KILLS}\n", done.stderr
    with read(sqlite_engine) as s:
        assert check_ledger(s) == ()
        assert unsettled(s) == ()
        entries = [ledger.get_entry(s, ledger.distribution_key(f"answer-{n}")) for n in range(20)]
        assert sorted(entry.seq for entry in entries) == list(range(1, ANSWERS + 1))
        assert ledger.balance(s, account_of(s, corpus.a)) == ANSWERS * 4000
