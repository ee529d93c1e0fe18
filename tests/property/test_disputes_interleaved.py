"""Disputes between refunds, reversals, payouts and new answers, in any order."""

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.disputes import list_disputes
from store.engine import Engine, Session, read, write
from store.errors import BadInput, NotFound
from store.ledger import AlreadyReversed
from store.records.ledger import Transfer
from store.schema import AccountRow
from tests.disputing import DISPUTED, close, dispute, key_of
from tests.stored_books import NOW, Corpus, account_of, add_corpus, settle

_OPEN = st.tuples(st.just("open"), st.integers(0, 99), st.integers(0, 2), st.booleans())
_STEP = st.one_of(
    _OPEN,
    _OPEN,  # more often than what takes the money away from it
    st.tuples(st.just("settle"), st.integers(1, 20_000)),
    st.tuples(st.just("close"), st.integers(0, 99), st.sampled_from([None, "A", "B"])),
    st.tuples(st.just("refund"), st.integers(0, 99), st.integers(1, 3_000)),
    st.tuples(st.just("reverse"), st.integers(0, 99)),
    st.tuples(st.just("set_aside"), st.sampled_from("ab"), st.integers(1, 9_000)),
)


@dataclass
class Books:
    """One database with a corpus; steps that are refused in words change nothing."""

    engine: Engine
    corpus: Corpus
    numbers: "count[int]" = field(default_factory=lambda: count(1))
    keys: list[str] = field(default_factory=list)

    def settle(self, fee_micro: int) -> None:
        """One more answer."""
        number = next(self.numbers)
        settle(self.engine, self.corpus, number, fee_micro=fee_micro)
        self.keys.append(key_of(number))

    def open(self, which: int, line: int, keep_back: bool) -> None:
        """A dispute about a line of an answer, or about a line that brought money on."""
        with read(self.engine) as s:
            moved = [d.close_key for d in list_disputes(s) if d.entry_key in self.keys]
        places = self.keys + [key for key in moved if self._is_there(key)]
        dispute(self.engine, line, entry_key=places[which % len(places)], keep_back=keep_back)

    def close(self, which: int, winner: str | None) -> None:
        """The end of one of the open disputes."""
        with read(self.engine) as s:
            waiting = list_disputes(s, open_only=True)
        if waiting:
            close(self.engine, waiting[which % len(waiting)], winner)

    def refund(self, which: int, amount_micro: int) -> None:
        """A part of an answer's fee back to the asker."""
        key, name = self.keys[which % len(self.keys)], str(next(self.numbers))
        with write(self.engine) as s:
            ledger.refund(s, key, amount_micro, name=name, now_us=NOW)

    def reverse(self, which: int) -> None:
        """All that remains of an answer's fee back to the asker."""
        with write(self.engine) as s:
            ledger.reverse(s, self.keys[which % len(self.keys)], now_us=NOW)

    def set_aside(self, author: str, amount_micro: int) -> None:
        """Money that an author no longer has when it is disputed."""
        with write(self.engine) as s:
            code = account_of(s, self.corpus.a if author == "a" else self.corpus.b)
            amount_micro = min(amount_micro, ledger.balance(s, code))
            if amount_micro:
                name = f"test{next(self.numbers)}"
                taken = Transfer(code, f"hold:{name}", amount_micro, "payout")
                ledger.hold(s, name, [taken], policy_version=1, now_us=NOW)

    def _is_there(self, key: str) -> bool:
        with read(self.engine) as s:
            return ledger.find_entry(s, key) is not None


def assert_sums(s: Session, keys: list[str]) -> None:
    """Sum zero, floors, nothing taken twice, and the reserve is what disputes account for."""
    accounts = s.execute(select(AccountRow.code, AccountRow.kind)).all()
    balances = {code: ledger.balance(s, code) for code, _ in accounts}
    assert sum(balances.values()) == 0
    for code, kind in accounts:
        assert kind == "asker" or (balances[code] <= 0 if kind == "owed" else balances[code] >= 0)
    kept_micro = 0
    for key in keys:
        left = ledger.remaining(s, key)
        assert min(left.values()) >= 0
        transfers = ledger.get_entry(s, key).transfers
        kept_micro += sum(left[i] for i, t in enumerate(transfers) if t.credit == DISPUTED)
    waiting = [found.amount_micro for found in list_disputes(s, open_only=True)]
    assert balances[DISPUTED] == sum(waiting) + kept_micro


@pytest.fixture
def books(engine: Engine) -> Books:
    """The books that every example goes on with."""
    return Books(engine, add_corpus(engine))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(_STEP, min_size=4, max_size=14))
def test_disputed_money_is_neither_lost_nor_made(
    books: Books, steps: list[tuple[str, *tuple[Any, ...]]]
) -> None:
    """Whatever happens in between, the reserve is the open disputes', and empty after the last."""
    books.keys.clear()
    for name, *arguments in [("settle", 10_000), *steps]:
        with suppress(BadInput, NotFound, AlreadyReversed):
            getattr(books, name)(*arguments)
        with read(books.engine) as s:
            assert_sums(s, books.keys)
    with read(books.engine) as s:
        waiting = list_disputes(s, open_only=True)
    for found in waiting:
        close(books.engine, found)
    with read(books.engine) as s:
        assert ledger.balance(s, DISPUTED) == 0
        found_differences = check_ledger(s)
    assert found_differences == ()
