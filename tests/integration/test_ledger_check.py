"""`ledger check` finds whatever was changed behind the ledger's back."""

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from haozhi.accounting.settle import check_ledger
from store import ledger
from store.engine import Engine, make_engine, read, write
from store.ledger import Correction
from store.records.ledger import Transfer
from store.schema import Base
from tests.fixtures_store import OpenCopy
from tests.payable_books import add_policy
from tests.signed_books import intruder
from tests.stored_books import NOW, Corpus, account_of, add_corpus, settle

#: Key, transfers, what is corrected and memo of entries, in order.
Posts = list[tuple[str, list[Transfer], Correction, str | None]]
BOOKED = ("entries", "entry_seals", "transfers")


@pytest.fixture(scope="module")
def settled(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Corpus]:
    """A database file with three settled answers; copy it, never write to it."""
    path = tmp_path_factory.mktemp("settled") / "haozhi.db"
    shutil.copy(migrated_file, path)
    engine = make_engine(f"sqlite:///{path}")
    corpus = add_corpus(engine)
    for number in (1, 2, 3):
        settle(engine, corpus, number)
    engine.dispose()
    return path, corpus


@pytest.fixture
def corpus(settled: tuple[Path, Corpus]) -> Corpus:
    """The corpus of the settled answers."""
    return settled[1]


@pytest.fixture
def books(settled: tuple[Path, Corpus], open_copy: OpenCopy, tmp_path: Path) -> Iterator[Engine]:
    """A copy of the settled database of one's own."""
    with open_copy(settled[0], tmp_path) as engine:
        yield engine


def recount(connection: sqlite3.Connection) -> None:
    """Make the totals what the transfers say now."""
    side = "SELECT {}_account_id, period_id, reason, {}, {}, 1 FROM transfers JOIN entries"
    sides = (("credit", "amount_micro", "0"), ("debit", "0", "amount_micro"))
    moved = " UNION ALL ".join(side.format(*each) + " ON seq = entry_seq" for each in sides)
    connection.execute("DELETE FROM account_totals")
    connection.execute(
        f"WITH moved (account, period, reason, came, went, n) AS ({moved}) INSERT INTO"
        " account_totals SELECT account, period, reason, sum(came), sum(went), sum(n)"
        " FROM moved GROUP BY account, period, reason"
    )


def codes(engine: Engine) -> set[str]:
    """The codes of all differences."""
    with read(engine) as s:
        return {found.code for found in check_ledger(s)}


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE transfers SET amount_micro = amount_micro + 1 WHERE id = 65536", "sum_differs"),
        ("DELETE FROM transfers WHERE id = 65536", "seal_differs"),
        ("DELETE FROM entries WHERE seq = 1", "entry_missing"),
        ("DELETE FROM entries WHERE seq = 2", "entry_lost"),
        ("DELETE FROM entries WHERE seq = 3", "entry_missing"),
        ("DELETE FROM entry_seals WHERE entry_seq = 1", "seal_differs"),
        ("DELETE FROM attributions", "entry_uncalled"),
        ("UPDATE attributions SET tier = 'provisional'", "entry_uncalled"),
        ("UPDATE attributions SET detail = '{}'", "underivable"),
        ("UPDATE answers SET fee_micro = fee_micro + 1", "sum_differs"),
        ("UPDATE answers SET fee_micro = 0", "entry_uncalled"),
        ("UPDATE answers SET policy_version = 7", "underivable"),
        ("UPDATE segments SET weight_ppb = 5 WHERE position = 0", "answer_differs"),
        ("UPDATE pair_rows SET share_ppb = share_ppb + 1 WHERE id = 1", "attribution_differs"),
        ("UPDATE citations SET share_ppb = share_ppb + 1", "attribution_differs"),
        ("UPDATE pair_rows SET statement_id = 77 WHERE id = 1", "dangling"),
        (
            "UPDATE attributions SET unsupported_ppb = 1, disagree_ppb = 149999999",
            "transfers_differ",
        ),
        ("UPDATE accounts SET has_floor = 0 WHERE code = 'reserve:disputed'", "account_differs"),
        ("UPDATE accounts SET code = 'holder:x' WHERE id = 5", "account_differs"),
        ("UPDATE rights_holders SET author_id = NULL", "payee_differs"),
        ("UPDATE account_totals SET in_micro = in_micro + 1 WHERE in_micro > 0", "totals_differ"),
        ("DELETE FROM account_totals WHERE in_micro > 0", "totals_differ"),
        ("UPDATE entries SET seal = 1 WHERE seq = 3", "seal_differs"),
        ("UPDATE entries SET period_id = 0 WHERE seq = 2", "period_differs"),
        ("UPDATE periods SET state = 'CLOSED', closed_us = opened_us + 1", "period_differs"),
        ("UPDATE periods SET closed_us = opened_us + 1", "period_differs"),
        ("UPDATE policies SET approved_by = 'A'", "policy_differs"),
        ("UPDATE policies SET body = '{}'", "policy_differs"),
        ("UPDATE transfers SET amount_micro = -1 WHERE id = 65536", "amount_differs"),
        ("UPDATE transfers SET amount_micro = -9999 WHERE id = 65536", "below_floor"),
        ("UPDATE transfers SET id = 7 WHERE id = 65536", "position_differs"),
        ("DELETE FROM accounts WHERE code = 'asker:local'", "account_differs"),
        ("DELETE FROM accounts WHERE kind = 'holder'", "account_differs"),
        ("UPDATE policies SET created_us = 1", "act_differs"),
        ("DELETE FROM policies", "act_differs"),
        ("DELETE FROM acts", "act_differs"),
        ("UPDATE acts SET row_key = 'x'", "act_differs"),
        ("INSERT INTO policy_proposals VALUES (1, '{}', 'A', 1)", "act_differs"),
        ("UPDATE entries SET created_us = 5 WHERE seq = 2", "time_differs"),
        ("UPDATE entries SET key = x'ff' WHERE seq = 2", "unreadable"),
        ("UPDATE entries SET period_id = 'May' WHERE seq = 2", "hash_differs"),
    ],
)
def test_each_kind_of_difference_has_its_code(books: Engine, statement: str, code: str) -> None:
    """What was done to the rows is named by a stable code."""
    with intruder(books) as connection:
        connection.execute(statement)
    assert code in codes(books)


