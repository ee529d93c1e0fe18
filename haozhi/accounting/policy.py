"""The rules that act at posting, as one immutable version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PPM = 1_000_000


@dataclass(frozen=True)
class Policy:
    """One version of the rules, never changed once stored.

    `support_ppm` is the part of a supported segment that is paid for support alone (the rule's r);
    the rest is paid as far as the support was used. `unattributed` is the account of what nobody
    is owed. The fee is no part of it: an answer carries the fee that its asker was charged.
    """

    version: int
    rule: str
    support_ppm: int
    noise_floor_ppb: int
    unattributed: str
    cluster_rule: str

    def __post_init__(self) -> None:
        if not 0 <= self.support_ppm <= PPM:
            raise ValueError(f"policy {self.version}: support_ppm is not in 0..{PPM}")


def policy_from_body(version: int, body: Mapping[str, Any]) -> Policy:
    """Read a stored policy. ValueError: it lacks a rule, or has one that is unknown here."""
    try:
        return Policy(version=version, **body)
    except TypeError as error:
        raise ValueError(f"policy {version} cannot be applied: {error}") from error
