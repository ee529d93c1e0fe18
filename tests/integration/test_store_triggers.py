"""The database itself refuses to change history and to keep half an entry."""

from contextlib import nullcontext
from typing import Any

import pytest
from sqlalchemy import Engine, Insert, insert, select, text
from sqlalchemy.exc import IntegrityError

from store import protected
from store.database import check
from store.engine import read, write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.schema import Base
from store.statements import NewStatement, add_statements
from store.works import NewWork, add_work

TABLES = Base.metadata.tables
BY_TYPE: dict[type, Any] = {str: "x", int: 1, float: 1.0, bool: True, bytes: b"x", object: {}}
BY_NAME = {
    "debit_account_id": 2,
    "kind": "ask",
    "relation": "supports",
    "state": "answered",
    "tier": "final",
    "unattributed_ppb": 4,  # the sum of its four causes, 1 each
    "currency": "EUR",
    "deletions.kind": "work",
    "outcome": "back",
    "author_decisions.kind": "confirm",
    "works.state": "ready",
    "audits.state": "same",
    "payout_events.state": "sent",
    "payouts.gross_micro": 2,
    "transfers.id": 65_536,
    "transfers.position": 0,
    # With 1 in every other column these are what the equations of a report ask for.
    "credit_reports.earned_micro": 4,
    "credit_reports.carried_micro": 0,
    "credit_reports.held_micro": 0,
}


def _row(name: str) -> Insert:
    """A row with something in every required column; all ids and foreign keys are 1 or 'x'."""
    values = {}
    for column in TABLES[name].columns:
        if not column.nullable:
            usual = BY_NAME.get(column.name, BY_TYPE[column.type.python_type])
            values[column.name] = BY_NAME.get(f"{name}.{column.name}", usual)
    return insert(TABLES[name]).values(values)


@pytest.fixture
def full(engine: Engine) -> Engine:
    """A database with at least one row in every protected table."""
    with write(engine) as s:
        author = add_author(s, "A", "test")
        work = add_work(s, NewWork("public", "h", 2, "a", "a", "text/plain", "utf-8", "test", "ab"))
        add_statements(
            s, work, "public", [NewStatement("ab", "en", 0, 2, (AuthorShare(author, 10**6),))]
        )
        s.execute(_row("authors"))
        s.execute(_row("works"))
        s.execute(_row("rights_holders"))
        s.execute(_row("grants").values(work_id=work))
        for table in (
            t.name
            for t in Base.metadata.sorted_tables
            if t.name in (*protected.APPEND_ONLY, "answers", "deletions")
        ):
            if table not in ("acts", "policies", "entry_seals"):
                s.execute(_row(table))
        s.execute(_row("entry_seals"))
    return engine


def _refuses(engine: Engine, statement: str, message: str) -> None:
    with pytest.raises(IntegrityError, match=message), write(engine) as s:
        s.execute(text(statement))


def test_models_and_migrated_database_agree(engine: Engine) -> None:
    """A migrated database shows no drift."""
    assert check(engine) == ()


def test_history_can_be_neither_updated_nor_deleted(full: Engine) -> None:
    """In an append-only table an UPDATE, a DELETE and an UPDATE that changes nothing all fail."""
    for table in protected.APPEND_ONLY:
        column = next(iter(TABLES[table].columns)).name
        _refuses(full, f"UPDATE {table} SET {column} = {column}", f"{table} is append-only")
        _refuses(full, f"DELETE FROM {table}", f"{table} is append-only")


def test_replace_cannot_rewrite_history(sqlite_engine: Engine) -> None:
    """INSERT OR REPLACE deletes the old row, which the triggers see because they recurse."""
    statement = (
        "INSERT OR REPLACE INTO policies (version, body, created_us)"
        " SELECT version, '{}', 0 FROM policies"
    )
    _refuses(sqlite_engine, statement, "policies is append-only")


@pytest.mark.postgres
def test_truncate_cannot_empty_history(postgres_engine: Engine) -> None:
    """TRUNCATE of a protected table fails, with CASCADE too."""
    for table in protected.TABLES:
        refusal = "append-only|rows are kept"
        _refuses(postgres_engine, f"TRUNCATE {table} CASCADE", refusal)


