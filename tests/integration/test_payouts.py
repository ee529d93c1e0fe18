"""Payouts: what is payable is held, written, sent, and confirmed or returned."""

import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from haozhi.paying import (
    confirm,
    create_batch,
    give_back,
    mark_sent,
    remove_payees,
    set_payee,
    write_file,
)
from haozhi.payouts.layout import load_layout
from haozhi.payouts.pain001 import pain001_amounts
from store import ledger, payouts
from store.checking import check
from store.checking.answers import Derived
from store.engine import Engine, Session, read, write
from store.errors import BadInput, NotFound
from store.payouts import Batch, PayoutFile, payout_differences
from store.people import add_author, get_author
from store.records.ledger import Transfer
from store.schema import DisputeClosingRow, DisputeRow
from tests.books import NOBODY
from tests.payable_books import SENDERS, add_payable, add_policy, close_period, earn
from tests.paying import NOW, a_payee

CREDIT = 1_000_000
DAY = date(2023, 11, 15)


def create(engine: Engine, currency: str = "EUR") -> Batch:
    """A batch that must come about."""
    batch = create_batch(engine, currency, by="A", now_us=NOW).batch
    assert batch is not None
    return batch


def file_of(engine: Engine, batch: Batch, format_name: str = "pain001") -> PayoutFile:
    """A file of a batch."""
    layout = load_layout("cn-bank")
    return write_file(engine, batch.id, format_name, layout, SENDERS, DAY, now_us=NOW)


def whole(s: Session) -> bool:
    """Whether the check of everything misses only the answers of `earn`, which there are not."""
    found = check(s, lambda *_: Derived(NOBODY, ()))
    return all(each.code == "entry_uncalled" and "paid-" in each.subject for each in found)


def skipped(engine: Engine, currency: str = "EUR") -> dict[str, str]:
    """Why nobody is paid, by holder."""
    created = create_batch(engine, currency, by="A", now_us=NOW)
    assert created.batch is None
    return {each.holder_id: each.reason for each in created.skipped}


def test_a_paid_batch_moves_net_to_the_bank_and_tax_to_tax(engine: Engine) -> None:
    """From credit report to confirmed payment every micro-credit is where the rows say."""
    plain, taxed = add_payable(engine, {"A": 100 * CREDIT, "B taxed": 100 * CREDIT})
    batch = create(engine)
    assert batch.id == "eur-1"
    amounts = {payout.holder_id: payout.amounts for payout in batch.payouts}
    assert (amounts[plain].net_minor, amounts[plain].gross_micro) == (1200, 100 * CREDIT)
    assert (amounts[taxed].net_minor, amounts[taxed].withheld_micro) == (960, 20 * CREDIT)
    with read(engine) as s:
        assert ledger.balance(s, f"holder:{taxed}") == 0
        assert ledger.balance(s, f"hold:payout:eur-1:{taxed}") == 100 * CREDIT
        assert whole(s)
    assert sum(pain001_amounts(file_of(engine, batch).content)) == batch.total_minor == 2160
    mark_sent(engine, batch.id, by="A", now_us=NOW)
    done = confirm(engine, batch.id, None, by="B", now_us=NOW)
    assert {payout.state for payout in done.payouts} == {"confirmed"}
    with read(engine) as s:
        assert ledger.balance(s, "bank:EUR") == 180 * CREDIT
        assert ledger.balance(s, "tax:individual") == 20 * CREDIT
        assert ledger.find_balance(s, f"hold:payout:eur-1:{taxed}") == 0
        reasons = ledger.totals_by_reason(s, f"holder:{taxed}", 2)
        assert {reason: out for reason, (_, out, _) in reasons.items()} == {
            "payout": 80 * CREDIT,
            "withholding": 20 * CREDIT,
        }
        assert whole(s)


