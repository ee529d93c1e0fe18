"""The ledger in a database: each event is posted once, and the books add up."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from haozhi.accounting.settle import check_ledger, post_final
from haozhi.closing import close_period
from haozhi.proofs.keys import ledger_key
from haozhi.reports.credit_report import credit_report
from store import ledger
from store.answers import add_answer, add_attribution, get_attribution, unsettled
from store.chain import GENESIS
from store.engine import Engine, read, write
from store.errors import HaozhiError, NotFound
from store.records.ledger import Transfer
from tests.books import a_refusal, an_attribution
from tests.closed_books import same
from tests.stored_books import NOW, Corpus, account_of, add_corpus, grant, settle

SPENT = Transfer("asker:local", "reserve:unattributed", 70, "unsupported")


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


def balances(engine: Engine, corpus: Corpus) -> dict[str, int]:
    """Balance of every account in use, by a short name."""
    with read(engine) as s:
        codes = {
            "A": account_of(s, corpus.a),
            "B": account_of(s, corpus.b),
            "asker": "asker:local",
            "unattributed": "reserve:unattributed",
            "unclaimed": "reserve:unclaimed",
            "disputed": "reserve:disputed",
        }
        return {name: ledger.balance(s, code) for name, code in codes.items()}


def test_settling_pays_authors_and_reserves_the_whole_fee(engine: Engine, corpus: Corpus) -> None:
    """A and B get their shares, the unknown author's waits, the rest is unattributed; sum zero."""
    entry = settle(engine, corpus)
    assert entry is not None
    assert balances(engine, corpus) == {
        "A": 4000, "B": 3500, "unclaimed": 1000, "unattributed": 1500, "disputed": 0,
        "asker": -10_000,
    }  # fmt: skip
    with read(engine) as s:
        assert ledger.get_entry(s, "answer:answer-1:dist:1") == entry
        assert ledger.entries_for_answer(s, "answer-1") == (entry,)
        assert check_ledger(s) == ()
    assert (entry.seq, entry.prev_hash, entry.period_id) == (1, GENESIS, 1)


def test_settling_again_changes_nothing(engine: Engine, corpus: Corpus) -> None:
    """An answer that is final stays as it is, whatever attribution is offered later."""
    entry = settle(engine, corpus)
    answer = corpus.answer()
    with write(engine) as s:
        other = an_attribution(corpus.shares(10**9), answer)
        assert post_final(s, answer, other, now_us=NOW + 9) == entry
        assert get_attribution(s, answer.id).version == 1


def test_final_attribution_follows_the_provisional_one(engine: Engine, corpus: Corpus) -> None:
    """T1 then T2: version 2 is final, only it posts, and the answer is settled."""
    answer = corpus.answer()
    attribution = an_attribution(corpus.shares(10**9), answer, tier="provisional")
    with write(engine) as s:
        add_answer(s, answer)
        add_attribution(s, attribution)
    with read(engine) as s:
        assert unsettled(s) == (answer.id,)
        assert ledger.entries_for_answer(s, answer.id) == ()
        assert check_ledger(s) == ()
    with write(engine) as s:
        post_final(s, answer, attribution, now_us=NOW)
        final = get_attribution(s, answer.id)
        assert (final.version, final.tier) == (2, "final")
        assert unsettled(s) == ()


def test_free_answers_are_final_without_an_entry(engine: Engine, corpus: Corpus) -> None:
    """Refused answers, `who` answers and a fee of 0 settle and post nothing."""
    free = (
        a_refusal(id="r", context=()),
        corpus.answer(1, kind="who", claim="1 = 1", fee_micro=0),
        corpus.answer(2, fee_micro=0),
    )
    with write(engine) as s:
        for answer in free:
            add_answer(s, answer)
            assert post_final(s, answer, an_attribution({}, answer), now_us=NOW) is None
            assert post_final(s, answer, an_attribution({}, answer), now_us=NOW) is None
        assert unsettled(s) == ()
        assert check_ledger(s) == ()
    assert set(balances(engine, corpus).values()) == {0}


