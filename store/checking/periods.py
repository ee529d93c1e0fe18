"""Periods follow each other, and every policy is what two admins agreed on."""

from collections.abc import Iterator
from itertools import pairwise

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.records.ledger import Difference
from store.schema import PeriodRow, PolicyProposalRow, PolicyRow
from store.text import normalise

#: The policy that comes with the ledger, by either rule that it has come with.
_FIRST = {
    "support_ppm": 500_000,
    "noise_floor_ppb": 0,
    "unattributed": "reserve:unattributed",
    "cluster_rule": "first",
}
_FIRST_RULES = ("used-and-supported/1", "used-and-supported/2")


def period_differences(s: Session) -> Iterator[Difference]:
    """Closed periods, perhaps one that is closing, and at the end the only one that is open."""
    rows = s.scalars(select(PeriodRow).order_by(PeriodRow.id)).all()
    states = [row.state for row in rows]
    before_the_open = states[:-1][-1:] == ["CLOSING"]
    expected = ["CLOSED"] * (len(rows) - 1 - before_the_open) + ["CLOSING"] * before_the_open
    if states != [*expected, "OPEN"]:
        yield Difference("period_differs", "periods", f"they are {', '.join(states)}")
    for row in rows:
        ended = (row.closed_by is not None, row.closed_us is not None)
        if ended != (row.state != "OPEN", row.state == "CLOSED"):
            yield Difference("period_differs", f"period {row.id}", f"{row.state} has another end")
        if row.closed_us is not None and row.closed_us < row.opened_us:
            yield Difference("period_differs", f"period {row.id}", "it was closed before it opened")
    for before, after in pairwise(rows):
        if after.opened_us < before.opened_us:
            yield Difference("period_differs", f"period {after.id}", "it opened before the last")
        if before.closed_us not in (None, after.opened_us):
            yield Difference("period_differs", f"period {after.id}", "it opened at another time")


def policy_differences(s: Session) -> Iterator[Difference]:
    """Versions count up; each after the first was proposed by one admin, approved by another."""
    query = select(PolicyRow, PolicyProposalRow).order_by(PolicyRow.version)
    joined = PolicyProposalRow.id == PolicyRow.proposal_id
    before_us = 0
    rows = s.execute(query.outerjoin(PolicyProposalRow, joined)).all()
    for version, (policy, proposal) in enumerate(rows, start=1):
        name = f"policy {policy.version}"
        if policy.version != version:
            yield Difference("policy_differs", name, f"version {version} is not there")
        if policy.created_us < before_us:
            yield Difference("policy_differs", name, "it is older than the version before")
        before_us = policy.created_us
        if problem := _policy_problem(policy, proposal):
            yield Difference("policy_differs", name, problem)


def _policy_problem(policy: PolicyRow, proposal: PolicyProposalRow | None) -> str | None:
    admins = (policy.proposed_by, policy.approved_by)
    if policy.version == 1:
        came = [_FIRST | {"rule": rule} for rule in _FIRST_RULES]
        is_first = policy.body in came and (policy.proposal_id, *admins) == (None, None, None)
        return None if is_first else "it is not the one that came first"
    if proposal is None:
        return "nobody proposed it"
    if (proposal.body, proposal.proposed_by) != (policy.body, policy.proposed_by):
        return "it is not what was proposed"
    proposer, approver = (normalise(admin or "") for admin in admins)
    if not (proposer and approver) or proposer == approver:  # as they are compared at approval
        return "no second admin approved it"
    if proposal.created_us > policy.created_us:
        return "it was approved before it was proposed"
    return None