def test_a_second_batch_finds_nothing_left(engine: Engine) -> None:
    """What is held, sent or paid is payable no more; the rest under a cent stays."""
    (holder,) = add_payable(engine, {"A": 100 * CREDIT + 7})
    create(engine)
    assert skipped(engine) == {holder: "below_threshold"}
    with read(engine) as s:
        assert ledger.balance(s, f"holder:{holder}") == 7


@pytest.mark.parametrize("sent", [False, True])
def test_a_returned_payout_is_the_holders_again(engine: Engine, sent: bool) -> None:
    """A voided hold gives net and tax back, and both can be paid out again."""
    (holder,) = add_payable(engine, {"A taxed": 100 * CREDIT})
    batch = create(engine)
    if sent:
        file_of(engine, batch)
        mark_sent(engine, batch.id, by="A", now_us=NOW)
    for _ in range(2):  # the second time nothing happens
        done = give_back(engine, batch.id, holder, by="A", note="account closed", now_us=NOW)
    assert done.payouts[0].state == "returned"
    with read(engine) as s:
        assert ledger.balance(s, f"holder:{holder}") == 100 * CREDIT
        reasons = ledger.totals_by_reason(s, f"holder:{holder}", 2)
        assert reasons["payout"] == (80 * CREDIT, 80 * CREDIT, 2)
        assert reasons["withholding"] == (20 * CREDIT, 20 * CREDIT, 2)
        assert whole(s)
    assert create(engine).id == "eur-2"


def test_money_that_comes_back_after_confirmation_leaves_bank_and_tax(engine: Engine) -> None:
    """A bank may return a payment that it had confirmed: another entry brings it home."""
    (holder,) = add_payable(engine, {"A taxed": 100 * CREDIT})
    batch = create(engine)
    file_of(engine, batch)
    mark_sent(engine, batch.id, by="A", now_us=NOW)
    confirm(engine, batch.id, holder, by="A", now_us=NOW)
    give_back(engine, batch.id, holder, by="A", note="AC04", now_us=NOW)
    with read(engine) as s:
        assert ledger.balance(s, f"holder:{holder}") == 100 * CREDIT
        assert ledger.balance(s, "bank:EUR") == ledger.balance(s, "tax:individual") == 0
        assert not any(ledger.remaining(s, f"hold:payout:{batch.id}:{holder}:post").values())
        assert [event.state for event in payouts.list_events(s, batch.id)] == [
            "sent",
            "confirmed",
            "returned",
        ]
        assert whole(s)
    with pytest.raises(BadInput, match="returned"):
        confirm(engine, batch.id, holder, by="A", now_us=NOW)


def test_everybody_who_is_not_paid_is_named_with_the_reason(engine: Engine) -> None:
    """Disputes, missing or other payee data, small amounts and unknown tax classes pay nothing."""
    names = {"disputed": 9, "nobody": 9, "chinese": 9, "small": 0.5, "lawless": 9}
    holders = add_payable(engine, {name: int(c * CREDIT) for name, c in names.items()})
    by_name = dict(zip(names, holders, strict=True))
    remove_payees(engine, by_name["nobody"], None, by="A")
    remove_payees(engine, by_name["chinese"], "EUR", by="A")
    set_payee(engine, a_payee("CNY", by_name["chinese"]))
    set_payee(engine, a_payee("EUR", by_name["lawless"], tax_class="individual"))
    with write(engine) as s:
        add_policy(s, {"withholding_ppm": {"none": 0}})
        _dispute(s, "answer:paid-0:dist:1")
    assert skipped(engine) == {
        by_name["disputed"]: "disputed",
        by_name["nobody"]: "no_payee",
        by_name["chinese"]: "other_currency",
        by_name["small"]: "below_threshold",
        by_name["lawless"]: "unknown_tax_class",
    }
    with write(engine) as s:
        ended = {"dispute_id": "d1", "outcome": "back", "note": "", "closed_by": "A"}
        s.execute(insert(DisputeClosingRow).values(**ended, created_us=NOW))
    assert [payout.holder_id for payout in create(engine).payouts] == [by_name["disputed"]]


