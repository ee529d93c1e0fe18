"""The rules that act at posting, as one immutable version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PPM = 1_000_000


@dataclass(frozen=True)
class Policy:
    """One version of the rules, never changed once stored.

    `r_ppm` is the part of a supported segment paid for support alone (the rule's r); the rest is
    paid as far as the support was used. `unattributed` is the account of what nobody is owed.
    The fee is no part of it: an answer carries the fee that its asker was charged.
    """

    version: int
    rule: str
    r_ppm: int
    noise_floor_ppb: int
    unattributed: str
    cluster_rule: str

    def __post_init__(self) -> None:
        if not 0 <= self.r_ppm <= PPM:
            raise ValueError(f"policy {self.version}: r_ppm {self.r_ppm} is not in 0..{PPM}")


def policy_from_body(version: int, body: Mapping[str, Any]) -> Policy:
    """Read a stored policy. ValueError: the body lacks a rule or has one that is unknown here."""
    known = {"rule", "support_ppm", "noise_floor_ppb", "unattributed", "cluster_rule"}
    if body.keys() != known:
        odd = ", ".join(sorted(body.keys() ^ known))
        raise ValueError(f"policy {version} is missing or has unknown rules: {odd}")
    return Policy(
        version=version,
        rule=str(body["rule"]),
        r_ppm=int(body["support_ppm"]),
        noise_floor_ppb=int(body["noise_floor_ppb"]),
        unattributed=str(body["unattributed"]),
        cluster_rule=str(body["cluster_rule"]),
    )
