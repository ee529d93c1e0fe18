"""Policies: an admin proposes what changes, another approves it, and every change is shown."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from haozhi.accounting.policy import FIELDS, Policy, policy_from_body
from store import policies
from store.engine import Engine, Session, read, write
from store.errors import BadInput
from store.policies import Proposal, StoredPolicy

#: How a TOML file, which has no null, switches an optional field off.
NONE = "none"
MOST_BYTES = 100_000


@dataclass(frozen=True)
class Change:
    """What a field, or an entry of its table (`payout_minor_per_credit.EUR`), becomes.

    None is off for a field, and not there for an entry.
    """

    name: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Proposed:
    """A proposal and what it changes in the version it was made for."""

    proposal: Proposal
    changes: tuple[Change, ...]


def policy_of(s: Session, version: int | None = None, *, before_us: int | None = None) -> Policy:
    """A version as it acts, by default the newest, or the newest that was there before a time.

    NotFound: there is none. ValueError: this program cannot apply it.
    """
    stored = policies.get_policy_version(s, version, before_us=before_us)
    return policy_from_body(stored.version, stored.body)


def get_policy(engine: Engine, version: int | None = None) -> tuple[StoredPolicy, Policy]:
    """A version as it is stored and as it acts, by default the newest. NotFound: there is none."""
    with read(engine) as session:
        stored = policies.get_policy_version(session, version)
    return stored, _readable(stored.version, stored.body)


def propose(engine: Engine, changes: Mapping[str, Any], by: str) -> Proposed:
    """Propose the newest policy with these fields changed; a table is replaced whole.

    BadInput: a field that there is not or that may not be so, nothing that changes, no name.
    """
    with write(engine) as session:
        newest = policies.get_policy_version(session)
        body = _readable(newest.version, newest.body).to_body()
        after = _readable(newest.version + 1, body | dict(changes)).to_body()
        if after == body:
            raise BadInput(f"nothing changes: policy {newest.version} says the same")
        proposal_id = policies.propose(session, after, by)
        return _with_changes(session, policies.get_proposal(session, proposal_id))


def approve(engine: Engine, proposal_id: int, by: str) -> Proposed:
    """Make a proposal the next version, for the answers given from now on.

    NotFound: no such proposal. BadInput: as `store.policies.approve`, or a body that this program
    cannot apply.
    """
    with write(engine) as session:
        proposal = policies.get_proposal(session, proposal_id)
        _readable(proposal.base + 1, proposal.body)
        policies.approve(session, proposal_id, by)
        return _with_changes(session, policies.get_proposal(session, proposal_id))


def list_proposals(engine: Engine) -> tuple[Proposed, ...]:
    """All proposals with what they change, oldest first."""
    with read(engine) as session:
        return tuple(_with_changes(session, each) for each in policies.list_proposals(session))


def load_changes(path: Path) -> dict[str, Any]:
    """The fields that a TOML file changes; the text "none" switches an optional field off.

    BadInput: a file that cannot be read, or is no TOML.
    """
    try:
        raw = path.read_bytes()
        if len(raw) > MOST_BYTES:
            raise BadInput(f"{path}: {len(raw)} bytes are no policy; at most {MOST_BYTES} are read")
        found = tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: not TOML: {error}") from error
    return {name: None if _switched_off(name, value) else value for name, value in found.items()}


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """What differs between two whole bodies, entry by entry where a field is a table."""
    for name in FIELDS:
        old, new = before[name], after[name]
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            for entry in sorted(old.keys() | new.keys()):
                if old.get(entry) != new.get(entry):
                    yield Change(f"{name}.{entry}", old.get(entry), new.get(entry))
        elif old != new:
            yield Change(name, old, new)


def _switched_off(name: str, value: Any) -> bool:
    return value == NONE and name in FIELDS and bool(FIELDS[name]["holds"](None))


def _with_changes(session: Session, proposal: Proposal) -> Proposed:
    base = policies.get_policy_version(session, proposal.base)
    before = _readable(base.version, base.body).to_body()
    after = _readable(base.version + 1, proposal.body).to_body()
    return Proposed(proposal, tuple(changes_between(before, after)))


def _readable(version: int, body: Mapping[str, Any]) -> Policy:
    try:
        return policy_from_body(version, body)
    except ValueError as error:
        raise BadInput(str(error)) from error