def _dispute(s: Session, entry_key: str) -> None:
    said = {"id": "d1", "entry_key": entry_key, "line": 0, "ground": "mine", "opened_by": "A"}
    s.execute(insert(DisputeRow).values(**said, created_us=NOW))


def test_only_what_a_closed_period_fixed_is_payable(engine: Engine) -> None:
    """Later earnings wait for their report; money taken back meanwhile, or owed, is not paid."""
    (holder,) = add_payable(engine, {"A": 100 * CREDIT})
    with write(engine) as s:
        earn(s, holder, 50 * CREDIT, 7)
        assert payouts.payable_micro(s) == {holder: 100 * CREDIT}
        taken = [Transfer(f"holder:{holder}", "asker:local", 90 * CREDIT, "refund")]
        ledger.post(s, "test:refund", taken, policy_version=1, now_us=NOW)
        assert payouts.payable_micro(s) == {holder: 60 * CREDIT}
        owed = [Transfer(f"owed:{holder}", "asker:local", 10 * CREDIT, "refund")]
        ledger.post(s, "test:owed", owed, policy_version=1, now_us=NOW)
        assert payouts.payable_micro(s) == {holder: 50 * CREDIT}


def test_a_payout_of_an_earlier_report_does_not_shorten_the_next(engine: Engine) -> None:
    """What was paid before a report was made is in its closing already."""
    (holder,) = add_payable(engine, {"A": 100 * CREDIT})
    create(engine)
    with write(engine) as s:
        earn(s, holder, 30 * CREDIT, 7)
        close_period(s, {holder: 30 * CREDIT})
        assert payouts.payable_micro(s) == {holder: 30 * CREDIT}


def test_nothing_is_payable_before_a_period_is_closed(engine: Engine) -> None:
    """Without a credit report there is nothing to pay, and that is said."""
    with pytest.raises(BadInput, match="period is closed"):
        create_batch(engine, "EUR", by="A", now_us=NOW)


@pytest.mark.parametrize("format_name", ["pain001", "csv", "xlsx"])
def test_a_file_is_written_once(engine: Engine, format_name: str) -> None:
    """Asking again gives the same bytes, whatever has changed since."""
    (holder,) = add_payable(engine, {"A": 100 * CREDIT}, currency="CNY")
    batch = create(engine, "CNY")
    first = file_of(engine, batch, format_name)
    set_payee(engine, a_payee("CNY", holder, name="李四"))
    remove_payees(engine, holder, None, by="A")
    later = date(2030, 1, 1)
    assert write_file(engine, batch.id, format_name, None, {}, later, now_us=NOW + 1) == first
    if format_name == "csv":
        assert "王芳" in first.content.decode("gb18030")
    with read(engine) as s:
        assert whole(s)


def test_a_batch_has_a_file_in_one_format(engine: Engine) -> None:
    """A second format is refused as long as the batch lives: both files could be sent."""
    add_payable(engine, {"A": 100 * CREDIT})
    batch = create(engine)
    first = file_of(engine, batch, "csv")
    for _ in ("open", "sent"):
        with pytest.raises(BadInput, match="has a csv file: one in another format could pay it"):
            file_of(engine, batch, "pain001")
        mark_sent(engine, batch.id, by="A", now_us=NOW)
    assert file_of(engine, batch, "csv") == first
    with pytest.raises(IntegrityError), write(engine) as s:
        payouts.add_file(s, batch.id, "pain001", b"")


