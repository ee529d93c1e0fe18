"""Taking money back, and setting it aside: each happens once, and never more than there is."""

from collections.abc import Callable

import pytest

from store import ledger
from store.engine import Engine, Session, read, write
from store.errors import BadInput, HaozhiError, NotFound
from store.ledger import Correction
from store.records.ledger import Entry, Transfer
from tests.disputing import OF_A, assert_whole, close, dispute, key_of
from tests.stored_books import NOW, Corpus, account_of, add_corpus, settle

KEY = key_of(1)
LATER = NOW + 1_000_000


@pytest.fixture(autouse=True)
def corpus(engine: Engine) -> Corpus:
    """One answer for 10,000: A 4,000, B 3,500, unknown 1,000, nobody 1,500."""
    found = add_corpus(engine)
    settle(engine, found)
    return found


def refund(engine: Engine, micro: int, name: str = "r") -> Entry:
    """Refund a part of the answer's entry."""
    with write(engine) as s:
        return ledger.refund(s, KEY, micro, name=name, now_us=LATER)


def left(engine: Engine) -> list[int]:
    """What remains of the lines of the answer's entry."""
    with read(engine) as s:
        return list(ledger.remaining(s, KEY).values())


def spend(s: Session, account: str, micro: int) -> None:
    """Pay money out of an account, by a hold that is posted."""
    out = [Transfer(account, "hold:spent", micro, "payout")]
    ledger.hold(s, "spent", out, policy_version=1, now_us=LATER)
    paid = [Transfer("hold:spent", "bank:CNY", micro, "payout")]
    ledger.post_hold(s, "spent", paid, now_us=LATER)


def test_refund_takes_from_each_line_by_what_remains(engine: Engine) -> None:
    """Two refunds divide what is left at their time; the remainder has a fixed winner."""
    first = refund(engine, 1001)
    assert [t.amount_micro for t in first.transfers] == [401, 350, 100, 150]
    assert {t.credit for t in first.transfers} == {"asker:local"}
    assert [(t.line, t.reason, t.answer_id) for t in first.transfers] == [
        (line, "refund", "answer-1") for line in range(4)
    ]
    assert left(engine) == [3599, 3150, 900, 1350]
    refund(engine, 8999, "rest")
    assert left(engine) == [0, 0, 0, 0]
    with pytest.raises(BadInput, match="0 remain"):
        refund(engine, 1, "more")
    assert_whole(engine)


def test_equal_remainders_go_to_the_line_that_the_hash_names(engine: Engine) -> None:
    """One micro-credit over four equal lines goes where SHA-256 of the refund's key says."""
    paid = [Transfer("asker:local", "reserve:unattributed", 5, "unsupported")] * 4
    with write(engine) as s:
        key = ledger.post(s, key_of(9), paid, policy_version=1, now_us=NOW).key
        refunds = [ledger.refund(s, key, 1, name=name, now_us=NOW) for name in "abcdef"]
    winners = [entry.transfers[0].line for entry in refunds]
    assert winners == [2, 3, 1, 0, 0, 2]


def test_refund_of_a_name_is_made_once(engine: Engine) -> None:
    """Again it is the stored entry; with another amount it is a conflict."""
    assert refund(engine, 500) == refund(engine, 500)
    with pytest.raises(ledger.EntryConflict, match="another amount"):
        refund(engine, 501)
    assert sum(left(engine)) == 9500


def test_reversal_takes_what_refunds_left_and_happens_once(engine: Engine, corpus: Corpus) -> None:
    """A second reversal, and one of an entry that is refunded whole, are told so."""
    refund(engine, 1000)
    with write(engine) as s:
        entry = ledger.reverse(s, KEY, now_us=LATER)
        assert (entry.key, entry.reverses) == (f"reversal:{KEY}", KEY)
        assert sum(t.amount_micro for t in entry.transfers) == 9000
        assert ledger.balance(s, "asker:local") == 0
        with pytest.raises(ledger.AlreadyReversed, match="already reversed"):
            ledger.reverse(s, KEY, now_us=LATER)
    settle(engine, corpus, 2)
    with write(engine) as s:
        ledger.refund(s, key_of(2), 10_000, name="all", now_us=LATER)
        with pytest.raises(ledger.AlreadyReversed, match="nothing of"):
            ledger.reverse(s, key_of(2), now_us=LATER)
    assert_whole(engine)


