"""`ledger check` finds what the rows of disputes and the ledger contradict of each other."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.disputes import dispute_differences
from store.engine import Engine, make_engine, read
from tests.disputing import OF_A, OF_B, close, dispute
from tests.fixtures_store import OpenCopy
from tests.signed_books import intruder
from tests.stored_books import add_corpus, settle


@pytest.fixture(scope="module")
def disputed(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Disputes: `open`, which keeps back; one that went `back`; one that went `on`; one that kept
    answer 5 back and `passed` it on. Copy it.
    """
    path = tmp_path_factory.mktemp("disputed") / "haozhi.db"
    engine = make_engine(f"sqlite:///{shutil.copy(migrated_file, path)}")
    corpus = add_corpus(engine)
    for number in (1, 2, 3):
        settle(engine, corpus, number)
    passed = dispute(engine, OF_B, 1, keep_back=True, ground="passed")
    settle(engine, corpus, 5)
    close(engine, passed, "A")
    dispute(engine, OF_A, 1, keep_back=True, ground="open")
    close(engine, dispute(engine, OF_B, 2, ground="back"))
    close(engine, dispute(engine, OF_B, 3, ground="on"), "A")
    settle(engine, corpus, 4)
    engine.dispose()
    return path


@pytest.fixture
def books(disputed: Path, open_copy: OpenCopy, tmp_path: Path) -> Iterator[Engine]:
    """A copy of the disputed books of one's own."""
    with open_copy(disputed, tmp_path) as engine:
        yield engine


#: The same dispute once more, at the same time.
TWICE = (
    "INSERT INTO disputes SELECT 'd2', entry_key, line, NULL, NULL, 'x', 'y', created_us"
    " FROM disputes WHERE ground = 'open'"
)
OPEN, BACK, ON, PASSED = (
    f"(SELECT id FROM disputes WHERE ground = '{ground}')"
    for ground in ("open", "back", "on", "passed")
)
RELEASE = f"'dispute:' || {PASSED} || ':release:answer-5'"
TO_NOBODY = "credit_account_id = (SELECT id FROM accounts WHERE code = 'reserve:unclaimed')"
LINES = "UPDATE transfers SET {} WHERE entry_seq = (SELECT seq FROM entries WHERE key = {})"


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (f"DELETE FROM entries WHERE key = 'dispute:' || {OPEN} || ':open'", "entry_missing"),
        (f"DELETE FROM entries WHERE key = 'dispute:' || {BACK} || ':close'", "entry_missing"),
        (f"UPDATE disputes SET line = 99 WHERE id = {OPEN}", "entry_missing"),
        (f"DELETE FROM dispute_closings WHERE dispute_id = {BACK}", "entry_uncalled"),
        (f"DELETE FROM disputes WHERE id = {OPEN}", "entry_uncalled"),
        (f"UPDATE disputes SET line = 1 WHERE id = {OPEN}", "line_differs"),
        ("UPDATE dispute_closings SET outcome = 'back', holder_id = NULL", "line_differs"),
        (f"UPDATE entries SET corrects = NULL WHERE key LIKE '%' || {ON} || '%'", "line_differs"),
        (LINES.format("reason = 'share'", f"'dispute:' || {OPEN} || ':open'"), "line_differs"),
        (LINES.format("amount_micro = 1", f"'dispute:' || {ON} || ':close'"), "amount_differs"),
        (LINES.format("amount_micro = 1", f"'dispute:' || {OPEN} || ':open'"), "reserve_differs"),
        (LINES.format(TO_NOBODY, RELEASE), "line_differs"),
        (LINES.format("reason = 'claim'", RELEASE), "line_differs"),
        (LINES.format("line = NULL", RELEASE), "line_differs"),
        (TWICE, "open_twice"),
        ("UPDATE occurrences SET disputed = 0", "mark_differs"),
    ],
)  # fmt: skip
def test_a_changed_dispute_is_named(books: Engine, statement: str, code: str) -> None:
    """Each kind of contradiction has its code; untouched books have none."""
    with read(books) as s:
        assert list(dispute_differences(s)) == []
    with intruder(books) as connection:
        assert connection.execute(statement).rowcount > 0
    with read(books) as s:
        assert f"dispute_{code}" in {found.code for found in dispute_differences(s)}
