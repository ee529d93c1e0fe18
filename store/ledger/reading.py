"""Reading the ledger: entries, periods, and what is in an account."""

from collections import defaultdict
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from store.errors import NotFound
from store.ledger.totals import total_micro
from store.records.ledger import Entry, Period, Transfer
from store.records.making import made
from store.schema import AccountRow, EntryRow, PeriodRow, TransferRow


def find_entry(s: Session, key: str) -> Entry | None:
    """The entry with this natural key, or None."""
    seq = s.connection().execute(_SEQ_OF, {"key": key}).scalar()
    if seq is None:
        return None
    return load_entries(s, EntryRow.seq == seq)[0]


def get_entry(s: Session, key: str) -> Entry:
    """The entry with this natural key. NotFound: there is none."""
    entry = find_entry(s, key)
    if entry is None:
        raise NotFound(f"there is no ledger entry {key}")
    return entry


def entries_for_answer(s: Session, answer_id: str) -> tuple[Entry, ...]:
    """The entries with a transfer for this answer, oldest first."""
    seqs = select(TransferRow.entry_seq).where(TransferRow.answer_id == answer_id)
    return load_entries(s, EntryRow.seq.in_(seqs))


def load_entries(s: Session, *where: ColumnElement[bool]) -> tuple[Entry, ...]:
    """The entries that meet these conditions on EntryRow, in the order of the chain.

    All their transfers are read in one query. No row becomes an object of the session: a check of
    a long ledger is mostly this.
    """
    connection = s.connection()
    heads = connection.execute(_HEADS.where(*where)).mappings().all()
    seqs = [head["seq"] for head in heads]
    transfers: defaultdict[int, list[Transfer]] = defaultdict(list)
    for seq, *values in connection.execute(_TRANSFERS_OF, {"seqs": seqs}).all():
        transfers[seq].append(made(Transfer, _FIELDS, values))
    return tuple(Entry(**head, transfers=tuple(transfers[head["seq"]])) for head in heads)


def open_period(s: Session) -> Period:
    """The period that postings go to. NotFound: none is open."""
    for period in load_periods(s, PeriodRow.state == "OPEN"):
        return period
    raise NotFound("there is no open ledger period")


def get_period(s: Session, period_id: int) -> Period:
    """The period with this id. NotFound: there is none."""
    for period in load_periods(s, PeriodRow.id == period_id):
        return period
    raise NotFound(f"there is no ledger period {period_id}")


def load_periods(s: Session, *where: ColumnElement[bool]) -> tuple[Period, ...]:
    """The periods that meet these conditions on PeriodRow, oldest first."""
    rows = s.scalars(select(PeriodRow).where(*where).order_by(PeriodRow.id))
    return tuple(
        Period(row.id, row.state, row.opened_us, row.closed_us, row.closed_by) for row in rows
    )


def balance(s: Session, code: str, *, before_period: int | None = None) -> int:
    """Micro-credits in an account, of all periods or of those before one. NotFound: no account."""
    return total_micro(s, get_account_id(s, code), before_period=before_period)


def find_balance(s: Session, code: str) -> int:
    """Micro-credits in an account; 0 where no money ever moved, so that there is none."""
    account_id = s.scalar(select(AccountRow.id).where(AccountRow.code == code))
    return 0 if account_id is None else total_micro(s, account_id)


_ENTRIES = EntryRow.__table__
_SEQ_OF = select(_ENTRIES.c.seq).where(_ENTRIES.c.key == bindparam("key"))
_HEADS = select(
    *(_ENTRIES.c[field.name] for field in fields(Entry) if field.name != "transfers")
).order_by(_ENTRIES.c.seq)
_FIELDS = tuple(field.name for field in fields(Transfer))

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

_DEBIT, _CREDIT = aliased(AccountRow), aliased(AccountRow)
#: The transfers of some entries, with the codes of their accounts; built once, executed often.
_TRANSFERS_OF = (
    select(TransferRow.entry_seq, _DEBIT.code, _CREDIT.code, *_FACTS)
    .join(_DEBIT, TransferRow.debit_account_id == _DEBIT.id)
    .join(_CREDIT, TransferRow.credit_account_id == _CREDIT.id)
    .where(TransferRow.entry_seq.in_(bindparam("seqs", expanding=True)))
    .order_by(TransferRow.entry_seq, TransferRow.position)
)


def get_account_id(s: Session, code: str) -> int:
    """The id of the account with this code. NotFound: there is none."""
    account_id = s.scalar(select(AccountRow.id).where(AccountRow.code == code))
    if account_id is None:
        raise NotFound(f"there is no account {code}")
    return account_id