def test_disputed_money_is_not_refunded_twice(engine: Engine) -> None:
    """A line in dispute has nothing to refund; what comes back can be refunded again."""
    opened = dispute(engine, OF_A)
    assert left(engine) == [0, 3500, 1000, 1500]
    with pytest.raises(BadInput, match="6000 remain"):
        refund(engine, 6001)
    close(engine, opened)
    assert left(engine) == [4000, 3500, 1000, 1500]
    close(engine, dispute(engine, OF_A), "B")
    assert left(engine) == [0, 3500, 1000, 1500]
    assert_whole(engine)


def test_money_that_was_paid_out_is_owed_and_recouped(engine: Engine, corpus: Corpus) -> None:
    """What a holder has no more is owed, and comes from what the holder earns next."""
    with write(engine) as s:
        account = account_of(s, corpus.a)
        owed = account.replace("holder", "owed")
        spend(s, account, 3000)
        lines = ledger.reverse(s, KEY, now_us=LATER).transfers
        assert [(t.debit, t.amount_micro) for t in lines[:2]] == [(account, 1000), (owed, 3000)]
        assert ledger.recoup(s, now_us=LATER) == ()
    settle(engine, corpus, 2)
    with write(engine) as s:
        (entry,) = ledger.recoup(s, now_us=LATER)
        assert entry.key == f"recoup:1:{account.partition(':')[2]}"
        assert ledger.recoup(s, now_us=LATER) == ()
        assert (ledger.balance(s, account), ledger.balance(s, owed)) == (1000, 0)


def test_take_back_divides_between_account_and_debt(engine: Engine, corpus: Corpus) -> None:
    """A holder gives what is there and owes the rest; another account gives or refuses."""
    with read(engine) as s:
        account = account_of(s, corpus.a)
        found = ledger.take_back(s, account, "reserve:disputed", 4001, "dispute_open", line=0)
        assert [(t.debit, t.amount_micro, t.line) for t in found] == [
            (account, 4000, 0), (account.replace("holder", "owed"), 1, 0),
        ]  # fmt: skip
        (whole,) = ledger.take_back(s, "reserve:unclaimed", "asker:local", 9999, "refund")
        assert whole.amount_micro == 9999


def test_corrections_are_not_corrected(engine: Engine) -> None:
    """A refund, a reversal and a hold are not reversed; money that must move again is new."""
    entry = refund(engine, 10)
    with write(engine) as s:
        held = [Transfer("reserve:unattributed", "hold:h", 5, "deposit")]
        hold = ledger.hold(s, "h", held, policy_version=1, now_us=LATER)
        for key in (entry.key, hold.key):
            with pytest.raises(BadInput, match="only the entry of an answer"):
                ledger.reverse(s, key, now_us=LATER)
            with pytest.raises(BadInput, match="only the entry of an answer"):
                ledger.refund(s, key, 1, name="x", now_us=LATER)
        with pytest.raises(NotFound):
            ledger.reverse(s, "answer:x:dist:1", now_us=LATER)


def hold(engine: Engine, name: str = "h", expires_us: int | None = None) -> Entry:
    """Hold 300 and 200 of the unattributed reserve."""
    lines = [Transfer("reserve:unattributed", f"hold:{name}", micro, "deposit") for micro in HELD]
    with write(engine) as s:
        return ledger.hold(s, name, lines, policy_version=1, now_us=LATER, expires_us=expires_us)


HELD = (300, 200)
PAID = [Transfer("hold:h", "bank:CNY", 500, "deposit")]


def post(s: Session, now_us: int = LATER) -> Entry:
    """Move the hold on."""
    return ledger.post_hold(s, "h", PAID, now_us=now_us)


def void(s: Session, now_us: int = LATER) -> Entry:
    """Move the hold back."""
    return ledger.void_hold(s, "h", now_us=now_us, reason="changed")