def test_grants_in_force_when_asked_take_their_part(engine: Engine, corpus: Corpus) -> None:
    """A grant in force gets its ppm of the work's money, one that has ended gets nothing."""
    with write(engine) as s:
        grant(s, corpus, "press", 250_000)
        grant(s, corpus, "old", 500_000, until_us=NOW)
    settle(engine, corpus)
    found = balances(engine, corpus)
    assert (found["A"], found["B"], found["unclaimed"]) == (3000, 2625, 750)
    with read(engine) as s:
        assert ledger.balance(s, "holder:press") == 2125
        assert ledger.balance(s, "holder:old") == 0
        assert check_ledger(s) == ()


def test_dispute_holds_the_money_and_later_disputes_change_no_entry(
    engine: Engine, corpus: Corpus
) -> None:
    """A disputed statement pays the reserve; what was posted before a dispute still checks."""
    settle(engine, corpus, 1)
    with write(engine) as s:
        occurrence = {"id": corpus.statements[0].occurrence_id}
        s.execute(text("UPDATE occurrences SET disputed = true WHERE id = :id"), occurrence)
    settle(engine, corpus, 2)
    found = balances(engine, corpus)
    assert (found["A"], found["disputed"], found["B"]) == (4000, 4000, 7000)
    with read(engine) as s:
        assert check_ledger(s) == ()


def test_credit_report_ties_to_the_ledger(engine: Engine, corpus: Corpus) -> None:
    """An author's lines are the author's own account: opening 0, one line per answer."""
    settle(engine, corpus, 1)
    settle(engine, corpus, 2, fee_micro=333)
    with read(engine) as s:
        report = credit_report(s, "A")
        assert report == credit_report(s, corpus.a, 1)
        with pytest.raises(NotFound, match="period 9"):
            credit_report(s, "A", 9)
        lines = tuple(ledger.lines(s, account_of(s, corpus.a), 1))
    assert (report.opening_micro, report.closing_micro, report.earned_micro) == (0, 4133, 4133)
    assert [(line.answer_id, line.amount_micro) for line in lines] == [
        ("answer-1", 4000),
        ("answer-2", 133),
    ]
    assert {line.share_ppb for line in lines} == {400_000_000}
    assert {line.counterparty for line in lines} == {"asker:local"}
    (total,) = report.statements
    assert (total.statement_id, total.amount_micro, total.line_count) == (
        corpus.statements[0].statement_id, 4133, 2,
    )  # fmt: skip


