"""Decisions about authors and who waits for one, for people and as JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from haozhi.cli.output import counted
from haozhi.credits import credits_text

if TYPE_CHECKING:
    from store.identities import Decided, Decision, Waiting


def decision_json(decision: "Decision") -> dict[str, Any]:
    """The stable shape of a decision; times in whole ms."""
    return {
        "id": decision.id,
        "kind": decision.kind,
        "author_id": decision.author_id,
        "into_id": decision.into_id,
        "work_ids": list(decision.works),
        "undoes": decision.undoes,
        "undone_by": decision.undone_by,
        "decided_by": decision.decided_by,
        "decided_ms": decision.created_us // 1000,
    }


def sentence(decision: "Decision") -> str:
    """Who decided what."""
    author, into = decision.author_id, decision.into_id
    says = {
        "confirm": f"author {author} is a person of their own",
        "alias": f"author {author} has another name",
        "identify": f"author {author} has an identifier",
        "merge": f"author {author} is author {into}",
        "split": f"author {into} said what author {author} did in {', '.join(decision.works)}",
        "undo": f"undoes decision {decision.undoes}",
    }[decision.kind]
    undone = f" (undone by {decision.undone_by})" if decision.undone_by else ""
    return f"decision {decision.id} by {decision.decided_by}: {says}{undone}"


def staying_lines(done: "Decided") -> Iterator[str]:
    """What undoing a merge or a split leaves where it was paid, and how it can be moved."""
    if not done.stays_micro:
        return
    one, other = done.decision.author_id, done.decision.into_id
    says = other if one == done.stays_with else one
    yield (
        f"{credits_text(done.stays_micro)} earned meanwhile by what author {says} said stays with"
        f" author {done.stays_with}"
    )
    yield (
        f"to move it, open disputes on those lines of author {done.stays_with}:"
        f" haozhi dispute open ENTRY LINE --claimant {says}"
    )


def waiting_json(waiting: "Waiting") -> dict[str, Any]:
    """The stable shape of an unresolved author; `held_micro` in micro-credits."""
    return {
        "id": waiting.author_id,
        "name": waiting.name,
        "works": [{"id": work_id, "title": title} for work_id, title in waiting.works],
        "statements": waiting.statements,
        "held_micro": waiting.held_micro,
        "candidates": [
            {
                "id": each.author_id,
                "name": each.name or None,
                "namespace": each.namespace,
                "unresolved": each.unresolved,
            }
            for each in waiting.candidates
        ],
    }


def waiting_lines(waiting: "Waiting") -> Iterator[str]:
    """An unresolved author, then a line for each that this may be."""
    works = ", ".join(title for _, title in waiting.works) or "no work"
    said = counted(waiting.statements, "statement")
    yield (
        f"{waiting.author_id}  {waiting.name or '(unnamed)'}: {said} in {works},"
        f" {credits_text(waiting.held_micro)} held"
    )
    for each in waiting.candidates:
        where = "unresolved too" if each.unresolved else f"namespace {each.namespace}"
        yield f"    perhaps {each.author_id}  {each.name or '(unnamed)'}, {where}"
