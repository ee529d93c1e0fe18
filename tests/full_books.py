"""Books in which everything has happened once, for tests of what a check of them finds."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from haozhi import paying, policies
from haozhi.closing import close_period
from haozhi.correcting import refund_entry, reverse_entry
from haozhi.proofs.keys import ledger_key
from store import identities, ledger, payouts, rights
from store.clock import now_us
from store.engine import Engine, write
from store.erasures import erase_author
from store.people import add_author, get_author
from store.records.ledger import Transfer
from tests.closed_books import same
from tests.disputing import OF_A, OF_NOBODY, close, dispute, key_of
from tests.identifying import People
from tests.payable_books import POLICY, SENDERS
from tests.paying import a_payee
from tests.stored_books import Corpus, add_corpus, settle

FEE_MICRO = 10_000_000
BATCH = "eur-1"


@dataclass(frozen=True)
class FullBooks:
    """A database with two closed periods and a third that is open."""

    engine: Engine
    corpus: Corpus


def make_full_books(engine: Engine, data_dir: Path) -> FullBooks:
    """Two policies, refunds, disputes, holds, payouts, debts, signed reports, decisions, …"""
    corpus = add_corpus(engine)
    proposed = policies.propose(engine, {**POLICY, "hold_days": 0}, "Ada")
    policies.approve(engine, proposed.proposal.id, "Bob")
    for number in range(1, 6):
        settle(engine, corpus, number, fee_micro=FEE_MICRO, policy_version=2)
    refund_entry(engine, key_of(1), 3_000_001, name="一半", by="Ada", note="答案不全")
    reverse_entry(engine, key_of(2), by="Ada", note="an error")
    close(engine, dispute(engine, OF_A, 3, claimant="B"), "B")
    dispute(engine, OF_NOBODY, 4, claimant="A", keep_back=True)
    _set_aside(engine)
    _close(engine, data_dir)
    _pay_out(engine, corpus)
    reverse_entry(engine, key_of(4), by="Bob", note="paid out already, so it is owed")
    settle(engine, corpus, 6, fee_micro=FEE_MICRO, policy_version=2)
    _close(engine, data_dir)
    settle(engine, corpus, 7, fee_micro=FEE_MICRO, policy_version=2)
    _decide(engine)
    with write(engine) as s:
        assert rights.mark_common(s, corpus.statements[0].statement_id, "Ada")
        gone = get_author(s, add_author(s, "丙", "test"))
        assert erase_author(s, gone, by="Ada", now_us=now_us())
    return FullBooks(engine, corpus)


def _set_aside(engine: Engine) -> None:
    """A hold that nobody decided on in time."""
    moved = [Transfer("reserve:unattributed", "hold:deposit", 1_000, "deposit")]
    with write(engine) as s:
        start = now_us()
        ledger.hold(
            s, "deposit", moved, policy_version=2, now_us=start, expires_us=start + 1_000_000
        )
        assert ledger.expire_holds(s, start + 2_000_000) == ("deposit",)


def _decide(engine: Engine) -> None:
    """One 王伟 turns out to be two, and then one again."""
    people = People(engine)
    one, other = (people.say("王伟", vouched=True) for _ in range(2))
    with write(engine) as s:
        parted = identities.split(s, one.author_id, [other.work_id], "Ada")
        identities.undo(s, parted.decision.id, "Bob")


def _close(engine: Engine, data_dir: Path) -> None:
    close_period(engine, by="Ada", key=ledger_key(engine, data_dir), audit=same)


def _pay_out(engine: Engine, corpus: Corpus) -> None:
    """A is paid, B's payment comes back."""
    with write(engine) as s:
        holders = [get_author(s, author).holder_id for author in (corpus.a, corpus.b)]
    for holder_id, tax_class in zip(holders, ("individual", "none"), strict=True):
        paying.set_payee(engine, a_payee("EUR", holder_id, tax_class=tax_class))
    assert paying.create_batch(engine, "EUR", by="Ada", now_us=now_us()).batch
    day = date(2026, 11, 30)
    paying.write_file(engine, BATCH, "pain001", None, SENDERS, day, now_us=now_us())
    paying.mark_sent(engine, BATCH, by="Ada", now_us=now_us())
    paying.confirm(engine, BATCH, holders[0], by="Ada", now_us=now_us())
    paying.give_back(engine, BATCH, holders[1], by="Ada", note="account closed", now_us=now_us())
    with write(engine) as s:
        assert {payout.state for payout in payouts.get_batch(s, BATCH).payouts} == {
            "confirmed",
            "returned",
        }
