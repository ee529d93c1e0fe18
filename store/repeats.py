"""What an asker paid for already by asking the same question before."""

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.orm import Session, aliased

from store.ledger.keys import distribution_key_of
from store.records.answers import Answer
from store.schema import AnswerRow, EntryRow, TransferRow
from store.text import normalise

#: Reasons of the lines that pay a statement to whoever it belongs to.
PAID = ("share", "grant", "unclaimed", "disputed", "erased", "unresolved", "unsure")


def repeated_statements(s: Session, answer: Answer, window_s: int) -> frozenset[int]:
    """Those of the answer's statements that this asker paid for when asking the same before.

    Questions are the same when their normalised texts are. Before is earlier by (created_us, id),
    at most `window_s` seconds ago (0: never), so that settling again finds the same. What was given
    back whole by a reversal was not paid.
    """
    if window_s == 0:
        return frozenset()
    reversal = aliased(EntryRow)
    paid = (
        select(AnswerRow.question, TransferRow.statement_id)
        .join(TransferRow, TransferRow.answer_id == AnswerRow.id)
        .join(EntryRow, EntryRow.seq == TransferRow.entry_seq)
        .where(
            AnswerRow.asker_id == answer.asker_id,
            AnswerRow.created_us >= answer.created_us - window_s * 1_000_000,
            or_(
                AnswerRow.created_us < answer.created_us,
                and_(AnswerRow.created_us == answer.created_us, AnswerRow.id < answer.id),
            ),
            EntryRow.key == distribution_key_of(AnswerRow.id),
            TransferRow.statement_id.in_([entry.statement_id for entry in answer.context]),
            TransferRow.reason.in_(PAID),
            ~exists().where(reversal.reverses == EntryRow.key),
        )
        .distinct()
    )
    question = normalise(answer.question)
    found = s.execute(paid).all()
    return frozenset(i for text, i in found if i is not None and normalise(text) == question)
