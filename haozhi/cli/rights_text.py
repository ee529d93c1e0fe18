"""The rights in a work, for scripts and for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from haozhi.times import utc_text, whole_ms

if TYPE_CHECKING:
    from haozhi.rights import WorkRights
    from store.rights import Grant


def rights_json(found: "WorkRights") -> dict[str, Any]:
    """The rights in a work for scripts."""
    work = found.work
    return {
        "work": {
            "id": work.id,
            "title": work.title,
            "path": work.path,
            "published_on": work.published_on,
            "evidence": work.publication_evidence,
        },
        "uses": dict(found.uses),
        "grants": [_grant_json(found, each) for each in found.grants],
    }


def _grant_json(found: "WorkRights", grant: "Grant") -> dict[str, Any]:
    return {
        "id": grant.id,
        "holder_id": grant.holder_id,
        "holder": found.label(grant.holder_id),
        "ppm": grant.ppm,
        "may_retrieve": grant.may_retrieve,
        "may_generate": grant.may_generate,
        "may_display": grant.may_display,
        "may_train": grant.may_train,
        "display_chars": grant.display_chars,
        "valid_from_ms": whole_ms(grant.valid_from_us),
        "valid_until_ms": whole_ms(grant.valid_until_us),
        "in_force": grant.in_force(found.at_us),
        "terms": grant.terms,
        "granted_by": grant.granted_by,
        "ended_by": grant.ended_by,
        "created_ms": whole_ms(grant.created_us),
    }


def rights_lines(found: "WorkRights") -> Iterator[str]:
    """The rights in a work for people."""
    work = found.work
    dated = f"published {work.published_on} ({work.publication_evidence or 'claimed'})"
    yield f"{work.title} ({work.id}), {dated if work.published_on else 'of unknown date'}"
    yield ", ".join(f"{use}: {_STATES[state]}" for use, state in found.uses.items())
    for grant in found.grants:
        state = "in force" if grant.in_force(found.at_us) else "not in force"
        yield f"grant {grant.id}, {state}: {found.label(grant.holder_id)}, {grant.ppm} ppm"
        yield f"    {', '.join(_said(grant))}"


_STATES = {
    "free": "free, there are no grants",
    "granted": "granted",
    "forbidden": "forbidden",
    "not_granted": "not granted, no grant is in force",
}


def _said(grant: "Grant") -> Iterator[str]:
    for use in ("retrieve", "generate", "display", "train"):
        yield use if getattr(grant, f"may_{use}") else f"no {use}"
    if grant.display_chars is not None:
        yield f"at most {grant.display_chars} characters shown"
    if grant.valid_from_us is not None:
        yield f"from {utc_text(grant.valid_from_us)} UTC"
    if grant.valid_until_us is not None:
        yield f"until {utc_text(grant.valid_until_us)} UTC"
    if grant.terms:
        yield grant.terms
