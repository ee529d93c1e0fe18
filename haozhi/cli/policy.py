"""`haozhi policy`: the rules in force, and how two admins change them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.opened import opened
from haozhi.cli.options import ByOption
from haozhi.cli.output import JsonOption, show

if TYPE_CHECKING:
    from haozhi.accounting.policy import Policy
    from haozhi.policies import Proposed
    from store.policies import StoredPolicy

commands = typer.Typer(
    no_args_is_help=True, help="Show the rules; propose and approve a change of them."
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="policy")


@commands.command("show")
def show_policy(
    version: Annotated[int | None, typer.Argument(help="Default: the newest.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print a version of the rules, with what each field does and may be."""
    from haozhi.app import open_app
    from haozhi.policies import get_policy
    from haozhi.settings import load_settings

    settings = load_settings()
    stored, policy = get_policy(open_app(settings).engine, version)
    result = {
        "version": stored.version,
        "proposed_by": stored.proposed_by,
        "approved_by": stored.approved_by,
        "created_ms": stored.created_us // 1000,
        "body": policy.to_body(),
        "fee_override_micro": settings.fee_micro,
    }
    lines = [*_policy_lines(stored, policy)]
    if settings.fee_micro is not None:
        lines.append(f"HAOZHI_FEE_MICRO is set: here an answer costs {settings.fee_micro}")
    show(result, lines, as_json=as_json)


@commands.command()
def propose(
    file: Annotated[Path, typer.Argument(help="TOML with the fields that change, and only them.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Propose a change of the newest policy; nothing acts before another admin approves it."""
    from haozhi.policies import load_changes
    from haozhi.policies import propose as propose_policy

    app = opened()
    proposed = propose_policy(app.engine, load_changes(file), by)
    proposal_id = proposed.proposal.id
    lines = [
        *_proposal_lines(proposed),
        f"another admin approves it with: haozhi policy approve {proposal_id} --by NAME",
    ]
    show(_proposal_json(proposed), lines, as_json=as_json)


@commands.command()
def proposals(as_json: JsonOption = False) -> None:
    """List all proposals with what they change: open, approved, or stale."""
    from haozhi.policies import list_proposals

    found = list_proposals(opened().engine)
    lines = [line for proposed in found for line in _proposal_lines(proposed)]
    result = {"proposals": [_proposal_json(proposed) for proposed in found]}
    show(result, lines or ["no policy was proposed yet"], as_json=as_json)


@commands.command()
def approve(
    proposal: Annotated[int, typer.Argument(help="A proposal's id.")],
    by: ByOption,
    as_json: JsonOption = False,
) -> None:
    """Make a proposal the next policy, for the answers given from now on."""
    from haozhi.policies import approve as approve_policy

    approved = approve_policy(opened().engine, proposal, by)
    lines = [*_proposal_lines(approved), f"policy {approved.proposal.version} is in force"]
    show(_proposal_json(approved), lines, as_json=as_json)


def _policy_lines(stored: "StoredPolicy", policy: "Policy") -> Iterator[str]:
    from haozhi.accounting.policy import FIELDS

    admins = f"proposed by {stored.proposed_by}, approved by {stored.approved_by}"
    yield f"policy {policy.version}, {admins if stored.approved_by else 'which haozhi came with'}"
    for name, value in policy.to_body().items():
        yield f"{name} = {_text(value)}"
        yield f"    {FIELDS[name]['says']} ({FIELDS[name]['allowed']})"


def _proposal_lines(proposed: "Proposed") -> Iterator[str]:
    found = proposed.proposal
    state = f"approved as policy {found.version}" if found.version else found.state
    yield f"proposal {found.id} by {found.proposed_by}, {state}; in policy {found.base} it changes"
    for change in proposed.changes:
        yield f"    {change.name}: {_text(change.before)} -> {_text(change.after)}"


def _proposal_json(proposed: "Proposed") -> dict[str, Any]:
    found = proposed.proposal
    return {
        "id": found.id,
        "state": found.state,
        "base": found.base,
        "version": found.version,
        "proposed_by": found.proposed_by,
        "created_ms": found.created_us // 1000,
        "changes": [dict(vars(change)) for change in proposed.changes],
    }


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} = {each}" for name, each in value.items())
    return "none" if value is None else str(value)
