"""The ledger recomputed from its rows: every difference is named, none is repaired."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import literal, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import InstrumentedAttribute, Session

from store.answers import load_answers, load_final_attributions
from store.chain import GENESIS, entry_body, entry_hash
from store.errors import NotFound
from store.ledger.posting import distribution_key
from store.ledger.reading import load_entries
from store.ledger.rows import accounts, payees, positions, references
from store.records import Answer, Attribution, Difference, Entry, Transfer
from store.schema import (
    AnswerRow,
    AttributionRow,
    EntryRow,
    EntrySealRow,
    TransferRow,
)
from store.validation import answer_problems, attribution_problems

ExpectedTransfers = Callable[[Answer, Attribution], tuple[Transfer, ...]]

_BATCH = 500


def check(s: Session, expected_transfers: ExpectedTransfers) -> tuple[Difference, ...]:
    """Everything that the rows contradict; empty when the books are whole.

    `expected_transfers` derives the transfers of an answer from its final attribution, () for a
    free answer; it raises ValueError or NotFound when they cannot be derived.
    """
    passes = {
        "chain": _chain(s),
        "transfers": positions(s),
        "answers": _answers(s, expected_transfers),
        "entries": _uncalled_entries(s),
        "accounts": accounts(s),
        "payees": payees(s),
        "references": references(s),
    }
    return tuple(found for name, each in passes.items() for found in _readable(name, each))


def _readable(name: str, found: Iterator[Difference]) -> Iterator[Difference]:
    """A damaged row may not even be text or a number; that too is a finding, not a crash."""
    try:
        yield from found
    except (DBAPIError, TypeError, ValueError) as error:
        yield Difference("unreadable", name, f"a row cannot be read: {error}".splitlines()[0])


def _chain(s: Session) -> Iterator[Difference]:
    """Numbers without gaps, times that ascend, each hash over its body and the hash before."""
    seq, last_hash, last_us = 0, GENESIS, -1
    for seqs in _batches(s, EntryRow.seq):
        rows = s.scalars(
            select(EntryRow).where(EntryRow.seq.in_(seqs)).order_by(EntryRow.seq)
        ).all()
        seals = select(EntrySealRow.entry_seq, EntrySealRow.transfer_count)
        seals = seals.where(EntrySealRow.entry_seq.in_(seqs))
        counts = dict(s.execute(seals).all())
        for row, entry in zip(rows, load_entries(s, rows), strict=True):
            if entry.seq != seq + 1:
                yield Difference("entry_lost", entry.key, f"entry {seq + 1} is not there")
            if entry.prev_hash != last_hash:
                yield Difference("chain_broken", entry.key, "it does not follow the entry before")
            if entry.hash != entry_hash(entry.prev_hash, entry_body(entry)):
                yield Difference("hash_differs", entry.key, "its rows are not what was posted")
            if row.seal != entry.seq or counts.get(entry.seq) != len(entry.transfers):
                yield Difference("seal_differs", entry.key, "its transfers are not all there")
            if entry.created_us <= last_us:
                yield Difference("time_differs", entry.key, "it is not later than the one before")
            seq, last_hash, last_us = entry.seq, entry.hash, entry.created_us


def _answers(s: Session, expected_transfers: ExpectedTransfers) -> Iterator[Difference]:
    """Each answer keeps its rules, and its entry is what its final attribution calls for."""
    for ids in _batches(s, AnswerRow.id):
        attributions = load_final_attributions(s, ids)
        keys = [distribution_key(answer_id) for answer_id in ids]
        rows = s.scalars(select(EntryRow).where(EntryRow.key.in_(keys))).all()
        entries = {entry.key: entry for entry in load_entries(s, rows)}
        for answer in load_answers(s, ids):
            for problem in answer_problems(answer):
                yield Difference("answer_differs", answer.id, problem)
            if attribution := attributions.get(answer.id):
                for problem in attribution_problems(attribution, answer):
                    yield Difference("attribution_differs", answer.id, problem)
                entry = entries.get(distribution_key(answer.id))
                yield from _distribution(answer, attribution, entry, expected_transfers)


def _distribution(
    answer: Answer,
    attribution: Attribution,
    entry: Entry | None,
    expected_transfers: ExpectedTransfers,
) -> Iterator[Difference]:
    try:
        expected = expected_transfers(answer, attribution)
    except (ValueError, NotFound) as error:
        yield Difference("underivable", answer.id, str(error))
        return
    if expected and entry is None:
        yield Difference("entry_missing", answer.id, f"{answer.fee_micro} were never posted")
    if entry is None or not expected:
        return
    posted_micro = sum(transfer.amount_micro for transfer in entry.transfers)
    if posted_micro != answer.fee_micro:
        message = f"posted {posted_micro}, the fee is {answer.fee_micro}"
        yield Difference("sum_differs", entry.key, message)
    if (entry.transfers, entry.policy_version) != (expected, answer.policy_version):
        yield Difference("transfers_differ", entry.key, "the attribution calls for others")


def _uncalled_entries(s: Session) -> Iterator[Difference]:
    """Every entry distributes the fee of an answer whose attribution is final."""
    called_for = (
        select(AttributionRow.answer_id)
        .join(AnswerRow, AnswerRow.id == AttributionRow.answer_id)
        .join(TransferRow, TransferRow.answer_id == AnswerRow.id)
        .where(TransferRow.entry_seq == EntryRow.seq)
        .where(EntryRow.key == literal("answer:") + AnswerRow.id + literal(":dist:1"))
        .where(AttributionRow.tier == "final", AnswerRow.fee_micro > 0)
    )
    for key in s.scalars(select(EntryRow.key).where(~called_for.exists()).order_by(EntryRow.seq)):
        yield Difference(
            "entry_uncalled", key, "no final attribution of a paid answer calls for it"
        )


def _batches(s: Session, key: InstrumentedAttribute[Any]) -> Iterator[Sequence[Any]]:
    """All values of a key in ascending order, some at a time."""
    query = select(key).order_by(key).limit(_BATCH)
    found = s.scalars(query).all()
    while found:
        yield found
        found = s.scalars(query.where(key > found[-1])).all()