@pytest.mark.parametrize(
    ("first", "second", "state"), [(post, void, "posted"), (void, post, "voided")]
)
def test_a_hold_ends_once(
    engine: Engine,
    first: Callable[[Session], Entry],
    second: Callable[[Session], Entry],
    state: str,
) -> None:
    """Posted it is never voided, voided never posted; the same end again is the stored entry."""
    hold(engine)
    with write(engine) as s:
        assert ledger.get_hold(s, "h") == ledger.Hold("h", "pending", 500, None)
        entry = first(s)
        assert first(s) == entry
        with pytest.raises(ledger.HoldEnded):
            second(s)
        assert ledger.get_hold(s, "h").state == state
        assert ledger.balance(s, "hold:h") == 0
        assert ledger.balance(s, "reserve:unattributed") == (1000 if first is post else 1500)
    assert_whole(engine)


def test_a_voided_line_keeps_its_reason_and_goes_where_it_came_from(engine: Engine) -> None:
    """So a report takes back what it counted, line by line."""
    hold(engine)
    with write(engine) as s:
        entry = void(s)
    assert [(t.credit, t.amount_micro, t.reason, t.line) for t in entry.transfers] == [
        ("reserve:unattributed", micro, "deposit", line) for line, micro in enumerate(HELD)
    ]
    assert (entry.reverses, entry.memo) == ("hold:h", '{"reason":"changed"}')


def test_an_expired_hold_is_only_voided(engine: Engine) -> None:
    """From its time on it is not posted, even if the clock goes back; expiring voids it once."""
    entry = hold(engine, expires_us=LATER + 10)
    assert entry.memo == f'{{"expires_us":"{LATER + 10}"}}'
    hold(engine, "later", expires_us=LATER + 50)
    with write(engine) as s:
        assert ledger.expire_holds(s, LATER + 9) == ()
        with pytest.raises(ledger.HoldEnded, match="expired"):
            post(s, LATER + 10)
        refund_us = LATER + 20
        ledger.refund(s, KEY, 4, name="clock", now_us=refund_us)
        with pytest.raises(ledger.HoldEnded, match="expired"):
            post(s, LATER)
        assert ledger.expire_holds(s, LATER) == ("h",)
        assert ledger.expire_holds(s, LATER) == ()
        assert ledger.get_entry(s, "hold:h:void").memo == '{"reason":"timeout"}'
        assert ledger.get_hold(s, "later").state == "pending"
    assert_whole(engine)


@pytest.mark.parametrize("name", ["", "x:post", "x:void"])
def test_hold_names_are_not_taken_for_others(sqlite_engine: Engine, name: str) -> None:
    """No hold is called like the end of another."""
    with write(sqlite_engine) as s, pytest.raises(BadInput, match="cannot have the name"):
        ledger.hold(s, name, PAID, policy_version=1, now_us=NOW)


def test_a_hold_moves_whole_and_within_its_account(engine: Engine) -> None:
    """A part, another account, a past expiry and money that is not there are refused."""
    hold(engine)
    elsewhere = [Transfer("reserve:unattributed", "hold:y", 1, "deposit")]
    too_much = [Transfer("reserve:unattributed", "hold:z", 9999, "deposit")]
    with write(engine) as s:
        with pytest.raises(ValueError, match="posted whole"):
            ledger.post_hold(s, "h", [Transfer("hold:h", "bank:CNY", 499, "deposit")], now_us=LATER)
        with pytest.raises(ValueError, match="does not debit"):
            ledger.post_hold(s, "h", elsewhere, now_us=LATER)
        with pytest.raises(ValueError, match="does not credit"):
            ledger.hold(s, "x", elsewhere, policy_version=1, now_us=LATER)
        with pytest.raises(ValueError, match="before it begins"):
            ledger.hold(s, "y", elsewhere, policy_version=1, now_us=LATER, expires_us=LATER)
        with pytest.raises(HaozhiError, match="less than the 9999"):
            ledger.hold(s, "z", too_much, policy_version=1, now_us=LATER)
        with pytest.raises(NotFound):
            ledger.get_hold(s, "z")


def test_an_entry_is_reversed_once_by_the_database_too(engine: Engine) -> None:
    """Whoever posts a second reversal past the rules is stopped by a unique index."""
    back = [Transfer("reserve:unattributed", "asker:local", 1, "reversal", line=3)]
    of = Correction(reverses=KEY)

    def twice() -> None:
        with write(engine) as s:
            for key in ("one", "two"):
                ledger.post(s, key, back, policy_version=1, now_us=LATER, of=of)

    with pytest.raises(Exception, match="(?i)unique"):
        twice()
    assert_whole(engine)
