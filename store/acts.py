"""Acts: who proposed, approved, disputed, paid, audited or closed what, each chained to the last.

No entry of the ledger says that. The rows that do are recorded here as they are written, in the
same transaction: a hash over everything that a row says, and over the hash of the act before.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Table, func, insert, select, tuple_
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from store.chain import GENESIS, Leaf, act_body, act_hash, build_leaf, canonical_text
from store.records.ledger import Difference
from store.schema import (
    ActRow,
    AuditRow,
    AuthorDecisionRow,
    AuthorDecisionWorkRow,
    Base,
    CommonKnowledgeRow,
    DisputeClosingRow,
    DisputeRow,
    ErasureRow,
    PayoutBatchRow,
    PayoutEventRow,
    PayoutFileRow,
    PayoutRow,
    PeriodRow,
    PolicyProposalRow,
    PolicyRow,
    SigningKeyRow,
)

_BATCH = 500
#: Tables whose rows are acts.
RECORDED: tuple[type[Base], ...] = (
    AuditRow,
    AuthorDecisionRow,
    AuthorDecisionWorkRow,
    CommonKnowledgeRow,
    DisputeClosingRow,
    DisputeRow,
    ErasureRow,
    PayoutBatchRow,
    PayoutEventRow,
    PayoutFileRow,
    PayoutRow,
    PeriodRow,
    PolicyProposalRow,
    PolicyRow,
    SigningKeyRow,
)
_TABLES = {row.__tablename__: Base.metadata.tables[row.__tablename__] for row in RECORDED}

#: The values of a row's primary key.
Key = Sequence[str | int]


def record(s: Session, row: type[Base], keys: Sequence[Key]) -> None:
    """Record rows that were just written, or, of periods, closed; they never change again."""
    s.flush()
    last = s.execute(select(ActRow.seq, ActRow.hash).order_by(ActRow.seq.desc()).limit(1)).first()
    last_seq, prev_hash = last or (0, GENESIS)
    table = _TABLES[row.__tablename__]
    found = _rows(s, table, keys)
    acts = []
    for seq, key in enumerate(keys, start=last_seq + 1):
        digest = act_hash(prev_hash, act_body(seq, table.name, found[_text(key)]))
        act = {"seq": seq, "table_name": table.name, "row_key": _text(key)}
        acts.append(act | {"prev_hash": prev_hash, "hash": digest})
        prev_hash = digest
    if acts:
        s.execute(insert(ActRow), acts)


def count_acts(s: Session) -> int:
    """How many acts there are, which is the number of the last."""
    return s.scalar(select(func.max(ActRow.seq))) or 0


def read_acts(s: Session, up_to_seq: int) -> Iterator[Leaf]:
    """Exactly one leaf for each of the acts 1..`up_to_seq`, whole or not, in this order.

    An act that is not there, or whose row is not, has 32 zero bytes.
    """
    last_hash = GENESIS
    for first in range(1, up_to_seq + 1, _BATCH):
        seqs = range(first, min(first + _BATCH, up_to_seq + 1))
        found = _acts(s, seqs)
        for seq in seqs:
            if seq not in found:
                yield Leaf(seq, f"act {seq}", bytes(32), "it is not there or cannot be read")
                last_hash = ""
                continue
            act, row = found[seq]
            name = f"{act.table_name} {act.row_key}"
            if row is None:
                yield Leaf(seq, name, bytes(32), "its row is not there")
            else:
                computed = act_hash(act.prev_hash, act_body(seq, act.table_name, row))
                yield build_leaf(seq, name, computed, act.hash, (act.prev_hash, last_hash))
            last_hash = act.hash


def stored_acts(s: Session) -> Iterator[bytes]:
    """The leaves of all acts as their stored hashes say, without computing any again."""
    hashes = s.scalars(select(ActRow.hash).order_by(ActRow.seq))
    return (bytes.fromhex(each) for each in hashes)


def act_differences(s: Session) -> Iterator[Difference]:
    """Every row is what was recorded, none is lost, and none was never recorded."""
    for leaf in read_acts(s, count_acts(s)):
        if leaf.fault:
            yield Difference("act_differs", leaf.key, leaf.fault)
    named = select(ActRow.table_name, func.count()).group_by(ActRow.table_name)
    recorded = Counter(dict(s.execute(named).all()))
    for name, table in _TABLES.items():
        rows = select(func.count()).select_from(table)
        if table is PeriodRow.__table__:  # the others still change
            rows = rows.where(PeriodRow.state == "CLOSED")
        if (there := s.scalar(rows) or 0) != recorded[name]:
            message = f"{there} rows are there, {recorded[name]} were recorded"
            yield Difference("act_differs", name, message)


def _acts(s: Session, seqs: range) -> dict[int, tuple[ActRow, Mapping[str, Any] | None]]:
    """These acts and the row of each; damage can make all of them unreadable."""
    try:
        acts = s.scalars(select(ActRow).where(ActRow.seq.between(seqs[0], seqs[-1]))).all()
        rows: dict[str, dict[str, Mapping[str, Any]]] = {}
        for name in {act.table_name for act in acts}:
            keys = [json.loads(act.row_key) for act in acts if act.table_name == name]
            rows[name] = _rows(s, _TABLES[name], keys)
        return {act.seq: (act, rows[act.table_name].get(act.row_key)) for act in acts}
    except (DBAPIError, LookupError, TypeError, ValueError):
        return {}


def _rows(s: Session, table: Table, keys: Sequence[Key]) -> dict[str, Mapping[str, Any]]:
    """The rows with these keys, by the text of the key."""
    place = tuple_(*table.primary_key)
    found: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(keys), _BATCH):
        some = [tuple(key) for key in keys[start : start + _BATCH]]
        for row in s.execute(select(table).where(place.in_(some))).mappings():
            found[_text([row[column.name] for column in table.primary_key])] = dict(row)
    return found


def _text(key: Key) -> str:
    return canonical_text(list(key)).decode()