def test_steps_out_of_order_are_refused(engine: Engine) -> None:
    """No confirmation before sending, no sending without a file, nothing without a name."""
    add_payable(engine, {"A": 100 * CREDIT, "B": 100 * CREDIT})
    batch = create(engine)
    holder = batch.payouts[0].holder_id
    with pytest.raises(BadInput, match="has no file"):
        mark_sent(engine, batch.id, by="A", now_us=NOW)
    with pytest.raises(BadInput, match="is not sent"):
        confirm(engine, batch.id, None, by="A", now_us=NOW)
    file_of(engine, batch)
    with pytest.raises(BadInput, match="payout sent"):
        give_back(engine, batch.id, holder, by="A", note="wrong", now_us=NOW)
    mark_sent(engine, batch.id, by="A", now_us=NOW)
    with pytest.raises(BadInput, match="who acts"):
        confirm(engine, batch.id, None, by=" ", now_us=NOW)
    with pytest.raises(NotFound, match="no payout batch"):
        confirm(engine, "eur-9", None, by="A", now_us=NOW)


def test_a_file_leaves_out_what_was_returned_before(engine: Engine) -> None:
    """A payout that is taken out before the file is written is not in it."""
    add_payable(engine, {"A": 100 * CREDIT, "B": 50 * CREDIT})
    batch = create(engine)
    big = max(batch.payouts, key=lambda payout: payout.amounts.net_minor)
    give_back(engine, batch.id, big.holder_id, by="A", note="erased", now_us=NOW)
    assert pain001_amounts(file_of(engine, batch).content) == [600]
    sent = mark_sent(engine, batch.id, by="A", now_us=NOW)
    assert sorted(payout.state for payout in sent.payouts) == ["returned", "sent"]


def test_a_file_needs_the_payee_and_the_sender(engine: Engine) -> None:
    """Missing data is named, and nothing is stored."""
    (holder,) = add_payable(engine, {"A": 100 * CREDIT})
    batch = create(engine)
    with pytest.raises(BadInput, match=r"\[payout.EUR\]"):
        write_file(engine, batch.id, "pain001", None, {}, DAY, now_us=NOW)
    remove_payees(engine, holder, "EUR", by="A")
    with pytest.raises(BadInput, match="payee set"):
        file_of(engine, batch)
    with read(engine) as s:
        assert payouts.file_formats(s, batch.id) == ()


def test_payees_are_found_by_author_and_checked(engine: Engine) -> None:
    """An author's name finds the holder; unknown tax classes and holders are refused."""
    with write(engine) as s:
        holder_id = get_author(s, add_author(s, "王芳", "test")).holder_id
    assert set_payee(engine, a_payee("CNY", "王芳")).holder_id == holder_id
    with read(engine) as s:
        assert payouts.get_payees(s, holder_id)[0].account == "6222021234567890128"
    with pytest.raises(BadInput, match="no tax class 'prince'"):
        set_payee(engine, a_payee("CNY", "王芳", tax_class="prince"))
    with pytest.raises(NotFound):
        set_payee(engine, a_payee("CNY", "李四"))
    with pytest.raises(BadInput, match="who acts"):
        remove_payees(engine, "王芳", None, by=" ")
    assert remove_payees(engine, "王芳", None, by="A") == 1
    with pytest.raises(NotFound, match="no payee data"):
        remove_payees(engine, "王芳", "CNY", by="A")


def test_a_payee_says_who_set_it_last(engine: Engine) -> None:
    """A changed bank account names the admin who changed it, and nobody changes one unnamed."""
    with write(engine) as s:
        holders = [get_author(s, add_author(s, name, "test")).holder_id for name in ("A", "B")]
    for holder_id in holders:
        set_payee(engine, a_payee("EUR", holder_id))
    set_payee(engine, a_payee("EUR", holders[0], updated_by=" Ｂob\n", updated_us=NOW + 1))
    with pytest.raises(BadInput, match="who acts"):
        set_payee(engine, a_payee("EUR", holders[0], updated_by="\u200b"))
    with read(engine) as s:
        (changed,) = payouts.get_payees(s, holders[0])
        (kept,) = payouts.get_payees(s, holders[1])
    assert (changed.updated_by, changed.updated_us) == ("Bob", NOW + 1)
    assert (kept.updated_by, kept.updated_us) == ("Ada", NOW)


