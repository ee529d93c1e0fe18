"""Policies by two admins: one proposes the whole body of the next version, another approves it.

Nothing here is retroactive: an answer keeps the version that it was given under.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from store import acts
from store.clock import now_us
from store.errors import BadInput, NotFound
from store.schema import PolicyProposalRow, PolicyRow
from store.text import admin_name, normalise


@dataclass(frozen=True)
class StoredPolicy:
    """A version as it is stored; version 1 came with the ledger and was proposed by nobody."""

    version: int
    body: dict[str, Any]
    created_us: int
    proposal_id: int | None
    proposed_by: str | None
    approved_by: str | None


@dataclass(frozen=True)
class Proposal:
    """A proposed body. `base` is the version that was the newest then, `version` the one that it
    became; `state` is open, approved, or stale: another version came first.
    """

    id: int
    body: dict[str, Any]
    proposed_by: str
    created_us: int
    base: int
    version: int | None
    state: str


def get_policy_version(
    s: Session, version: int | None = None, *, before_us: int | None = None
) -> StoredPolicy:
    """A stored version, by default the newest, or the newest that was there before a time.

    NotFound: there is none.
    """
    query = select(PolicyRow).order_by(PolicyRow.version.desc()).limit(1)
    if before_us is not None:
        query = query.where(or_(PolicyRow.created_us < before_us, PolicyRow.version == 1))
    row = s.scalar(query if version is None else query.where(PolicyRow.version == version))
    if row is None:
        raise NotFound(f"there is no policy {'' if version is None else version}".rstrip())
    return StoredPolicy(
        version=row.version,
        body=row.body,
        created_us=row.created_us,
        proposal_id=row.proposal_id,
        proposed_by=row.proposed_by,
        approved_by=row.approved_by,
    )


def propose(s: Session, body: Mapping[str, Any], by: str) -> int:
    """Store a body that an admin proposes; returns the proposal's id.

    The caller has checked the body. BadInput: `by` is no name.
    """
    row = PolicyProposalRow(body=dict(body), proposed_by=admin_name(by), created_us=_later(s))
    s.add(row)
    s.flush()
    acts.record(s, PolicyProposalRow, [(row.id,)])
    return row.id


def approve(s: Session, proposal_id: int, by: str) -> int:
    """Make a proposal the next version, from now on; returns the version.

    Writing transactions come one after the other, so of two approvals the second is refused.
    NotFound: no such proposal. BadInput: it was approved before, another version came after it, or
    who approves it is who proposed it.
    """
    proposal, admin = get_proposal(s, proposal_id), admin_name(by)
    if proposal.state == "approved":
        raise BadInput(
            f"proposal {proposal_id} is approved already: it is policy {proposal.version}"
        )
    if proposal.state == "stale":
        raise BadInput(
            f"proposal {proposal_id} changes policy {proposal.base}, which is no longer the newest:"
            " propose it again"
        )
    if normalise(admin) == normalise(proposal.proposed_by):
        raise BadInput(f"{admin} proposed this policy: another admin must approve it")
    row = PolicyRow(
        version=proposal.base + 1,
        body=proposal.body,
        created_us=_later(s),
        proposal_id=proposal.id,
        proposed_by=proposal.proposed_by,
        approved_by=admin,
    )
    s.add(row)
    acts.record(s, PolicyRow, [(row.version,)])
    return row.version


def get_proposal(s: Session, proposal_id: int) -> Proposal:
    """The proposal with this id. NotFound: there is none."""
    for proposal in _proposals(s, _PROPOSALS.where(PolicyProposalRow.id == proposal_id)):
        return proposal
    raise NotFound(f"there is no policy proposal {proposal_id}")


def list_proposals(s: Session) -> tuple[Proposal, ...]:
    """All proposals, oldest first."""
    return _proposals(s, _PROPOSALS.order_by(PolicyProposalRow.id))


# A proposal changes the newest version of its time; `_later` keeps the two kinds of rows in order.
_BASE = (
    select(func.max(PolicyRow.version))
    .where(PolicyRow.created_us <= PolicyProposalRow.created_us)
    .correlate(PolicyProposalRow)
    .scalar_subquery()
)
_BECAME = (
    select(PolicyRow.version)
    .where(PolicyRow.proposal_id == PolicyProposalRow.id)
    .correlate(PolicyProposalRow)
    .scalar_subquery()
)
_PROPOSALS = select(PolicyProposalRow, _BASE, _BECAME)


def _proposals(s: Session, query: Select[Any]) -> tuple[Proposal, ...]:
    newest = s.scalar(select(func.max(PolicyRow.version)))
    return tuple(
        Proposal(
            id=row.id,
            body=row.body,
            proposed_by=row.proposed_by,
            created_us=row.created_us,
            base=base,
            version=version,
            state="approved" if version else "open" if base == newest else "stale",
        )
        for row, base, version in s.execute(query)
    )


def _later(s: Session) -> int:
    """Now, or just after the newest policy and proposal where the clock was set back."""
    stored = (s.scalar(select(func.max(t.created_us))) for t in (PolicyRow, PolicyProposalRow))
    times: list[int] = [time + 1 for time in stored if time is not None]
    return max(now_us(), *times)