def test_an_admin_who_approves_under_another_spelling_is_found(books: Engine) -> None:
    """Proposer and approver are compared as at approval: width and case make no second admin."""
    with write(books) as s:
        add_policy(s, {})
    assert "policy_differs" not in codes(books)
    with intruder(books) as connection:
        connection.execute("UPDATE policies SET approved_by = 'ａ' WHERE version = 2")
    assert "policy_differs" in codes(books)


def test_money_moved_consistently_between_accounts_is_found(books: Engine, corpus: Corpus) -> None:
    """Crediting B with A's line keeps every sum and both balances, yet not the hash."""
    with intruder(books) as connection:
        connection.execute(
            "UPDATE transfers SET credit_account_id = (SELECT id FROM accounts WHERE holder_id ="
            " (SELECT id FROM rights_holders WHERE author_id = ?)) WHERE author_id = ?",
            (corpus.b, corpus.a),
        )
    assert {"hash_differs", "payee_differs"} <= codes(books)


def test_rehashed_chain_does_not_hide_another_split(books: Engine, corpus: Corpus) -> None:
    """Somebody who posts another split with valid hashes is found by the attribution."""
    answer = corpus.answer(9)
    settle(books, corpus, 9)
    with intruder(books) as connection:
        connection.execute("DELETE FROM transfers WHERE entry_seq = 4")
        connection.execute("DELETE FROM entry_seals WHERE entry_seq = 4")
        connection.execute("DELETE FROM entries WHERE seq = 4")
        recount(connection)
    with write(books) as s:
        all_of_it = Transfer(
            "asker:local",
            "reserve:unattributed",
            10_000,
            "unsupported",
            answer.id,
            None,
            None,
            10**9,
        )
        key = ledger.distribution_key(answer.id)
        ledger.post(s, key, [all_of_it], policy_version=1, now_us=NOW + 50)
    assert codes(books) == {"transfers_differ"}


KEY = "answer:answer-1:dist:1"
UNATTRIBUTED, ASKER = "reserve:unattributed", "asker:local"


def back(micro: int, **facts: Any) -> Transfer:
    """From the unattributed line of answer 1 back to the asker."""
    told: dict[str, Any] = {"answer_id": "answer-1", "line": 3, "share_ppb": 150_000_000}
    return Transfer(UNATTRIBUTED, ASKER, micro, "refund", **(told | facts))


def held(micro: int = 100, credit: str = "hold:x") -> Transfer:
    """From the unattributed reserve into a hold."""
    return Transfer(UNATTRIBUTED, credit, micro, "deposit")


