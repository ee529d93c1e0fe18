"""What an undone decision leaves where it is: money earned while the decision stood."""

from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session, aliased

from store.identities.decisions import Decision
from store.identities.money import RESERVE, holder_of
from store.ledger.keys import distribution_key_of
from store.resolution import ids_of, resolution_of
from store.schema import (
    AccountRow,
    ContextRow,
    EntryRow,
    OccurrenceRow,
    OccurrenceShareRow,
    TransferRow,
)


def earned_micro(s: Session, undo: Decision, undone: Decision) -> int:
    """Micro-credits that the author of an undone merge or split was credited while it stood, and
    still has or is held for them, for what another author says since the undo.

    What was refunded, or a dispute took, is left out. Of what both say, the other's part counts.
    """
    sums: dict[int, int] = {}
    ppm: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    rows = list(_credited(s, undone))
    ids = {author_id for _, _, author_id, _, _ in rows}
    before, now = (resolution_of(s, ids, until=until) for until in (undo.id - 1, None))
    for occurrence_id, work_id, author_id, share_ppm, micro in rows:
        sums[occurrence_id] = micro
        if before.author(author_id, work_id) == undone.subject:
            is_other = now.author(author_id, work_id) != undone.subject
            ppm[occurrence_id][is_other] += share_ppm
    total_micro = 0
    for occurrence_id, (theirs, other) in ppm.items():
        total_micro += max(0, sums[occurrence_id]) * other // (theirs + other)
    return total_micro


def _credited(s: Session, undone: Decision) -> Iterator[tuple[int, str, str, int, int]]:
    """For each share of an occurrence by the other author, and those beside it: the occurrence, its
    work, the author, the ppm, and what the author of the decision has of it in micro-credits.
    """
    holder_id = holder_of(s, undone.subject)
    codes = (f"holder:{holder_id}", f"owed:{holder_id}", RESERVE)
    accounts = select(AccountRow.id).where(AccountRow.code.in_(codes)).scalar_subquery()
    comes, goes = (
        case((side.in_(accounts), TransferRow.amount_micro), else_=0)
        for side in (TransferRow.credit_account_id, TransferRow.debit_account_id)
    )
    others = aliased(OccurrenceShareRow)
    is_others = select(others.author_id).where(
        others.occurrence_id == ContextRow.occurrence_id,
        others.author_id.in_(ids_of(s, undone.author_id)),
    )
    context = and_(
        ContextRow.answer_id == TransferRow.answer_id,
        ContextRow.statement_id == TransferRow.statement_id,
    )
    sums = (
        select(ContextRow.occurrence_id, func.sum(comes - goes).label("micro"))
        .join(TransferRow, context)
        # What an earlier merge of the two left here was earned before; its own undo told it.
        .join(EntryRow, EntryRow.key == distribution_key_of(ContextRow.answer_id))
        .where(EntryRow.created_us >= undone.created_us)
        .where(TransferRow.author_id == undone.subject, is_others.exists())
        .group_by(ContextRow.occurrence_id)
        .subquery()
    )
    share = OccurrenceShareRow
    query = (
        select(OccurrenceRow.id, OccurrenceRow.work_id, share.author_id, share.ppm, sums.c.micro)
        .join(sums, sums.c.occurrence_id == OccurrenceRow.id)
        .join(share, share.occurrence_id == OccurrenceRow.id)
    )
    for occurrence_id, work_id, author_id, ppm, micro in s.execute(query):
        yield occurrence_id, work_id, author_id, ppm, int(micro)
