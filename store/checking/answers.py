"""Answers, their final attributions, and the entries that these call for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from store.answers import load_answers, load_final_attributions
from store.checking.batches import batches
from store.errors import NotFound
from store.ledger.keys import distributed_answer, distribution_key, distribution_key_of
from store.records.answers import Answer, Attribution
from store.records.ledger import Difference, Entry, Transfer
from store.records.rights import Holdings
from store.rights import Grant, grants_of
from store.schema import AnswerRow, EntryRow, GrantRow, OccurrenceRow
from store.validation import answer_problems, attribution_problems


@dataclass(frozen=True)
class Derived:
    """What follows from a final attribution: its transfers, from the holdings kept with it."""

    holdings: Holdings
    transfers: tuple[Transfer, ...]


Derive = Callable[[Answer, Attribution], Derived]


def posted_differences(
    s: Session, entries: Sequence[Entry], derive: Derive
) -> Iterator[Difference]:
    """Each entry of an answer is what the answer's final attribution calls for."""
    uncalled = {entry.key: entry for entry in entries if entry.key.startswith("answer:")}
    ids = [distributed_answer(key) for key in uncalled]
    found = list(_answers(s, ids))
    granted = _granted(s, [answer for answer, _ in found])
    for answer, attribution in found:
        yield from _rules(answer, attribution)
        if attribution is not None and answer.fee_micro:
            entry = uncalled.pop(distribution_key(answer.id), None)
            yield from _distribution(answer, attribution, entry, derive, granted)
    for key in uncalled:
        message = "no final attribution of a paid answer calls for it"
        yield Difference("entry_uncalled", key, message)


def unposted_differences(s: Session, derive: Derive) -> Iterator[Difference]:
    """Answers without an entry are free, or not final yet."""
    unposted = ~exists().where(EntryRow.key == distribution_key_of(AnswerRow.id))
    for ids in batches(s, AnswerRow.id, unposted):
        for answer, attribution in _answers(s, ids):
            yield from _rules(answer, attribution)
            if attribution is not None:
                yield from _distribution(answer, attribution, None, derive, {})


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
    derive: Derive,
    granted: Mapping[int, Sequence[Grant]],
) -> Iterator[Difference]:
    try:
        expected = derive(answer, attribution)
    except (ValueError, NotFound) as error:
        yield Difference("underivable", answer.id, str(error))
        return
    if expected.transfers and entry is None:
        yield Difference("entry_missing", answer.id, f"{answer.fee_micro} were never posted")
    if entry is None:
        return
    posted_micro = sum(transfer.amount_micro for transfer in entry.transfers)
    if posted_micro != answer.fee_micro:
        message = f"posted {posted_micro}, the fee is {answer.fee_micro}"
        yield Difference("sum_differs", entry.key, message)
    if expected.holdings.grants != _in_force(answer, entry, granted):
        yield Difference("grants_differ", answer.id, "its holdings are not the grants of its works")
    said = (entry.transfers, entry.policy_version, entry.reverses, entry.corrects, entry.memo)
    if said != (expected.transfers, answer.policy_version, None, None, None):
        yield Difference("transfers_differ", entry.key, "the attribution calls for others")


def _granted(s: Session, answers: Sequence[Answer]) -> dict[int, tuple[Grant, ...]]:
    """All grants of the works that these answers' statements stand in, by occurrence."""
    places = {entry.occurrence_id for answer in answers for entry in answer.context}
    work_of = dict(
        s.execute(
            select(OccurrenceRow.id, OccurrenceRow.work_id).where(
                OccurrenceRow.id.in_(places - {None}),
                exists().where(GrantRow.work_id == OccurrenceRow.work_id),
            )
        ).all()
    )
    grants = grants_of(s, set(work_of.values())) if work_of else {}
    return {place: grants[work_id] for place, work_id in work_of.items()}


def _in_force(
    answer: Answer, entry: Entry, granted: Mapping[int, Sequence[Grant]]
) -> dict[int, tuple[tuple[str, int], ...]]:
    """By statement the grants that were in force for the answer and there when it was posted."""
    if not granted:
        return {}
    parts = {
        each.statement_id: tuple(
            sorted(
                (grant.holder_id, grant.ppm)
                for grant in granted.get(each.occurrence_id or 0, ())
                if grant.ppm
                and grant.created_us <= entry.created_us
                and grant.in_force(answer.created_us)
            )
        )
        for each in answer.context
    }
    return {statement_id: found for statement_id, found in parts.items() if found}
