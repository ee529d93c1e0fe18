"""Books whose periods were closed and signed, and exports of A's reports, for tests of proofs."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from haozhi.closing import close_period
from haozhi.proofs.export import (
    SignedReport,
    export_proofs,
    read_all_acts,
    read_entries,
    report_leaf,
)
from haozhi.proofs.keys import LedgerKey, ledger_key
from haozhi.proofs.notes import build_checkpoint, note_hash, sign_note
from haozhi.reports.lines import lines_jsonl
from haozhi.reports.signed import signed_bytes
from store import checkpoints, credit_reports, ledger, rights
from store.acts import count_acts, read_acts
from store.checkpoints import Checkpoint
from store.engine import Engine, Session, database_path, read
from tests.closed_books import same
from tests.stored_books import Corpus, add_corpus, settle


@dataclass(frozen=True)
class SignedBooks:
    """A database with closed periods and the key that signed them."""

    engine: Engine
    key: LedgerKey
    corpus: Corpus


def make_books(engine: Engine, data_dir: Path, periods: int, answers: int) -> SignedBooks:
    """Periods with so many paid answers each, signed and closed; one more is open."""
    books = SignedBooks(engine, ledger_key(engine, data_dir), add_corpus(engine))
    for period_id in range(1, periods + 1):
        for number in range(answers):
            settle(engine, books.corpus, period_id * 1000 + number)
        sign_period(books, period_id)
    return books


def sign_period(books: SignedBooks, period_id: int) -> str:
    """Close the open period; the note that was signed."""
    closed = close_period(books.engine, by="Ada", key=books.key, audit=same, period_id=period_id)
    return closed.note


def export(books: SignedBooks, folder: Path, period_id: int) -> tuple[str, ...]:
    """Export A's report of a period from the rows as they are; what the verification finds."""
    with read(books.engine) as s:
        leaves = [leaf for _, leaf in credit_reports.report_leaves(s, period_id)]
        history = checkpoints.list_checkpoints(s, period_id)
        return _export(s, books, folder, history, leaves)


def forge(books: SignedBooks, folder: Path, first_period: int) -> tuple[str, ...]:
    """Export A's report of period 3 after signing the rows as they are again, from a period on.

    It is what somebody can do who has the key and changes haozhi so that it refuses nothing.
    """
    with read(books.engine) as s:
        history = list(checkpoints.list_checkpoints(s, first_period - 1))
        for period_id in range(first_period, 4):
            leaves = _leaves_now(s, period_id)
            history.append(_signed_again(s, books, period_id, leaves, history))
        return _export(s, books, folder, history, leaves)


def _export(
    s: Session,
    books: SignedBooks,
    folder: Path,
    history: Sequence[Checkpoint],
    leaves: Sequence[bytes],
) -> tuple[str, ...]:
    period_id = history[-1].period_id
    holder = rights.get_holder(s, books.corpus.a)
    holders = [holder_id for holder_id, _ in credit_reports.report_leaves(s, period_id)]
    stored, report = signed_bytes(s, period_id, holder)
    return export_proofs(
        folder,
        public=books.key.public,
        history=history,
        entries=read_entries(s, history[-1].tree_size),
        acts=read_all_acts(s, history[-1].acts_size),
        report=SignedReport(
            report=report,
            lines=lines_jsonl(ledger.report_lines(s, f"holder:{holder.id}", period_id)),
            salt=stored.salt,
            leaves=leaves,
            index=holders.index(holder.id),
        ),
    )


def _leaves_now(s: Session, period_id: int) -> list[bytes]:
    """The leaves of a period's reports over their lines as they are now."""
    leaves = []
    for holder_id, _ in credit_reports.report_leaves(s, period_id):
        stored, report = signed_bytes(s, period_id, rights.get_holder(s, holder_id))
        lines = lines_jsonl(ledger.report_lines(s, f"holder:{holder_id}", period_id))
        leaves.append(report_leaf(stored.salt, report, sha256(b"".join(lines)).hexdigest()))
    return leaves


def _signed_again(
    s: Session,
    books: SignedBooks,
    period_id: int,
    leaves: Sequence[bytes],
    history: Sequence[Checkpoint],
) -> Checkpoint:
    """A checkpoint of the rows as they are that claims to follow any history."""
    size = checkpoints.last_seq(s, period_id)
    checkpoint = build_checkpoint(
        books.key,
        period_id=period_id,
        entry_leaves=[leaf.data for leaf in checkpoints.read_leaves(s, size)],
        report_leaves=leaves,
        act_leaves=[leaf.data for leaf in read_acts(s, count_acts(s))],
        previous_note=None,
        audited=0,
        largest_ppb=None,
    )
    text = checkpoint.note.partition("\n\n")[0] + "\n"
    previous = note_hash(history[-1].note) if history else "none"
    text = text.replace("previous none", f"previous {previous}")
    return replace(checkpoint, note=sign_note(books.key, text))


@contextmanager
def intruder(engine: Engine) -> Iterator[sqlite3.Connection]:
    """A connection of somebody who owns the file: no triggers, no keys, no checks."""
    path = database_path(engine)
    assert path is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.commit()
        connection.execute("PRAGMA ignore_check_constraints = ON")
        yield connection
