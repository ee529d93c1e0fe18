"""Opening a dispute: what remains of a line moves into the disputed reserve."""

import secrets

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store import acts, ledger
from store.disputes.reading import RESERVE, Dispute, find_open, get_dispute
from store.errors import BadInput, NotFound
from store.ledger.corrections import taken_micro
from store.ledger.posting import Correction
from store.records.ledger import Entry, Transfer
from store.schema import ContextRow, DisputeRow, OccurrenceRow
from store.text import admin_name, said

#: Reasons of lines that credit somebody for a statement, so that another can claim them.
_CREDITING = (
    *("share", "grant", "unclaimed", "erased", "unresolved", "unsure"),
    *("dispute_back", "dispute_on", "claim"),
)


def open_dispute(
    s: Session,
    entry_key: str,
    line: int,
    *,
    by: str,
    claimant_id: str | None,
    ground: str,
    now_us: int,
    keep_back: bool,
) -> Dispute:
    """Open a dispute about a line: what remains of it waits in the disputed reserve.

    What the line's holder no longer has is owed by the holder. With `keep_back` the occurrence that
    the line pays for is marked, so that money for it from later answers waits too.
    NotFound: no such entry or line. BadInput: the line credits nobody, nothing of it remains, it is
    disputed already, there is nothing to keep back, or `by` or `ground` says nothing.
    """
    by, ground = admin_name(by), said(ground, "its ground")
    entry = ledger.get_entry(s, entry_key)
    _require_disputable(s, entry, line)
    left_micro = ledger.remaining(s, entry_key)[line]
    if left_micro <= 0:
        raise BadInput(f"nothing remains of line {line} of {entry_key}: it was taken back")
    row = DisputeRow(
        id=f"d{secrets.token_hex(8)}",
        entry_key=entry_key,
        line=line,
        occurrence_id=_keep_back(s, entry.transfers[line]) if keep_back else None,
        claimant_id=claimant_id,
        ground=ground,
        opened_by=by,
        created_us=now_us,
    )
    s.add(row)
    acts.record(s, DisputeRow, [(row.id,)])
    _post(s, entry, row, left_micro)
    return get_dispute(s, row.id)


def _post(s: Session, entry: Entry, row: DisputeRow, amount_micro: int) -> None:
    original = entry.transfers[row.line]
    moved = ledger.take_back(
        s,
        original.credit,
        RESERVE,
        amount_micro,
        "dispute_open",
        answer_id=original.answer_id,
        statement_id=original.statement_id,
        author_id=original.author_id,
        share_ppb=original.share_ppb,
        line=row.line,
    )
    ledger.post(
        s,
        f"dispute:{row.id}:open",
        moved,
        policy_version=entry.policy_version,
        now_us=row.created_us,
        of=Correction(corrects=entry.key),
    )


def _require_disputable(s: Session, entry: Entry, line: int) -> None:
    """Credit that a line gave back is part of the line that it went back to: dispute that one."""
    if not 0 <= line < len(entry.transfers):
        last = len(entry.transfers) - 1
        raise NotFound(f"{entry.key} has no line {line}: its lines are 0 to {last}")
    where, transfer = f"line {line} of {entry.key}", entry.transfers[line]
    same_line = (DisputeRow.entry_key == entry.key, DisputeRow.line == line)
    if found := find_open(s, *same_line):
        raise BadInput(f"{where} is disputed already, by dispute {found.id}")
    if transfer.credit == RESERVE:
        raise BadInput(f"{where} waits in {RESERVE} already: close the dispute that keeps it")
    if transfer.reason not in _CREDITING:
        raise BadInput(f"{where} credits nobody for a statement ({transfer.reason})")
    if entry.corrects is not None and transfer.line is not None:
        before = ledger.get_entry(s, entry.corrects).transfers[transfer.line]
        if taken_micro(transfer, before) < 0:
            raise BadInput(f"{where} gave back line {transfer.line} of {entry.corrects}: name that")


def _keep_back(s: Session, transfer: Transfer) -> int:
    """Mark the occurrence that a line pays for; one dispute at a time keeps its money back."""
    occurrence_id = s.scalar(
        select(ContextRow.occurrence_id).where(
            ContextRow.answer_id == transfer.answer_id,
            ContextRow.statement_id == transfer.statement_id,
        )
    )
    if occurrence_id is None:
        raise BadInput("the line names no occurrence, so nothing can be kept back")
    if found := find_open(s, DisputeRow.occurrence_id == occurrence_id):
        raise BadInput(f"dispute {found.id} keeps its later money back already")
    s.execute(update(OccurrenceRow).where(OccurrenceRow.id == occurrence_id).values(disputed=True))
    return occurrence_id
