"""Closes that are killed, and closes while others post, on real databases with real SIGKILLs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from haozhi.accounting.settle import check_ledger
from store import checkpoints, ledger
from store.answers import add_answer, add_attribution, unsettled
from store.engine import Engine, read, write
from store.records.ledger import Transfer
from store.schema import EntryRow
from tests.books import an_attribution
from tests.closed_books import close
from tests.stored_books import NOW, Corpus, account_of, add_corpus, grant, settle

ANSWERS = 80
PERIODS = 4


def under_fire(mode: str, engine: Engine, data_dir: Path, *words: str) -> list[dict[str, Any]]:
    """What `tests.closing_under_fire` prints about this database."""
    engine.dispose()
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.closing_under_fire", mode, url, str(data_dir), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def add_books(engine: Engine) -> Corpus:
    """Paid answers, a holder who is no author, a hold that expires, and a debt until it does."""
    corpus = add_corpus(engine)
    with write(engine) as s:
        grant(s, corpus, "press", 250_000)
    for number in range(4):
        settle(engine, corpus, number)
    with write(engine) as s:
        code = account_of(s, corpus.a)
        held = Transfer(code, "hold:h", ledger.balance(s, code), "payout")
        ledger.hold(s, "h", [held], policy_version=1, now_us=NOW, expires_us=NOW + 10**9)
        ledger.refund(s, "answer:answer-1:dist:1", 500, name="r", now_us=NOW)
    return corpus


def test_a_close_killed_at_every_step_ends_as_if_it_had_not_been(
    engine: Engine, tmp_path: Path
) -> None:
    """Whatever statement the process dies before, another finishes the same period: one report per
    holder, the same bytes, whole books.
    """
    corpus = add_books(engine)
    ends = under_fire("kill", engine, tmp_path)
    if engine.dialect.name == "sqlite":
        assert len(ends) > 20
    whole = ends[-1]
    assert not whole.pop("killed")
    assert whole["differences"] == []
    assert whole["periods"] == ["CLOSED", "OPEN"]
    assert sum(report["recouped_micro"] for report in whole["reports"]) > 0
    with read(engine) as s:
        holders = [account_of(s, each).removeprefix("holder:") for each in (corpus.a, corpus.b)]
    assert [r["holder_id"] for r in whole["reports"]] == sorted([*holders, "press"])
    for end in ends[:-1]:
        assert end.pop("killed")
        assert end == whole


def test_nothing_lands_in_a_period_that_closes_while_others_post(
    engine: Engine, tmp_path: Path
) -> None:
    """Four processes settle 80 answers while four periods are closed: each entry is in one period,
    every closed one has what was signed, and everything adds up.
    """
    corpus = add_corpus(engine)
    with write(engine) as s:
        for number in range(ANSWERS):
            answer = corpus.answer(number)
            add_answer(s, answer)
            shares = corpus.shares(400_000_000, 350_000_000)
            add_attribution(s, an_attribution(shares, answer, tier="provisional"))
    under_fire("race", engine, tmp_path, str(PERIODS))
    with read(engine) as s:
        assert unsettled(s) == ()
        signed = checkpoints.list_checkpoints(s)
        assert [each.period_id for each in signed] == list(range(1, PERIODS + 1))
        assert [each.tree_size for each in signed] == [
            checkpoints.last_seq(s, each.period_id) for each in signed
        ]
        assert len({each.tree_size for each in signed}) == PERIODS, "nothing was posted meanwhile"
        assert s.scalar(select(func.count()).select_from(EntryRow)) == ANSWERS
        assert ledger.balance(s, account_of(s, corpus.a)) == ANSWERS * 4000
    close(engine, tmp_path, PERIODS + 1)
    with read(engine) as s:
        assert check_ledger(s) == ()
