"""Disputes about a line: its money waits, and goes back where it came from or on to another."""

from collections.abc import Callable

import pytest

from store import ledger
from store.disputes import get_dispute, list_disputes
from store.engine import Engine, read, write
from store.errors import BadInput, HaozhiError, NotFound
from store.periods import begin_closing, finish_closing
from store.records.ledger import Transfer
from store.rights import add_holder
from tests.disputing import (
    OF_A,
    OF_B,
    OF_NO_STATEMENT,
    OF_NOBODY,
    assert_whole,
    balances,
    close,
    dispute,
    key_of,
)
from tests.stored_books import NOW, Corpus, account_of, add_corpus, settle

#: What the books of one answer have: a fee of 10,000.
PAID = {"A": 4000, "B": 3500, "unclaimed": 1000, "unattributed": 1500}


def without(name: str) -> dict[str, int]:
    """The balances when one of them was taken away whole."""
    return {each: amount_micro for each, amount_micro in PAID.items() if each != name}


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known, and one answer that rests on them."""
    found = add_corpus(engine)
    settle(engine, found)
    return found


def set_aside(engine: Engine, corpus: Corpus, amount_micro: int) -> None:
    """A hold of A's money, so that A no longer has it."""
    with write(engine) as s:
        taken = Transfer(account_of(s, corpus.a), "hold:test", amount_micro, "payout")
        ledger.hold(s, "test", [taken], policy_version=1, now_us=NOW)


def test_disputed_money_waits_and_goes_back(engine: Engine, corpus: Corpus) -> None:
    """Opening moves the line's money into the disputed reserve, closing returns all of it."""
    opened = dispute(engine, OF_A, claimant="B")
    assert balances(engine, corpus) == {**without("A"), "disputed": 4000}
    with read(engine) as s:
        entry = ledger.get_entry(s, opened.open_key)
    (line,) = entry.transfers
    assert (entry.corrects, line.line, line.reason) == (key_of(), OF_A, "dispute_open")
    assert (line.answer_id, line.author_id) == ("answer-1", corpus.a)
    assert (opened.claimant_id, opened.amount_micro, opened.closing) == (corpus.b, 4000, None)
    assert_whole(engine)
    closed = close(engine, opened)
    assert closed.closing is not None
    assert (closed.closing.outcome, closed.closing.holder_id) == ("back", None)
    assert balances(engine, corpus) == PAID
    assert_whole(engine)


def test_disputed_money_can_go_on_to_another_author(engine: Engine, corpus: Corpus) -> None:
    """Closing on to B pays B what A had, as a line about what B said."""
    closed = close(engine, dispute(engine, OF_A), "B")
    assert balances(engine, corpus) == {**without("A"), "B": 7500}
    with read(engine) as s:
        (line,) = ledger.get_entry(s, closed.close_key).transfers
        assert closed.closing is not None
        assert line.credit == account_of(s, corpus.b) == f"holder:{closed.closing.holder_id}"
    assert (line.reason, line.author_id, line.line) == ("dispute_on", corpus.b, OF_A)
    assert_whole(engine)


def test_disputed_money_can_go_on_to_a_publisher(engine: Engine, corpus: Corpus) -> None:
    """Whoever holds rights can win a dispute, an author or not, what was kept back included."""
    with write(engine) as s:
        press = add_holder(s, "出版社")
    opened = dispute(engine, OF_A, keep_back=True)
    settle(engine, corpus, 2)
    closed = close(engine, opened, "出版社")
    assert closed.closing is not None
    assert closed.closing.holder_id == press
    with read(engine) as s:
        assert ledger.balance(s, f"holder:{press}") == 8000
    assert "A" not in balances(engine, corpus)
    assert_whole(engine)


def test_unclaimed_money_can_be_disputed(engine: Engine, corpus: Corpus) -> None:
    """What waits for an unknown author can be claimed, go back to waiting, and go on."""
    again = close(engine, dispute(engine, OF_NOBODY))
    assert again.amount_micro == 1000
    assert balances(engine, corpus) == PAID
    close(engine, dispute(engine, OF_NOBODY), "A")
    assert balances(engine, corpus) == {**without("unclaimed"), "A": 5000}
    assert_whole(engine)


def test_what_the_holder_no_longer_has_is_owed(engine: Engine, corpus: Corpus) -> None:
    """Money that is gone is taken from what A owes; going back, that is settled first."""
    set_aside(engine, corpus, 3000)
    opened = dispute(engine, OF_A)
    assert balances(engine, corpus) == {**without("A"), "disputed": 4000, "owed by A": -3000}
    close(engine, opened)
    assert balances(engine, corpus) == {**PAID, "A": 1000}


def test_what_was_recouped_meanwhile_goes_back_to_the_holder(
    engine: Engine, corpus: Corpus
) -> None:
    """A debt paid off while the dispute was open is not paid a second time."""
    set_aside(engine, corpus, 3000)
    opened = dispute(engine, OF_A)
    settle(engine, corpus, 2, fee_micro=5000)
    with write(engine) as s:
        ledger.recoup(s, now_us=NOW + 9)
    assert balances(engine, corpus)["owed by A"] == -1000
    close(engine, opened)
    found = balances(engine, corpus)
    assert (found["A"], found.get("owed by A")) == (3000, None)


