"""Disputes that keep later money back: it waits too, and is passed on when the dispute ends."""

import pytest
from sqlalchemy import text

from store import ledger
from store.disputes import Dispute
from store.engine import Engine, read, write
from store.erasures import erase_author
from store.errors import BadInput
from store.people import get_author
from store.schema import OccurrenceRow
from tests.disputing import DISPUTED, OF_A, OF_B, assert_whole, balances, close, dispute, key_of
from tests.stored_books import NOW, Corpus, add_corpus, grant, settle


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


@pytest.fixture
def opened(engine: Engine, corpus: Corpus) -> Dispute:
    """A dispute about A's line of answer 1 that keeps back answers 2 and 3 (fee 333)."""
    settle(engine, corpus, 1)
    found = dispute(engine, OF_A, keep_back=True)
    settle(engine, corpus, 2)
    settle(engine, corpus, 3, fee_micro=333)
    return found


def test_later_money_waits_and_goes_to_those_whom_it_would_have_paid(
    engine: Engine, corpus: Corpus, opened: Dispute
) -> None:
    """While the dispute is open, A's later shares wait; going back, A has what A would have."""
    assert opened.occurrence_id == corpus.statements[0].occurrence_id
    waiting = balances(engine, corpus)
    assert (waiting.get("A"), waiting["disputed"]) == (None, 4000 + 4000 + 133)
    assert_whole(engine)
    close(engine, opened)
    after = balances(engine, corpus)
    assert (after["A"], after.get("disputed")) == (8133, None)
    waiting |= {"A": waiting.pop("disputed")}
    assert after == waiting
    settle(engine, corpus, 4)
    assert balances(engine, corpus)["A"] == 12_133
    assert_whole(engine)


def test_each_released_line_names_the_line_that_was_kept_back(
    engine: Engine, corpus: Corpus, opened: Dispute
) -> None:
    """One entry per answer corrects the answer's own entry, under a key of the dispute."""
    close(engine, opened)
    with read(engine) as s:
        entry = ledger.get_entry(s, opened.release_key("answer-3"))
        assert ledger.remaining(s, key_of(3))[OF_A] == 0
    (line,) = entry.transfers
    assert (entry.corrects, line.line, line.debit) == (key_of(3), OF_A, DISPUTED)
    assert (line.reason, line.amount_micro, line.author_id) == ("dispute_back", 133, corpus.a)


def test_the_winner_gets_what_was_kept_back(
    engine: Engine, corpus: Corpus, opened: Dispute
) -> None:
    """Going on, the later money goes where the line's goes."""
    close(engine, opened, "B")
    found = balances(engine, corpus)
    assert (found.get("A"), found["B"], found.get("disputed")) == (None, 8133 + 7117, None)
    assert_whole(engine)


def test_kept_back_money_follows_the_grants_of_its_answer(engine: Engine, corpus: Corpus) -> None:
    """A press with a quarter of the work's money gets its quarter of what was kept back."""
    with write(engine) as s:
        grant(s, corpus, "press", 250_000)
    settle(engine, corpus, 1)
    opened = dispute(engine, OF_A, keep_back=True)
    settle(engine, corpus, 2)
    with read(engine) as s:
        before = ledger.balance(s, "holder:press")
    close(engine, opened)
    with read(engine) as s:
        assert ledger.balance(s, "holder:press") - before == 1000 + opened.amount_micro
    assert_whole(engine)


def test_kept_back_money_of_an_erased_author_is_unclaimed(
    engine: Engine, corpus: Corpus, opened: Dispute
) -> None:
    """Whoever was erased while the dispute was open gets nothing new."""
    unclaimed = balances(engine, corpus)["unclaimed"]
    with write(engine) as s:
        erase_author(s, get_author(s, corpus.a), by="root", now_us=NOW)
    with pytest.raises(BadInput, match="is erased and can get no money"):
        close(engine, dispute(engine, OF_B), corpus.a)
    close(engine, opened)
    found = balances(engine, corpus)
    assert (found["A"], found["unclaimed"]) == (4000, unclaimed + 4133)


def test_what_was_refunded_is_not_released(engine: Engine, corpus: Corpus, opened: Dispute) -> None:
    """An asker's refund takes its part of a kept-back line; the rest is released."""
    with write(engine) as s:
        ledger.refund(s, key_of(2), 5000, name="half", now_us=NOW)
        ledger.reverse(s, key_of(3), now_us=NOW)
    close(engine, opened)
    assert balances(engine, corpus)["A"] == 4000 + 2000
    assert_whole(engine)


def test_one_dispute_at_a_time_keeps_money_back(
    engine: Engine, corpus: Corpus, opened: Dispute
) -> None:
    """Another line of the same statement can be disputed, but its money is kept back once."""
    settle(engine, corpus, 5)
    with pytest.raises(BadInput, match="waits in reserve:disputed already"):
        dispute(engine, OF_A, 2)
    close(engine, opened)
    first = dispute(engine, OF_A, keep_back=True)
    settle(engine, corpus, 6)
    close(engine, first)
    settle(engine, corpus, 7)
    second = dispute(engine, OF_A, 7, keep_back=True)
    with pytest.raises(BadInput, match=f"dispute {second.id} keeps its later money back"):
        dispute(engine, OF_A, 1, keep_back=True)
    with read(engine) as s:
        assert s.get_one(OccurrenceRow, second.occurrence_id).disputed
    close(engine, second)
    with read(engine) as s:
        assert not s.get_one(OccurrenceRow, second.occurrence_id).disputed
    assert_whole(engine)


def test_a_line_without_a_statement_keeps_nothing_back(engine: Engine, corpus: Corpus) -> None:
    """The line of an answer whose context names no occurrence cannot mark one."""
    settle(engine, corpus, 1)
    with write(engine) as s:
        if engine.dialect.name == "sqlite":
            s.execute(text("DROP TRIGGER context_entries_no_update"))
        else:
            s.execute(text("ALTER TABLE context_entries DISABLE TRIGGER USER"))
        s.execute(text("UPDATE context_entries SET occurrence_id = NULL"))
    with pytest.raises(BadInput, match="names no occurrence"):
        dispute(engine, OF_A, keep_back=True)