def test_statement_and_occurrence_keep_their_identity(full: Engine) -> None:
    """What says which text stands where never changes, and neither row can go."""
    _refuses(full, "UPDATE statements SET hash = 'x'", "identity never changes")
    _refuses(full, "UPDATE statements SET scope = 'x'", "identity never changes")
    _refuses(full, "UPDATE statements SET id = 99", "identity never changes")
    _refuses(full, "UPDATE statements SET text = 'x'", "text never changes")
    _refuses(full, 'UPDATE occurrences SET "end" = 3', "a span only moves into a later version")
    _refuses(full, "UPDATE occurrences SET registered_us = 3", "identity never changes")
    _refuses(full, "UPDATE occurrences SET work_id = 'x'", "identity never changes")
    _refuses(full, "DELETE FROM occurrences", "rows are kept")
    _refuses(full, "DELETE FROM statements", "rows are kept")


def test_an_answer_can_only_be_blanked(full: Engine) -> None:
    """Words may become as many blanks and tokens zeros; everything else of an answer stays."""
    for column in ("question", "preface", "text"):
        for to in ("'y'", "'██'", "NULL"):
            _refuses(full, f"UPDATE answers SET {column} = {to}", "only ever blanked|NOT NULL|null")
    _refuses(full, "UPDATE answers SET claim = 'x'", "only ever blanked")
    _refuses(full, "UPDATE answers SET options = '{\"a\": 1}'", "only ever blanked")
    _refuses(full, "UPDATE answers SET answer_ids = '[10]'", "only ever blanked")
    _refuses(full, "UPDATE answers SET fee_micro = 2", "identity never changes")
    _refuses(full, "UPDATE answers SET timings_ms = '{\"a\": 1}'", "identity never changes")
    _refuses(full, "DELETE FROM answers", "rows are kept")
    with write(full) as s:
        s.execute(text("UPDATE answers SET question = '█', text = '█', prompt_ids = '[0, 0]'"))


def test_a_deletion_is_kept_and_ends_once(full: Engine) -> None:
    """Who asked for it and why never changes, nor a finished one, nor which statements it took."""
    _refuses(full, "UPDATE deletions SET reason = 'other'", "identity never changes")
    _refuses(full, "DELETE FROM deletions", "rows are kept")
    with write(full) as s:
        s.execute(text("UPDATE deletions SET finished_us = 5"))
    _refuses(full, "UPDATE deletions SET finished_us = NULL", "finished one never changes")


def test_statement_can_be_withdrawn_and_its_text_deleted(full: Engine) -> None:
    """Withdrawing, clustering and deleting the text are the changes that a statement allows."""
    with write(full) as s:
        s.execute(text("UPDATE statements SET withdrawn_us = 5, text = NULL, language = 'zh'"))
        s.execute(text("UPDATE occurrences SET withdrawn_us = 5, disputed = true"))
    with read(full) as s:
        assert s.execute(text("SELECT text FROM statements")).all() == [(None,)]


def test_a_grant_can_only_be_ended(full: Engine) -> None:
    """No grant or holder goes or changes, but for when and by whom a grant was ended."""
    grants = TABLES["grants"]
    for column in grants.columns:
        change = f"UPDATE grants SET {column.name} = "
        to = "7" if column.type.python_type is int else "'z'"
        if column.type.python_type is bool:
            to = "false"
        if column.name in ("valid_until_us", "ended_by"):
            with write(full) as s:
                s.execute(text(change + to))
        else:
            _refuses(full, change + to, "grants: identity never changes")
    _refuses(full, "DELETE FROM grants", "grants: rows are kept")
    _refuses(full, "UPDATE rights_holders SET author_id = NULL", "identity never changes")
    _refuses(full, "UPDATE rights_holders SET id = 'y' WHERE id = 'x'", "identity never changes")
    _refuses(full, "DELETE FROM rights_holders", "rights_holders: rows are kept")


def test_a_period_goes_from_open_over_closing_to_closed(engine: Engine) -> None:
    """No state is left out or gone back to, and nothing of a closed period changes."""
    _refuses(engine, "UPDATE periods SET state = 'CLOSED'", "never gone back to or left out")
    with write(engine) as s:
        s.execute(text("UPDATE periods SET state = 'CLOSING', closed_by = 'x'"))
    _refuses(engine, "UPDATE periods SET state = 'OPEN'", "never gone back to or left out")
    with write(engine) as s:
        s.execute(text("UPDATE periods SET state = 'CLOSED', closed_us = 5"))
    for change in ("state = 'OPEN'", "state = 'CLOSING'", "closed_us = 6", "closed_by = 'y'"):
        _refuses(engine, f"UPDATE periods SET {change}", "a closed period never changes")