def test_only_an_answers_entry_is_taken_back(engine: Engine, corpus: Corpus) -> None:
    """A recoupment is not undone: a report has no column for what would come back."""
    set_aside(engine, corpus, 3000)
    dispute(engine, OF_A)
    settle(engine, corpus, 2)
    with write(engine) as s:
        (recouped,) = ledger.recoup(s, now_us=NOW + 9)
    with write(engine) as s, pytest.raises(BadInput, match="only the entry of an answer"):
        ledger.reverse(s, recouped.key, now_us=NOW + 10)
    with write(engine) as s, pytest.raises(BadInput, match="only the entry of an answer"):
        ledger.refund(s, recouped.key, 1, name="n", now_us=NOW + 10)
    assert_whole(engine)


def test_only_what_remains_of_a_line_is_disputed(engine: Engine, corpus: Corpus) -> None:
    """After a refund of half, the other half waits; nothing of it can be refunded meanwhile."""
    with write(engine) as s:
        ledger.refund(s, key_of(), 5000, name="half", now_us=NOW)
    opened = dispute(engine, OF_A)
    assert opened.amount_micro == 2000
    with write(engine) as s:
        assert ledger.remaining(s, key_of())[OF_A] == 0
        with pytest.raises(BadInput, match="3000 remain"):
            ledger.refund(s, key_of(), 3001, name="more", now_us=NOW)
        reversal = ledger.reverse(s, key_of(), now_us=NOW)
    assert sum(line.amount_micro for line in reversal.transfers) == 3000
    assert balances(engine, corpus) == {"disputed": 2000}
    close(engine, opened)
    assert balances(engine, corpus) == {"A": 2000}
    with write(engine) as s:
        ledger.refund(s, key_of(), 2000, name="rest", now_us=NOW)
    assert balances(engine, corpus) == {}
    assert_whole(engine)


def test_a_line_can_be_disputed_again_where_its_money_is(engine: Engine, corpus: Corpus) -> None:
    """What went back is the first line again; what went on is the closing entry's line."""
    first = close(engine, dispute(engine, OF_A))
    second = close(engine, dispute(engine, OF_A), "B")
    with pytest.raises(BadInput, match="nothing remains of line 0"):
        dispute(engine, OF_A)
    third = dispute(engine, OF_A, entry_key=second.close_key)
    assert balances(engine, corpus) == {**without("A"), "disputed": 4000}
    close(engine, third, "A")
    assert balances(engine, corpus) == PAID
    with pytest.raises(BadInput, match=f"line 0 of {first.close_key} gave back line 0"):
        dispute(engine, OF_A, entry_key=first.close_key)
    assert_whole(engine)


def test_a_line_of_a_closed_period_moves_in_the_open_one(engine: Engine, corpus: Corpus) -> None:
    """A closed period gets no line: the dispute's entries stand in the open one."""
    with write(engine) as s:
        finish_closing(s, begin_closing(s, by="x", now_us=NOW + 5))
    closed = close(engine, dispute(engine, OF_A))
    with read(engine) as s:
        assert ledger.get_entry(s, closed.entry_key).period_id == 1
        assert ledger.get_entry(s, closed.open_key).period_id == 2
        assert ledger.get_entry(s, closed.close_key).period_id == 2
        assert ledger.balance(s, account_of(s, corpus.a), before_period=2) == 4000


@pytest.mark.parametrize(
    ("attempt", "error", "said"),
    [
        (lambda e: dispute(e, number=9), NotFound, "no ledger entry answer:answer-9:dist:1"),
        (lambda e: dispute(e, 4), NotFound, "has no line 4: its lines are 0 to 3"),
        (lambda e: dispute(e, -1), NotFound, "has no line -1"),
        (lambda e: dispute(e, OF_NO_STATEMENT), BadInput, "credits nobody.*unsupported"),
        (lambda e: dispute(e, claimant="nobody"), NotFound, "no author"),
        (lambda e: dispute(e, claimant="A"), BadInput, "pays A already"),
        (lambda e: dispute(e, by=" "), BadInput, "who acts"),
        (lambda e: dispute(e, ground="\u200b"), BadInput, "its ground is empty"),
        (lambda e: dispute(e, ground="a\0"), BadInput, "U\\+0000"),
        (lambda e: [dispute(e), dispute(e)], BadInput, "disputed already, by dispute d"),
        (lambda e: close(e, dispute(e), "A"), BadInput, "had the money before"),
        (lambda e: close(e, dispute(e), "nobody"), NotFound, "no holder or author"),
        (lambda e: close(e, close(e, dispute(e))), BadInput, "closed by root already"),
    ],
)
def test_a_dispute_that_cannot_be_is_one_line(
    engine: Engine,
    corpus: Corpus,
    attempt: Callable[[Engine], object],
    error: type[HaozhiError],
    said: str,
) -> None:
    """A wrong line, author or text is refused in words, and nothing is half done."""
    with pytest.raises(error, match=said):
        attempt(engine)
    assert sum(balances(engine, corpus).values()) == 10_000
    assert_whole(engine)


@pytest.mark.usefixtures("corpus")
def test_disputes_are_listed_as_they_were_opened(engine: Engine) -> None:
    """All of them or the open ones, with their words as they were said."""
    first, second = dispute(engine, OF_A), dispute(engine, OF_B, ground="Not B's.")
    first = close(engine, first)
    with read(engine) as s:
        assert list_disputes(s) == (first, second)
        assert list_disputes(s, open_only=True) == (second,)
        assert get_dispute(s, first.id).ground == "这句话是我先说的"
        with pytest.raises(NotFound, match="no dispute 'd0'"):
            get_dispute(s, "d0")
