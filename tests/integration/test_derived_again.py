"""`ledger check` works out again what was kept: payouts, grants, draws and times."""

from pathlib import Path

import pytest
from sqlalchemy import select

from haozhi import paying
from haozhi.accounting.settle import check_ledger
from store.engine import Engine, read, write
from store.errors import BooksDiffer
from store.ledger import post
from store.people import add_author, get_author
from store.records.ledger import Transfer
from store.schema import AuditRow
from tests.closed_books import close
from tests.payable_books import add_payable, close_period, earn
from tests.paying import NOW as PAID
from tests.paying import a_payee
from tests.signed_books import intruder, make_books
from tests.stored_books import NOW, Corpus, account_of, add_corpus, grant, settle


def said(engine: Engine) -> dict[str, str]:
    """What the check finds: the messages by code."""
    with read(engine) as s:
        return {found.code: found.message for found in check_ledger(s)}


def test_a_batch_under_the_first_policy_is_taxed_at_its_defaults(engine: Engine) -> None:
    """A policy without a table of taxes has the class `none` at 0, for the check as for a batch."""
    with write(engine) as s:
        holder_id = get_author(s, add_author(s, "first", "test")).holder_id
        earn(s, holder_id, 60_000_000, 1)
        close_period(s, {holder_id: 60_000_000})
    paying.set_payee(engine, a_payee("EUR", holder_id, tax_class="none"))
    created = paying.create_batch(engine, "EUR", by="Ada", now_us=PAID)
    assert created.batch
    assert created.batch.policy_version == 1
    assert not {code for code in said(engine) if code.startswith("payout")}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("payouts SET net_minor = net_minor + 1", "payout_amount_differs"),
        ("payouts SET gross_micro = gross_micro + 9, net_micro = net_micro + 9", "payout_amount_"),
        ("payouts SET withholding_ppm = 1", "payout_tax_differs"),
        ("payouts SET tax_class = 'individual'", "payout_tax_differs"),
    ],
)
def test_the_money_of_a_payout_follows_from_its_gross(
    sqlite_engine: Engine, change: str, code: str
) -> None:
    """Cents, credits and tax are those that the batch's policy makes of the gross."""
    add_payable(sqlite_engine, {"Ada": 9_000_000})
    paying.create_batch(sqlite_engine, "EUR", by="Ada", now_us=PAID)
    with intruder(sqlite_engine) as connection:
        connection.execute(f"UPDATE {change}")
        connection.execute(
            "UPDATE payout_batches SET total_minor = (SELECT sum(net_minor) FROM payouts)"
        )
    assert any(found.startswith(code) for found in said(sqlite_engine))


@pytest.fixture
def granted(sqlite_engine: Engine) -> Corpus:
    """An answer before a grant, one under it."""
    corpus = add_corpus(sqlite_engine)
    with write(sqlite_engine) as s:
        grant(s, corpus, "press", 250_000)
    settle(sqlite_engine, corpus, 1)
    return corpus


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE grants SET ppm = ppm - 1",
        "UPDATE grants SET valid_until_us = 5",
        f"UPDATE grants SET created_us = {NOW + 9}",
        "DELETE FROM grants",
        "UPDATE attributions SET detail = replace(detail, '250000', '250001')",
    ],
)
@pytest.mark.usefixtures("granted")
def test_the_holdings_of_an_answer_are_the_grants_of_its_time(
    sqlite_engine: Engine, change: str
) -> None:
    """What was kept of grants is compared with their rows, as they were when it was posted."""
    assert said(sqlite_engine) == {}
    with intruder(sqlite_engine) as connection:
        connection.execute(change)
    assert "grants_differ" in said(sqlite_engine)


def test_a_grant_of_later_changes_nothing_before_it(engine: Engine) -> None:
    """A grant without a start pays for what is posted after it was made, not for what was."""
    corpus = add_corpus(engine)
    settle(engine, corpus, 1)
    with write(engine) as s:
        grant(s, corpus, "press", 250_000, created_us=NOW + 2)
    settle(engine, corpus, 2)
    assert said(engine) == {}


def test_other_audited_answers_than_the_drawn_ones_are_found(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    """Whoever audits answers of their choice is found by repeating the draw."""
    make_books(sqlite_engine, tmp_path, 1, 6)
    assert said(sqlite_engine) == {}
    with read(sqlite_engine) as s:
        drawn = set(s.scalars(select(AuditRow.answer_id)))
    other = next(name for name in (f"answer-{1000 + n}" for n in range(6)) if name not in drawn)
    with intruder(sqlite_engine) as connection:
        connection.execute("UPDATE audits SET answer_id = ? WHERE rowid = 1", (other,))
    assert "those that were drawn" in said(sqlite_engine)["checkpoint_differs"]


def test_an_entry_is_not_later_than_its_period(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A time after the period's end is found, whatever the hashes say."""
    make_books(sqlite_engine, tmp_path, 1, 1)
    with intruder(sqlite_engine) as connection:
        connection.execute("UPDATE entries SET created_us = 4000000000000000")
    assert said(sqlite_engine)["time_differs"] == "it is later than its period"


def test_a_reason_without_a_column_stops_the_close(engine: Engine, tmp_path: Path) -> None:
    """A line that no report can show is damage that the close names; nothing is signed."""
    corpus = add_corpus(engine)
    with write(engine) as s:
        gift = Transfer("asker:local", account_of(s, corpus.a), 70, "gift")
        post(s, "answer:gift:dist:1", [gift], policy_version=1, now_us=NOW)
    with pytest.raises(BooksDiffer, match=r"no column of a report is for \(gift\)"):
        close(engine, tmp_path)
