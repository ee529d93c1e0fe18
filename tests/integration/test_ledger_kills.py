"""Processes that die or race leave the ledger whole: real SIGKILLs, on real databases."""

import subprocess
import sys

from sqlalchemy import func, select

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.answers import add_answer, add_attribution, unsettled
from store.engine import Engine, read, write
from store.schema import EntryRow
from tests.books import an_attribution
from tests.stored_books import Corpus, account_of, add_corpus, settle

ANSWERS = 120
KILLS = 30
RACERS = 20


def under_fire(mode: str, engine: Engine, *words: str) -> str:
    """What `tests.posting_under_fire` prints about this database."""
    engine.dispose()
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.posting_under_fire", mode, url, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr == ""
    return done.stdout


def add_unsettled(engine: Engine) -> Corpus:
    """Answers with a provisional attribution each."""
    corpus = add_corpus(engine)
    with write(engine) as s:
        for number in range(ANSWERS):
            answer = corpus.answer(number, asker_id=f"asker-{number % 7}")
            add_answer(s, answer)
            shares = corpus.shares(400_000_000, 350_000_000)
            add_attribution(s, an_attribution(shares, answer, tier="provisional"))
    return corpus


def test_answers_posted_by_dying_processes_have_one_entry_each(engine: Engine) -> None:
    """Six processes settle the same 120 answers while 30 are SIGKILLed: exactly 120 entries."""
    corpus = add_unsettled(engine)
    assert under_fire("kill", engine, str(KILLS)) == f"{KILLS}\n"
    with read(engine) as s:
        assert s.scalar(select(func.count()).select_from(EntryRow)) == ANSWERS
        assert check_ledger(s) == ()
        assert unsettled(s) == ()
        keys = [ledger.distribution_key(f"answer-{number}") for number in range(ANSWERS)]
        seqs = sorted(ledger.get_entry(s, key).seq for key in keys)
        assert seqs == list(range(1, ANSWERS + 1))
        assert ledger.balance(s, account_of(s, corpus.a)) == ANSWERS * 4000


def test_one_of_twenty_reversals_at_once_wins(engine: Engine) -> None:
    """Twenty processes reverse one entry: one does, nineteen are told so, money goes back once."""
    corpus = add_corpus(engine)
    entry = settle(engine, corpus)
    assert entry is not None
    assert under_fire("reverse", engine, str(RACERS), entry.key) == f"1 {RACERS - 1}\n"
    with read(engine) as s:
        assert s.scalar(select(func.count()).select_from(EntryRow)) == 2
        assert check_ledger(s) == ()
        assert set(ledger.remaining(s, entry.key).values()) == {0}
        assert ledger.balance(s, "asker:local") == 0
        assert ledger.balance(s, account_of(s, corpus.a)) == 0