def test_two_processes_create_one_batch(engine: Engine) -> None:
    """Whoever comes second sees nothing left to pay."""
    add_payable(engine, {"A": 100 * CREDIT, "B": 50 * CREDIT})
    engine.dispose()
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.paying_at_once", url]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate(timeout=60)[0] for process in both)
    assert said == ["eur-1\n", "nothing\n"]
    with read(engine) as s:
        assert len(payouts.list_batches(s)) == 1
        assert whole(s)


def test_a_step_that_fails_leaves_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and postings of a step are one transaction: killed in it, nothing of it is there."""
    add_payable(engine, {"A": 100 * CREDIT, "B": 50 * CREDIT})
    held: list[str] = []
    really_hold = ledger.hold

    def hold_once(s: Session, name: str, *args: Any, **kwargs: Any) -> object:
        if held:
            raise KeyboardInterrupt
        held.append(name)
        return really_hold(s, name, *args, **kwargs)

    monkeypatch.setattr(ledger, "hold", hold_once)
    with pytest.raises(KeyboardInterrupt):
        create_batch(engine, "EUR", by="A", now_us=NOW)
    monkeypatch.undo()
    with read(engine) as s:
        assert payouts.list_batches(s) == ()
        assert ledger.find_balance(s, f"hold:{held[0]}") == 0
    assert len(create(engine).payouts) == 2


def test_dying_processes_lose_no_micro_credit(engine: Engine) -> None:
    """Three processes pay, confirm and return while 12 are SIGKILLed: the books stay whole."""
    names = {"A taxed": 100 * CREDIT + 1, "B": 90 * CREDIT, "C taxed": 80 * CREDIT}
    holders = add_payable(engine, names)
    engine.dispose()
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.paying_under_fire", url, "1", "12"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "12\n", done.stderr
    with read(engine) as s:
        assert whole(s)
        found = payouts.list_batches(s)
        events = [event for batch in found for event in payouts.list_events(s, batch.id)]
        assert {event.state for event in events} == {"sent", "confirmed", "returned"}
        codes = [f"holder:{holder}" for holder in holders] + ["bank:EUR", "tax:individual"]
        codes += [f"hold:{payout.hold}" for batch in found for payout in batch.payouts]
        balances = [ledger.find_balance(s, code) for code in codes]
        assert (sum(balances), min(balances) >= 0) == (sum(names.values()), True)


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("UPDATE payout_batches SET total_minor = 1", "payout_sum_differs"),
        ("UPDATE payouts SET net_minor = 1", "payout_sum_differs"),
        ("DELETE FROM payouts", "payout_sum_differs"),
        ("UPDATE payouts SET gross_micro = gross_micro - 1, net_micro = net_micro - 1",
         "payout_hold_differs"),
        ("UPDATE payouts SET tax_class = 'none'", "payout_hold_differs"),
        ("UPDATE payout_files SET sha256 = 'x'", "payout_file_differs"),
        ("DELETE FROM payout_events WHERE state = 'confirmed'", "payout_hold_differs"),
        ("DELETE FROM payout_events WHERE state = 'sent'", "payout_state_differs"),
    ],
)  # fmt: skip
def test_damage_to_a_payout_is_named(sqlite_engine: Engine, damage: str, code: str) -> None:
    """Rows changed behind the triggers' back contradict the ledger or each other."""
    add_payable(sqlite_engine, {"A taxed": 100 * CREDIT})
    batch = create(sqlite_engine)
    file_of(sqlite_engine, batch)
    mark_sent(sqlite_engine, batch.id, by="A", now_us=NOW)
    confirm(sqlite_engine, batch.id, None, by="A", now_us=NOW)
    with write(sqlite_engine) as s:
        table = damage.split()[1 if damage.startswith("UPDATE") else 2]
        for event in ("update", "delete"):
            s.execute(text(f"DROP TRIGGER {table}_no_{event}"))
        s.execute(text(damage))
        assert code in {difference.code for difference in payout_differences(s)}
