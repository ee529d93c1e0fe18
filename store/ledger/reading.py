"""Reading the ledger: entries, periods, policies, and an account's balance and lines."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from store.errors import NotFound
from store.ledger.totals import total_micro
from store.records import Entry, Line, Period, Transfer
from store.schema import AccountRow, EntryRow, PeriodRow, PolicyRow, TransferRow


def find_entry(s: Session, key: str) -> Entry | None:
    """The entry with this natural key, or None."""
    seq = s.connection().execute(_SEQ_OF, {"key": key}).scalar()
    if seq is None:
        return None
    return load_entries(s, s.scalars(select(EntryRow).where(EntryRow.seq == seq)).all())[0]


def get_entry(s: Session, key: str) -> Entry:
    """The entry with this natural key. NotFound: there is none."""
    entry = find_entry(s, key)
    if entry is None:
        raise NotFound(f"there is no ledger entry {key}")
    return entry


def entries_for_answer(s: Session, answer_id: str) -> tuple[Entry, ...]:
    """The entries with a transfer for this answer, oldest first."""
    seqs = select(TransferRow.entry_seq).where(TransferRow.answer_id == answer_id)
    rows = select(EntryRow).where(EntryRow.seq.in_(seqs)).order_by(EntryRow.seq)
    return load_entries(s, s.scalars(rows).all())


def load_entries(s: Session, rows: Sequence[EntryRow]) -> tuple[Entry, ...]:
    """The entries of these rows, in this order, with all their transfers in one query."""
    debit, credit = aliased(AccountRow), aliased(AccountRow)
    query = (
        select(TransferRow.entry_seq, debit.code, credit.code, *_FACTS)
        .join(debit, TransferRow.debit_account_id == debit.id)
        .join(credit, TransferRow.credit_account_id == credit.id)
        .where(TransferRow.entry_seq.in_([row.seq for row in rows]))
        .order_by(TransferRow.entry_seq, TransferRow.position)
    )
    transfers: defaultdict[int, list[Transfer]] = defaultdict(list)
    for seq, *values in s.connection().execute(query):
        transfers[seq].append(Transfer(*values))
    return tuple(
        Entry(
            seq=row.seq,
            key=row.key,
            prev_hash=row.prev_hash,
            hash=row.hash,
            period_id=row.period_id,
            policy_version=row.policy_version,
            created_us=row.created_us,
            transfers=tuple(transfers[row.seq]),
            reverses=row.reverses,
            corrects=row.corrects,
            memo=row.memo,
        )
        for row in rows
    )


def open_period(s: Session) -> Period:
    """The period that postings go to. NotFound: none is open."""
    return _period(s, PeriodRow.state == "OPEN", "open ledger period")


def get_period(s: Session, period_id: int) -> Period:
    """The period with this id. NotFound: there is none."""
    return _period(s, PeriodRow.id == period_id, f"ledger period {period_id}")


def get_policy(s: Session, version: int | None = None) -> tuple[int, dict[str, Any]]:
    """A policy's version and body, by default the newest. NotFound: there is none."""
    query = select(PolicyRow).order_by(PolicyRow.version.desc()).limit(1)
    row = s.scalar(query if version is None else query.where(PolicyRow.version == version))
    if row is None:
        raise NotFound(f"there is no policy {'' if version is None else version}".rstrip())
    return row.version, row.body


def balance(s: Session, code: str, *, before_period: int | None = None) -> int:
    """Micro-credits in an account, of all periods or of those before one. NotFound: no account."""
    return total_micro(s, _account_id(s, code), before_period=before_period)


def find_balance(s: Session, code: str) -> int:
    """Micro-credits in an account; 0 where no money ever moved, so that there is none."""
    account_id = s.scalar(select(AccountRow.id).where(AccountRow.code == code))
    return 0 if account_id is None else total_micro(s, account_id)


def lines(s: Session, code: str, period_id: int | None = None) -> tuple[Line, ...]:
    """An account's lines in booking order, of all periods or of one. NotFound: no account."""
    account_id = _account_id(s, code)
    credited = TransferRow.credit_account_id == account_id
    other = case((credited, TransferRow.debit_account_id), else_=TransferRow.credit_account_id)
    signed = case((credited, TransferRow.amount_micro), else_=-TransferRow.amount_micro)
    place = (EntryRow.seq, EntryRow.key, EntryRow.period_id, EntryRow.created_us)
    query = (
        select(*place, AccountRow.code, signed, *_FACTS[1:])
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .join(AccountRow, AccountRow.id == other)
        .where(or_(credited, TransferRow.debit_account_id == account_id))
        .order_by(EntryRow.seq, TransferRow.position)
    )
    if period_id is not None:
        query = query.where(EntryRow.period_id == period_id)
    return tuple(Line(*row) for row in s.execute(query))


_ENTRIES = EntryRow.__table__
_SEQ_OF = select(_ENTRIES.c.seq).where(_ENTRIES.c.key == bindparam("key"))

# The columns of a transfer that are facts of its own, in the order of the records' fields.
_FACTS: tuple[InstrumentedAttribute[Any], ...] = (
    TransferRow.amount_micro,
    TransferRow.reason,
    TransferRow.answer_id,
    TransferRow.statement_id,
    TransferRow.author_id,
    TransferRow.share_ppb,
    TransferRow.line,
)


def _account_id(s: Session, code: str) -> int:
    account_id = s.scalar(select(AccountRow.id).where(AccountRow.code == code))
    if account_id is None:
        raise NotFound(f"there is no account {code}")
    return account_id


def _period(s: Session, condition: ColumnElement[bool], name: str) -> Period:
    row = s.scalar(select(PeriodRow).where(condition))
    if row is None:
        raise NotFound(f"there is no {name}")
    return Period(row.id, row.state, row.opened_us, row.closed_us)
