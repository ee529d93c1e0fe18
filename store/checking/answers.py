"""Answers, their final attributions, and the entries that these call for."""

from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import exists, literal
from sqlalchemy.orm import Session

from store.answers import load_answers, load_final_attributions
from store.checking.batches import batches
from store.errors import NotFound
from store.ledger.posting import distribution_key
from store.records import Answer, Attribution, Difference, Entry, Transfer
from store.schema import AnswerRow, EntryRow
from store.validation import answer_problems, attribution_problems

ExpectedTransfers = Callable[[Answer, Attribution], tuple[Transfer, ...]]


def posted_differences(
    s: Session, entries: Sequence[Entry], expected_transfers: ExpectedTransfers
) -> Iterator[Difference]:
    """Each entry of an answer is what the answer's final attribution calls for."""
    uncalled = {entry.key: entry for entry in entries if entry.key.startswith("answer:")}
    ids = [key.removeprefix("answer:").removesuffix(":dist:1") for key in uncalled]
    for answer, attribution in _answers(s, ids):
        yield from _rules(answer, attribution)
        if attribution is not None and answer.fee_micro:
            entry = uncalled.pop(distribution_key(answer.id), None)
            yield from _distribution(answer, attribution, entry, expected_transfers)
    for key in uncalled:
        message = "no final attribution of a paid answer calls for it"
        yield Difference("entry_uncalled", key, message)


def unposted_differences(s: Session, expected_transfers: ExpectedTransfers) -> Iterator[Difference]:
    """Answers without an entry are free, or not final yet."""
    key = literal("answer:") + AnswerRow.id + literal(":dist:1")
    unposted = ~exists().where(EntryRow.key == key)
    for ids in batches(s, AnswerRow.id, unposted):
        for answer, attribution in _answers(s, ids):
            yield from _rules(answer, attribution)
            if attribution is not None:
                yield from _distribution(answer, attribution, None, expected_transfers)


def _answers(s: Session, ids: Sequence[str]) -> Iterator[tuple[Answer, Attribution | None]]:
    attributions = load_final_attributions(s, ids)
    for answer in load_answers(s, ids):
        yield answer, attributions.get(answer.id)


def _rules(answer: Answer, attribution: Attribution | None) -> Iterator[Difference]:
    """Each answer and attribution keeps the rules that it was written by."""
    for problem in answer_problems(answer):
        yield Difference("answer_differs", answer.id, problem)
    if attribution is not None:
        for problem in attribution_problems(attribution, answer):
            yield Difference("attribution_differs", answer.id, problem)


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
    if entry is None:
        return
    posted_micro = sum(transfer.amount_micro for transfer in entry.transfers)
    if posted_micro != answer.fee_micro:
        message = f"posted {posted_micro}, the fee is {answer.fee_micro}"
        yield Difference("sum_differs", entry.key, message)
    said = (entry.transfers, entry.policy_version, entry.reverses, entry.corrects, entry.memo)
    if said != (expected, answer.policy_version, None, None, None):
        yield Difference("transfers_differ", entry.key, "the attribution calls for others")
