"""The ledger replies as a reference ledger does, whatever is done to it in whatever order."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from store import ledger, periods
from store.checking.entries import entry_differences
from store.checking.periods import period_differences
from store.checking.rows import total_differences
from store.engine import Engine, Session, read, write
from store.errors import HaozhiError
from store.people import add_author, get_author
from store.records.ledger import Difference, Entry, Period, Transfer
from tests.fixtures_store import OpenCopy, copied_database
from tests.reference_ledger import Booked, ReferenceLedger, Refused

START_US = 1_800_000_000_000_000
ASKERS = ("asker:local", "asker:甲")
RESERVES = ("reserve:unattributed", "reserve:unclaimed", "reserve:disputed")
numbers = st.integers(0, 3)
#: Small, so that accounts run empty, amounts are equal and refunds leave odd remainders.
amounts = st.integers(1, 12)
#: Which of the things that are there.
picks = st.integers(0, 20)


def any_entry(machine: "LedgerMachine") -> bool:
    """Whether something was posted that can be taken back."""
    return bool(machine.answers())


def any_hold(machine: "LedgerMachine") -> bool:
    """Whether money was set aside."""
    return bool(machine.model.holds)


def any_dispute(machine: "LedgerMachine") -> bool:
    """Whether a line is in dispute."""
    return bool(machine.disputed)


class LedgerMachine(RuleBasedStateMachine):
    """Each rule does the same to both ledgers and compares their replies."""

    databases: ClassVar[Callable[[], AbstractContextManager[Engine]]]
    steps: ClassVar[int]

    def __init__(self) -> None:
        super().__init__()
        self.database = type(self).databases()
        self.engine = self.database.__enter__()
        self.now_us = START_US
        self.model = ReferenceLedger(())
        self.disputed: list[tuple[str, int]] = []
        self.closing: Period | None = None

    @initialize()
    def two_authors(self) -> None:
        """Two holders have accounts before money moves."""
        with write(self.engine) as s:
            ids = [add_author(s, name, "test") for name in ("A", "B")]
            self.holders = sorted(f"holder:{get_author(s, i).holder_id}" for i in ids)
        self.model = ReferenceLedger([*self.holders, *RESERVES, *ASKERS])

    def teardown(self) -> None:
        """The database goes."""
        self.database.__exit__(None, None, None)

    def agree(self, real: Callable[[Session], Any], model: Callable[[], Any]) -> None:
        """Do it in both: both refuse it, or both reply the same."""
        type(self).steps += 1
        try:
            expected = said(model())
        except Refused:
            expected = "refused"
        try:
            with write(self.engine) as s:
                found = said(real(s))
        except (HaozhiError, ValueError):
            found = "refused"
        assert found == expected

    def looked_at(self) -> list[str]:
        """Entries whose lines are compared now: the last that was changed, and one in turn."""
        changed = [booked.changes for booked in self.model.entries.values() if booked.changes][-1:]
        known = self.answers()
        return [*changed, *known[self.steps % len(known) :][:1]] if known else changed

    def payable(self) -> list[str]:
        """Accounts that answers pay."""
        return [*self.holders, *RESERVES[:2]]

    def answers(self) -> list[str]:
        """The keys of the distributions posted so far."""
        return [key for key in self.model.entries if key.startswith("answer:")]

    @rule(us=st.sampled_from([-7, -1, 1, 40, 500]))
    def clock_jumps(self, us: int) -> None:
        """Time goes on, or back."""
        self.now_us += us

    @rule(
        pick=picks,
        again=st.sampled_from(["new", "new", "same", "other"]),
        asker=st.sampled_from(ASKERS),
        parts=st.lists(st.tuples(numbers, amounts), min_size=1, max_size=4),
    )
    def post(self, pick: int, again: str, asker: str, parts: list[tuple[int, int]]) -> None:
        """A fee is distributed; a key again is the same entry, or a conflict."""
        known = self.answers()
        key = f"answer:{len(known)}:dist:1"
        transfers: Sequence[Transfer] = [
            Transfer(asker, self.payable()[place], micro, "share", statement_id=line + 1)
            for line, (place, micro) in enumerate(parts)
        ]
        if known and again != "new":
            key = chosen(known, pick)
            if again == "same":
                transfers = self.model.entries[key].transfers
        self.agree(
            lambda s: ledger.post(s, key, transfers, policy_version=1, now_us=self.now_us),
            lambda: self.model.post(key, transfers, self.now_us),
        )

    @precondition(any_entry)
    @rule(pick=picks)
    def reverse(self, pick: int) -> None:
        """An entry goes back whole, once; corrections and holds never."""
        key = chosen([*self.model.entries, "answer:none:dist:1"], pick)
        self.agree(
            lambda s: ledger.reverse(s, key, now_us=self.now_us),
            lambda: self.model.reverse(key, self.now_us),
        )

    @precondition(any_entry)
    @rule(pick=picks, micro=amounts, name=st.sampled_from("xyz"))
    def refund(self, pick: int, micro: int, name: str) -> None:
        """A part goes back, as far as something remains."""
        key = chosen(self.answers(), pick)
        self.agree(
            lambda s: ledger.refund(s, key, micro, name=name, now_us=self.now_us),
            lambda: self.model.refund(key, micro, name, self.now_us),
        )

    @precondition(any_entry)
    @rule(
        pick=picks,
        again=st.sampled_from([False, False, True]),
        micros=st.lists(amounts, min_size=1, max_size=2),
        lasts_us=st.none() | st.integers(-1, 60),
    )
    def hold(self, pick: int, again: bool, micros: list[int], lasts_us: int | None) -> None:
        """Money is set aside, as far as it is there; a name again is a conflict."""
        known, rich = sorted(self.model.holds), self.payable()
        rich = [code for code in rich if self.model.balances[code] >= sum(micros)] or rich
        name = chosen(known, pick) if known and again else str(len(known))
        transfers = [
            Transfer(chosen(rich, pick), f"hold:{name}", micro, "payout") for micro in micros
        ]
        expires_us = None if lasts_us is None else self.now_us + lasts_us
        self.agree(
            lambda s: ledger.hold(
                s, name, transfers, policy_version=1, now_us=self.now_us, expires_us=expires_us
            ),
            lambda: self.model.hold(name, transfers, expires_us, self.now_us),
        )

    @precondition(any_hold)
    @rule(pick=picks, off=st.sampled_from([0, 0, 0, 1]))
    def post_hold(self, pick: int, off: int) -> None:
        """A hold moves on whole, unless it was voided or its time is over."""
        name = chosen(sorted(self.model.holds), pick)
        micro = self.model.holds[name].amount_micro + off
        paid = [Transfer(f"hold:{name}", "bank:CNY", micro, "payout")]
        self.agree(
            lambda s: ledger.post_hold(s, name, paid, now_us=self.now_us),
            lambda: self.model.post_hold(name, paid, self.now_us),
        )

    @precondition(any_hold)
    @rule(pick=picks)
    def void_hold(self, pick: int) -> None:
        """A hold goes back line by line, unless it was posted."""
        name = chosen([*sorted(self.model.holds), "none"], pick)
        self.agree(
            lambda s: ledger.void_hold(s, name, now_us=self.now_us, reason="changed"),
            lambda: self.model.void_hold(name, self.now_us),
        )

    @precondition(any_hold)
    @rule()
    def expire_holds(self) -> None:
        """Holds whose time is over are voided, all of them and no other."""
        self.agree(
            lambda s: ledger.expire_holds(s, self.now_us),
            lambda: self.model.expire_holds(self.now_us),
        )

    @precondition(any_entry)
    @rule(pick=picks, line=numbers)
    def dispute(self, pick: int, line: int) -> None:
        """What remains of a line waits in the disputed reserve; its holder may have to owe it."""
        key = chosen(self.answers(), pick)
        entry, line = self.model.entries[key], line % len(self.model.entries[key].left)
        if not entry.left[line] or f"dispute:{key}-{line}:open" in self.model.entries:
            return
        original, micro = entry.transfers[line], entry.left[line]

        def take(s: Session) -> Entry:
            facts = {"statement_id": original.statement_id, "line": line}
            lines = ledger.take_back(
                s, original.credit, "reserve:disputed", micro, "dispute_open", **facts
            )
            return correct(s, f"dispute:{key}-{line}:open", lines, key, self.now_us)

        self.agree(take, lambda: self.model.take_away(f"{key}-{line}", key, line, self.now_us))
        if f"dispute:{key}-{line}:open" in self.model.entries:  # a hold may have what it wants
            self.disputed.append((key, line))

    @precondition(any_dispute)
    @rule(pick=picks, place=st.none() | st.integers(0, 1))
    def end_dispute(self, pick: int, place: int | None) -> None:
        """The money of a dispute goes back, so that it can be refunded, or on to a holder."""
        key, line = chosen(self.disputed, pick)
        self.disputed.remove((key, line))
        opened = self.model.entries[f"dispute:{key}-{line}:open"].transfers
        payee = self.model.entries[key].transfers[line].credit
        to = payee if place is None else self.holders[place]
        passed_on = Transfer(
            "reserve:disputed",
            to,
            sum(transfer.amount_micro for transfer in opened),
            "dispute_back" if to == payee else "dispute_on",
            statement_id=opened[0].statement_id,
            line=line,
        )
        self.agree(
            lambda s: correct(s, f"dispute:{key}-{line}:close", [passed_on], key, self.now_us),
            lambda: self.model.give_on(f"{key}-{line}", key, line, to, self.now_us),
        )

    @precondition(any_entry)
    @rule()
    def recoup(self) -> None:
        """Holders give back what they owe from what they have."""
        self.agree(
            lambda s: ledger.recoup(s, now_us=self.now_us),
            lambda: self.model.recoup(self.now_us),
        )

    @precondition(lambda self: self.closing is None)
    @rule()
    def begin_closing(self) -> None:
        """Later entries go to the next period."""
        with write(self.engine) as s:
            self.closing = periods.begin_closing(s, by="admin", now_us=self.now_us)
        self.model.period_id += 1

    @precondition(lambda self: self.closing is not None)
    @rule()
    def finish_closing(self) -> None:
        """A period is closed for good."""
        with write(self.engine) as s:
            periods.finish_closing(s, periods.closing_period(s) or ledger.open_period(s))
        self.closing = None

    @precondition(any_entry)
    @rule(place=numbers, more=amounts)
    def overdraw(self, place: int, more: int) -> None:
        """Nobody takes more than there is."""
        code = self.payable()[place]
        micro = self.model.balances[code] + more
        spent = [Transfer(code, "asker:local", micro, "refund")]
        self.agree(
            lambda s: ledger.post(s, "overdrawn", spent, policy_version=1, now_us=self.now_us),
            lambda: self.model.post("overdrawn", spent, self.now_us),
        )

    @invariant()
    def books_are_the_same(self) -> None:
        """Balances, what remains of every line, the chain, the totals and the floors."""
        with read(self.engine) as s:
            found = {code: ledger.find_balance(s, code) for code in self.model.balances}
            assert found == self.model.balances
            assert sum(found.values()) == 0
            assert all(micro >= 0 for code, micro in found.items() if has_floor(code))
            for key in self.looked_at():
                assert list(ledger.remaining(s, key).values()) == self.model.entries[key].left
            assert list(entry_differences(s, nothing_beside)) == []
            assert list(total_differences(s)) == []
            assert list(period_differences(s)) == []


Thing = TypeVar("Thing")


def chosen(things: Sequence[Thing], pick: int) -> Thing:
    """One of these, the newest for 0."""
    return things[-1 - pick % len(things)]


def said(reply: Any) -> Any:
    """What a reply of either ledger says: transfers and time of each entry."""
    if isinstance(reply, Entry | Booked):
        return reply.transfers, reply.created_us, reply.period_id
    return [said(each) for each in reply] if isinstance(reply, list | tuple) else reply


def correct(s: Session, key: str, lines: Any, corrected: str, now_us: int) -> Entry:
    """Post an entry that changes another in part."""
    of = ledger.Correction(corrects=corrected)
    return ledger.post(s, key, lines, policy_version=1, now_us=now_us, of=of)


def has_floor(code: str) -> bool:
    """Whether an account may not be below zero."""
    return not code.startswith(("asker:", "owed:"))


def nothing_beside(_entries: Any) -> Iterator[Difference]:
    """The answers are not in these books."""
    return iter(())


def run(databases: Callable[[], AbstractContextManager[Engine]]) -> None:
    """Run the machine over fresh databases until a thousand replies were compared.

    Hypothesis draws how long its runs are; without another seed CI would have the same ones again.
    """

    class Machine(LedgerMachine):
        steps = 0

    Machine.databases = staticmethod(databases)
    limits = settings(max_examples=12, stateful_step_count=60, deadline=None)
    seeds = count()
    while Machine.steps < 1000:
        run_state_machine_as_test(seed(next(seeds))(Machine), settings=limits)


def test_ledger_on_sqlite_is_the_reference_ledger(
    migrated_file: Path, open_copy: OpenCopy, tmp_path: Path
) -> None:
    """On SQLite a thousand random steps and more agree with the reference."""
    run(lambda: open_copy(migrated_file, tmp_path))


@pytest.mark.postgres
def test_ledger_on_postgresql_is_the_reference_ledger(
    postgres_server: str, postgres_template: str, kept_postgres_engine: Engine
) -> None:
    """On PostgreSQL a thousand random steps and more agree with the reference."""
    run(lambda: copied_database(postgres_server, postgres_template, kept_postgres_engine))
