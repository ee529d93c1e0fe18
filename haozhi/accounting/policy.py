"""The rules that act at posting, closing and paying out, as one immutable version."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from haozhi.accounting.allowed import PPM, one_of, table, whole, whole_or_none
from store.validation import MAX_AMOUNT_MICRO, WHOLE_PPB

__all__ = ["PPM", "Policy", "policy_from_body"]

_YEAR_S = 366 * 24 * 60 * 60


@dataclass(frozen=True)
class Policy:
    """One version of the rules, never changed once stored; each field says what it does.

    A default is what the bodies mean that were stored before there was such a field: it never
    changes. An answer carries the fee that its asker was charged and the version it was given
    under, so a later version changes no answer before it.
    ValueError: a field that is not what it may be.
    """

    version: int = field(metadata=whole(1, 2**31 - 1, "counts up from 1"))
    rule: str = field(
        metadata=one_of(
            ("used-and-supported/1", "used-and-supported/2"),
            "how shares follow from use and support",
        )
    )
    support_ppm: int = field(
        metadata=whole(0, PPM, "part of a supported segment that support alone earns")
    )
    noise_floor_ppb: int = field(
        metadata=whole(0, WHOLE_PPB, "a statement's share under this is below_noise")
    )
    unattributed: str = field(
        metadata=one_of(("reserve:unattributed",), "where the money goes that nobody is owed")
    )
    cluster_rule: str = field(
        metadata=one_of(
            ("first", "split-verified"),
            "who is paid for a cluster: who said it first, or all of verified date in equal parts",
        )
    )
    fee_micro: int = field(
        default=1_000_000, metadata=whole(0, MAX_AMOUNT_MICRO, "micro-credits an answer costs")
    )
    platform_ppm: int = field(
        default=0, metadata=whole(0, PPM, "part of the fee that is the platform's, taken first")
    )
    window_s: int = field(
        default=0,
        metadata=whole(
            0, _YEAR_S, "seconds in which an asker's same question pays a statement once; 0 is off"
        ),
    )
    own_statements: str = field(
        default="unattributed",
        metadata=one_of(
            ("unattributed", "paid"), "what an asker's own statements earn from this asker"
        ),
    )
    common_ppm: int = field(
        default=PPM, metadata=whole(0, PPM, "part that a statement of common knowledge is paid")
    )
    common_authors: int | None = field(
        default=None,
        metadata=whole_or_none(
            2, 1_000_000, "said by so many independent authors is common knowledge"
        ),
    )
    display_budget_chars: int | None = field(
        default=None,
        metadata=whole_or_none(
            0, 10**12, "characters of one work that one asker may be shown, all answers together"
        ),
    )
    payout_threshold_micro: int = field(
        default=50_000_000, metadata=whole(0, MAX_AMOUNT_MICRO, "micro-credits worth paying out")
    )
    hold_days: int = field(
        default=30, metadata=whole(0, 3650, "days that earnings wait before they are paid out")
    )
    payout_minor_per_credit: Mapping[str, int] = field(
        default_factory=lambda: {"CNY": 100, "EUR": 12, "USD": 14},
        hash=False,
        metadata=table("CNY|EUR|USD", 1, 1_000_000, "minor units (fen, cent) of one credit"),
    )
    withholding_ppm: Mapping[str, int] = field(
        default_factory=lambda: {"none": 0},
        hash=False,
        metadata=table(
            "[A-Za-z0-9_-]{1,32}", 0, PPM - 1, "part withheld by tax class", {"none": 0}
        ),
    )
    audit_answers: int = field(
        default=4, metadata=whole(0, 10_000, "answers recomputed when a period closes")
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not each.metadata["holds"](value):
                raise ValueError(f"{each.name} is {value!r}; it may be {each.metadata['allowed']}")
            if isinstance(value, Mapping):
                frozen = MappingProxyType(dict(sorted(value.items())))
                object.__setattr__(self, each.name, frozen)

    def to_body(self) -> dict[str, Any]:
        """Every field but the version, as JSON holds it; `policy_from_body` reads it back."""
        values = {name: getattr(self, name) for name in FIELDS}
        return {n: dict(v) if isinstance(v, Mapping) else v for n, v in values.items()}


#: The fields of a policy's body in their order, each with what it may be and what it does.
FIELDS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {each.name: each.metadata for each in fields(Policy) if each.name != "version"}
)
_REQUIRED = ("rule", "support_ppm", "noise_floor_ppb", "unattributed", "cluster_rule")


def policy_from_body(version: int, body: Mapping[str, Any]) -> Policy:
    """Read a stored policy. ValueError: it lacks a rule, or has one that is unknown here."""
    try:
        return Policy(version=version, **_known(body))
    except ValueError as error:
        raise ValueError(f"policy {version} cannot be applied: {error}") from error


def _known(body: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise ValueError("its body is no table of fields")
    for name in sorted(body.keys() - FIELDS.keys()):
        raise ValueError(f"there is no field {name!r}; the fields are {', '.join(FIELDS)}")
    for name in _REQUIRED:
        if name not in body:
            raise ValueError(f"it has no {name}")
    return body