HOLD = ("hold:x", [held()], Correction(), None)
WRONG: dict[str, tuple[str, Posts]] = {
    "no kind of entry": ("entry_uncalled", [("gift:1", [back(5)], Correction(), None)]),
    "an answer that there is not": (
        "entry_uncalled",
        [("answer:gone:dist:1", [held(credit=ASKER)], Correction(), None)],
    ),
    "a refund of nothing that it names": (
        "entry_uncalled",
        [(f"refund:a:{KEY}", [back(5)], Correction(), None)],
    ),
    "a refund of another sum per line": (
        "change_differs",
        [(f"refund:a:{KEY}", [back(500)], Correction(corrects=KEY), None)],
    ),
    "a refund of a line that there is not": (
        "change_differs",
        [(f"refund:a:{KEY}", [back(5, line=9)], Correction(corrects=KEY), None)],
    ),
    "a refund about another answer": (
        "change_differs",
        [(f"refund:a:{KEY}", [back(5, answer_id="answer-2")], Correction(corrects=KEY), None)],
    ),
    "a refund of more than the line has": (
        "overtaken",
        [(f"refund:a:{KEY}", [back(1600)], Correction(corrects=KEY), None)],
    ),
    "a reversal of a part": (
        "change_differs",
        [
            (
                f"reversal:{KEY}",
                [replace(back(5), reason="reversal")],
                Correction(reverses=KEY),
                None,
            )
        ],
    ),
    "a hold that credits another account": (
        "entry_uncalled",
        [("hold:x", [held(credit="hold:y")], Correction(), None)],
    ),
    "a hold posted in part": (
        "change_differs",
        [
            HOLD,
            (
                "hold:x:post",
                [Transfer("hold:x", "bank:CNY", 60, "deposit")],
                Correction(corrects="hold:x"),
                None,
            ),
        ],
    ),
    "a hold voided to somebody else": (
        "change_differs",
        [
            HOLD,
            (
                "hold:x:void",
                [Transfer("hold:x", ASKER, 100, "deposit", line=0)],
                Correction(reverses="hold:x"),
                '{"reason":"changed"}',
            ),
        ],
    ),
    "a hold timed out that never expires": (
        "change_differs",
        [
            HOLD,
            (
                "hold:x:void",
                [Transfer("hold:x", UNATTRIBUTED, 100, "deposit", line=0)],
                Correction(reverses="hold:x"),
                '{"reason":"timeout"}',
            ),
        ],
    ),
    "a debt that there was money for": (
        "owed_differs",
        [
            (
                f"refund:a:{KEY}",
                [replace(back(5, line=0, statement_id=1), debit="owed by A")],
                Correction(corrects=KEY),
                None,
            )
        ],
    ),
    "a reason that no report knows": (
        "reason_unknown",
        [("hold:x", [replace(held(), debit="A")], Correction(), None)],
    ),
    "a recoupment of another period": (
        "entry_uncalled",
        [("recoup:7:x", [Transfer("A", "bank:CNY", 5, "recoup")], Correction(), None)],
    ),
    "a dispute that there is not": (
        "dispute_entry_uncalled",
        [("dispute:d1:open", [back(5)], Correction(corrects=KEY), None)],
    ),
    "a payout that there is not": (
        "payout_hold_differs",
        [("payout:eur-1:h:return", [back(5)], Correction(), None)],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_entries_with_right_hashes_are_named(
    books: Engine, corpus: Corpus, name: str
) -> None:
    """What somebody posts past the rules hangs in the chain, and is found by what calls for it."""
    code, posts = WRONG[name]
    with write(books) as s:
        holder = account_of(s, corpus.a)
        names = {"A": holder, "owed by A": holder.replace("holder", "owed")}
        for key, transfers, of, memo in posts:
            said = [replace(t, debit=names.get(t.debit, t.debit)) for t in transfers]
            ledger.post(s, key, said, policy_version=1, now_us=NOW + 99, of=of, memo=memo)
    found = codes(books)
    assert code in found
    assert not found & {"hash_differs", "chain_broken", "seal_differs", "totals_differ"}


def test_ledger_tables_refuse_changes(engine: Engine) -> None:
    """With its triggers in place the database lets no booked line be updated or deleted."""
    settle(engine, add_corpus(engine))
    for table in BOOKED:
        (column, *_) = Base.metadata.tables[table].primary_key.columns.keys()
        for statement in (f"UPDATE {table} SET {column} = 9", f"DELETE FROM {table}"):
            with pytest.raises(IntegrityError, match="append-only"), write(engine) as s:
                s.execute(text(statement))
    assert codes(engine) == set()


@pytest.mark.postgres
def test_changed_amount_is_found_on_postgresql(postgres_engine: Engine) -> None:
    """The same check reads PostgreSQL: a superuser's edit is found."""
    settle(postgres_engine, add_corpus(postgres_engine))
    with write(postgres_engine) as s:
        s.execute(text("ALTER TABLE transfers DISABLE TRIGGER ALL"))
        s.execute(text("UPDATE transfers SET amount_micro = amount_micro + 1, statement_id = 99"))
    assert {"hash_differs", "sum_differs", "transfers_differ", "dangling"} <= codes(postgres_engine)
