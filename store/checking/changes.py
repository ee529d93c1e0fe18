"""What later entries did to an entry: no line gives more than remained of it, and what is derived
from the line is derived again.
"""

import json
from collections.abc import Iterator, Sequence

from store.ledger.corrections import taken_micro
from store.ledger.holds import TIMEOUT, expiry_of
from store.records.ledger import Difference, Entry, Transfer
from store.split import split


def change_differences(entry: Entry, changes: Sequence[Entry]) -> Iterator[Difference]:
    """Differences of the entries that reverse or correct this one, in the order of the chain."""
    left = [transfer.amount_micro for transfer in entry.transfers]
    ended = 0
    for change in changes:
        before = list(left)
        if problem := _take(entry, change, left):
            yield Difference("change_differs", change.key, problem)
        if any(part < 0 for part in left):
            yield Difference("overtaken", change.key, f"more than remained of {entry.key}")
        if problem := _problem(entry, change, before, left):
            yield Difference("change_differs", change.key, problem)
        ended += entry.key.startswith("hold:")
        if ended > 1 or sum(c.reverses is not None for c in changes) > 1:
            yield Difference("ended_twice", change.key, f"{entry.key} was ended before")


def _take(entry: Entry, change: Entry, left: list[int]) -> str | None:
    """Count what a change takes from each line; what is wrong with the lines that it names."""
    if change.seq <= entry.seq:
        return f"it comes before {entry.key}"
    for transfer in change.transfers:
        if transfer.line is None:
            continue
        if not 0 <= transfer.line < len(left):
            return f"{entry.key} has no line {transfer.line}"
        original = entry.transfers[transfer.line]
        if _about(transfer) != _about(original):
            return f"it is not about what line {transfer.line} of {entry.key} is about"
        left[transfer.line] -= taken_micro(transfer, original)
    return None


def _about(transfer: Transfer) -> tuple[str | None, int | None]:
    return transfer.answer_id, transfer.statement_id


def _problem(entry: Entry, change: Entry, before: list[int], left: list[int]) -> str | None:
    """What a change of its kind must do and does not."""
    taken = [was - now for was, now in zip(before, left, strict=True)]
    kind = change.key.partition(":")[0]
    if change.policy_version != entry.policy_version:
        return "it has another policy"
    if kind not in ("reversal", "refund", "hold"):
        return None  # the rows of disputes and payouts say what is in it
    if kind == "hold":
        return _end_problem(entry, change, taken)
    if not _goes_back(entry, change):
        return "its money does not go back where it came from"
    if kind == "refund" and sum(taken) > 0 and min(before) >= 0:
        weights = [(str(line), part) for line, part in enumerate(before)]
        before = list(split(sum(taken), weights, change.key).values())
    return None if taken == before else "what remained calls for other amounts"


def _goes_back(entry: Entry, change: Entry) -> bool:
    lines = [(t, None if t.line is None else entry.transfers[t.line]) for t in change.transfers]
    return all(
        line is not None
        and (t.credit, t.author_id, t.share_ppb) == (line.debit, line.author_id, line.share_ppb)
        for t, line in lines
    )


def _end_problem(hold: Entry, end: Entry, taken: list[int]) -> str | None:
    """A hold ends whole: posted before it expires, or voided line by line."""
    expires_us = expiry_of(hold)
    expired = expires_us is not None and end.created_us >= expires_us
    whole = [transfer.amount_micro for transfer in hold.transfers]
    if end.reverses is None:
        if sum(transfer.amount_micro for transfer in end.transfers) != sum(whole):
            return "it does not move the whole hold"
        return "the hold had expired" if expired else None
    if taken != whole or not _goes_back(hold, end):
        return "its lines do not go back where they came from"
    if [t.reason for t in end.transfers] != [t.reason for t in hold.transfers]:
        return "its lines have other reasons than the hold's"
    timed_out = json.loads(end.memo or "null")["reason"] == TIMEOUT
    return "the hold had not expired" if timed_out and not expired else None