def test_entry_needs_its_seal_to_commit(engine: Engine) -> None:
    """An entry whose seal is missing at commit is rolled back."""
    with pytest.raises(IntegrityError), write(engine) as s:
        s.execute(_row("entries"))
    with read(engine) as s:
        assert s.execute(text("SELECT count(*) FROM entries")).scalar() == 0


def test_seal_needs_all_transfers(engine: Engine) -> None:
    """A seal that promises another number of transfers than there are is refused."""
    with write(engine) as s:
        s.execute(_row("entries"))
        s.execute(_row("transfers"))
        with pytest.raises(IntegrityError, match="lacks transfers"):
            s.execute(_row("entry_seals").values(transfer_count=2))
        s.rollback()


def test_seal_needs_transfers_without_a_gap(engine: Engine) -> None:
    """As many transfers as the seal promises are not enough when one has a later place."""
    with write(engine) as s:
        s.execute(_row("entries"))
        s.execute(_row("transfers").values(id=65_537, position=1))
        with pytest.raises(IntegrityError, match="lacks transfers"):
            s.execute(_row("entry_seals"))
        s.rollback()


@pytest.mark.postgres
@pytest.mark.parametrize("transfer_count", [None, 1, 2])
def test_postgres_counts_again_at_commit(
    postgres_engine: Engine, transfer_count: int | None
) -> None:
    """With all other guards gone no entry commits without its seal or with another count in it."""
    with write(postgres_engine) as s:
        s.execute(text("ALTER TABLE entries DROP CONSTRAINT fk_entries_seal"))
        s.execute(text("DROP TRIGGER entry_seals_whole ON entry_seals"))
    is_whole = transfer_count == 1
    refused = pytest.raises(IntegrityError, match="lacks its seal or transfers")
    with nullcontext() if is_whole else refused, write(postgres_engine) as s:
        s.execute(_row("entries"))
        if transfer_count is not None:
            s.execute(_row("entry_seals").values(transfer_count=transfer_count))
            s.execute(text("DROP TRIGGER transfers_open ON transfers"))
        s.execute(_row("transfers"))
    with read(postgres_engine) as s:
        assert s.execute(text("SELECT count(*) FROM entries")).scalar() == is_whole


@pytest.mark.postgres
def test_drift_of_the_trigger_at_commit_is_found(postgres_engine: Engine) -> None:
    """A constraint trigger that is gone is missed like any other."""
    with write(postgres_engine) as s:
        s.execute(text("DROP TRIGGER entries_sealed ON entries"))
    assert check(postgres_engine) == ("trigger entries_sealed is missing",)


def test_a_transfer_has_the_id_of_its_place(engine: Engine) -> None:
    """No id is given that does not follow from entry and position."""
    for changes in ({"id": 7}, {"position": 1}, {"id": 131_072, "position": 65_536}):
        with write(engine) as s:
            s.execute(_row("entries"))
            with pytest.raises(IntegrityError, match="ck_transfers"):
                s.execute(_row("transfers").values(**changes))
            s.rollback()


def test_sealed_entry_takes_no_transfer(full: Engine) -> None:
    """Once an entry is sealed nothing can be added to it."""
    with pytest.raises(IntegrityError, match="sealed"), write(full) as s:
        s.execute(_row("transfers").values(id=2, position=2))


def test_unknown_author_has_one_share_of_a_statement(full: Engine) -> None:
    """Two pair rows without an author for one statement are refused, as two with one author are."""
    with pytest.raises(IntegrityError), write(full) as s:
        s.execute(_row("pair_rows").values(id=2))


def test_one_period_is_open(engine: Engine) -> None:
    """A second OPEN period is refused; the first comes with the database."""
    period = TABLES["periods"]
    with pytest.raises(IntegrityError), write(engine) as s:
        s.execute(insert(period).values(state="OPEN", opened_us=1))


def test_new_ledger_starts_with_its_accounts_and_policy(engine: Engine) -> None:
    """A fresh database has one open period, policy 1, three reserves and the local asker."""
    account, policy, period = (TABLES[name] for name in ("accounts", "policies", "periods"))
    with read(engine) as s:
        assert s.execute(select(period.c.id, period.c.state)).all() == [(1, "OPEN")]
        assert s.execute(select(policy.c.version)).all() == [(1,)]
        found = s.execute(select(account.c.code, account.c.kind, account.c.has_floor)).all()
    assert sorted(found) == [
        ("asker:local", "asker", False),
        ("reserve:disputed", "reserve", True),
        ("reserve:unattributed", "reserve", True),
        ("reserve:unclaimed", "reserve", True),
    ]