def test_next_period_opens_with_what_the_last_one_closed(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Entries go to the open period; its opening is the closing of those before."""
    settle(engine, corpus, 1)
    close_period(engine, by="Ada", key=ledger_key(engine, tmp_path), audit=same)
    settle(engine, corpus, 2)
    with read(engine) as s:
        first, second = credit_report(s, "B", 1), credit_report(s, "B")
        assert check_ledger(s) == ()
    assert (first.opening_micro, first.closing_micro) == (0, 3500)
    assert (second.period.id, second.opening_micro, second.closing_micro) == (2, 3500, 7000)


def test_entries_form_one_chain_with_ascending_times(engine: Engine) -> None:
    """Each entry names the hash before it, and a clock that goes back does not."""
    with write(engine) as s:
        entries = [
            ledger.post(s, f"k{n}", [SPENT], policy_version=1, now_us=now_us)
            for n, now_us in enumerate((NOW, NOW - 5, NOW - 5, NOW + 9))
        ]
    assert [entry.prev_hash for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    assert [entry.created_us - NOW for entry in entries] == [0, 1, 2, 9]
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    with read(engine) as s:
        assert {found.code for found in check_ledger(s)} == {"entry_uncalled"}


def test_key_is_posted_once_and_keeps_its_body(engine: Engine) -> None:
    """The same body again returns the stored entry; another body or policy is a conflict."""
    with write(engine) as s:
        entry = ledger.post(s, "k", [SPENT], policy_version=1, now_us=NOW)
        assert ledger.post(s, "k", [SPENT], policy_version=1, now_us=NOW + 5) == entry
        with pytest.raises(ledger.EntryConflict, match="k is already posted"):
            ledger.post(s, "k", [replace(SPENT, amount_micro=71)], policy_version=1, now_us=NOW)
        with pytest.raises(ledger.EntryConflict):
            ledger.post(s, "k", [SPENT, SPENT], policy_version=1, now_us=NOW)
        with pytest.raises(ledger.EntryConflict):
            ledger.post(s, "k", [SPENT], policy_version=2, now_us=NOW)
        assert ledger.balance(s, "reserve:unattributed") == 70


@pytest.mark.parametrize(
    ("transfers", "message"),
    [
        ((), "has 0 transfers"),
        ((SPENT,) * 65_537, "has 65537 transfers, not 1..65536"),
        ((replace(SPENT, amount_micro=0),), "amount of 0"),
        ((replace(SPENT, amount_micro=2**53),), "amount of 9007199254740992"),
        ((replace(SPENT, credit=SPENT.debit),), "to itself"),
    ],
)
def test_impossible_transfers_are_refused(
    sqlite_engine: Engine, transfers: tuple[Transfer, ...], message: str
) -> None:
    """No empty, endless, zero, oversized or circular transfer is posted."""
    with write(sqlite_engine) as s, pytest.raises(ValueError, match=message):
        ledger.post(s, "k", transfers, policy_version=1, now_us=NOW)


def test_only_askers_get_an_account_by_posting(engine: Engine) -> None:
    """A new asker may owe at once; a holder without an account is an error, nothing is written."""
    with write(engine) as s:
        new = replace(SPENT, debit="asker:new")
        ledger.post(s, "k", [new], policy_version=1, now_us=NOW)
        assert ledger.balance(s, "asker:new") == -70
    for name in ("holder:x", "reserve:x"):
        gone = replace(SPENT, credit=name, debit="asker:other")
        with pytest.raises(NotFound, match=f"no account {name}"), write(engine) as s:
            ledger.post(s, "l", [gone], policy_version=1, now_us=NOW)
    with read(engine) as s:
        assert ledger.find_entry(s, "l") is None
        with pytest.raises(NotFound, match="asker:other"):
            ledger.balance(s, "asker:other")


def test_account_with_a_floor_never_falls_below_zero(engine: Engine) -> None:
    """A reserve gives what it has and not a micro-credit more."""
    back = Transfer("reserve:unattributed", "asker:local", 70, "refund")
    with write(engine) as s:
        with pytest.raises(HaozhiError, match="less than the 70"):
            ledger.post(s, "early", [back], policy_version=1, now_us=NOW)
        ledger.post(s, "in", [SPENT], policy_version=1, now_us=NOW)
        with pytest.raises(HaozhiError, match="less than the 71"):
            ledger.post(s, "o", [replace(back, amount_micro=71)], policy_version=1, now_us=NOW)
        ledger.post(s, "out", [back], policy_version=1, now_us=NOW)
        assert ledger.balance(s, "reserve:unattributed") == 0
        assert [line.amount_micro for line in ledger.lines(s, "reserve:unattributed")] == [70, -70]


def test_failure_after_posting_leaves_nothing(engine: Engine, corpus: Corpus) -> None:
    """Entry, attribution and answer are of one transaction: all or none."""
    answer = corpus.answer()

    def settle_and_fail() -> None:
        with write(engine) as s:
            add_answer(s, answer)
            post_final(s, answer, an_attribution(corpus.shares(10**9), answer), now_us=NOW)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        settle_and_fail()
    with read(engine) as s:
        assert ledger.find_entry(s, ledger.distribution_key(answer.id)) is None
        assert check_ledger(s) == ()
    assert settle(engine, corpus) is not None
