"""A policy is whole, says what each field may be, and reads what was stored before it."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from haozhi.accounting.policy import FIELDS, policy_from_body
from tests.books import POLICY

#: The body of version 1 as the first release stored it.
FIRST = {
    "rule": "used-and-supported/1",
    "support_ppm": 500_000,
    "noise_floor_ppb": 0,
    "unattributed": "reserve:unattributed",
    "cluster_rule": "first",
}


def test_the_first_stored_policy_still_means_what_it_meant() -> None:
    """Fields that version 1 lacks are read as what was done then: one fee, nothing kept back."""
    policy = policy_from_body(1, FIRST)
    assert policy == POLICY
    later = {name: value for name, value in policy.to_body().items() if name not in FIRST}
    assert later == {
        "fee_micro": 1_000_000,
        "platform_ppm": 0,
        "window_s": 0,
        "own_statements": "unattributed",
        "common_ppm": 1_000_000,
        "common_authors": None,
        "display_budget_chars": None,
        "payout_threshold_micro": 50_000_000,
        "hold_days": 30,
        "payout_minor_per_credit": {"CNY": 100, "EUR": 12, "USD": 14},
        "withholding_ppm": {"none": 0},
        "audit_answers": 4,
    }


def test_a_policy_reads_back_the_same_from_its_body() -> None:
    """A body holds every field, and what is read from it is equal."""
    body = POLICY.to_body() | {"common_authors": 5, "withholding_ppm": {"resident": 1, "none": 0}}
    policy = policy_from_body(7, body)
    assert (policy.version, policy.to_body()) == (7, body)
    assert body.keys() == FIELDS.keys()


def test_a_policy_cannot_be_changed() -> None:
    """Neither a field nor an entry of a table changes once the policy is made."""
    rates = {"EUR": 12}
    policy = policy_from_body(1, {**FIRST, "payout_minor_per_credit": rates})
    with pytest.raises(FrozenInstanceError):
        policy.fee_micro = 1  # type: ignore[misc]  # the assignment is what must fail
    with pytest.raises(TypeError):
        policy.payout_minor_per_credit["EUR"] = 1  # type: ignore[index]  # as above
    rates["EUR"] = 99
    assert policy.payout_minor_per_credit == {"EUR": 12}
    assert policy.to_body()["payout_minor_per_credit"] == {"EUR": 12}


NAN = float("nan")


@pytest.mark.parametrize(
    ("field", "values", "allowed"),
    [
        (
            "rule",
            ["used/1", "used-and-supported/3", "", None, 1, ["used-and-supported/1"]],
            "'used-and-supported/1' or 'used-and-supported/2'",
        ),
        ("support_ppm", [-1, 1_000_001, True, 0.5, NAN, "1", None], "0..1000000"),
        ("noise_floor_ppb", [-1, 10**9 + 1, False, 1.0], "0..1000000000"),
        ("unattributed", ["platform:share", "holder:h1", None], "'reserve:unattributed'"),
        ("cluster_rule", ["all", 0, None], "'first' or 'split-verified'"),
        ("fee_micro", [-1, 2**53, True, 1e6, "1000000", None], "0..9007199254740991"),
        ("platform_ppm", [-1, 1_000_001, True, NAN], "0..1000000"),
        ("window_s", [-1, 31_622_401, 0.5, None], "0..31622400"),
        ("own_statements", ["kept", True, None], "'unattributed' or 'paid'"),
        ("common_ppm", [-1, 1_000_001, True, None], "0..1000000"),
        ("common_authors", [0, 1, -3, True, 2.0, "none"], "2..1000000 or none"),
        ("display_budget_chars", [-1, False, 10**12 + 1], "0..1000000000000 or none"),
        ("payout_threshold_micro", [-1, 2**53, None], "0..9007199254740991"),
        ("hold_days", [-1, 3651, True, 1.5], "0..3650"),
        (
            "payout_minor_per_credit",
            [{}, {"GBP": 1}, {"EUR": 0}, {"EUR": True}, {"EUR": 1.2}, {1: 1}, [], None, 12],
            "a table of CNY|EUR|USD = 1..1000000",
        ),
        (
            "withholding_ppm",
            [
                {}, {"a": 1}, {"none": 1}, {"none": 0, "a": 1_000_000}, {"none": 0, "": 1},
                {"none": 0, "a:b": 1}, {"none": 0, "a\n": 1}, {"none": 0, "a": -1}, None,
                {"none": 0} | {f"c{i}": 1 for i in range(100)},
            ],
            "0..999999, always with none = 0",
        ),
        ("audit_answers", [-1, 10_001, True, None], "0..10000"),
    ],
)  # fmt: skip
def test_a_field_that_may_not_be_so_is_named(field: str, values: list[Any], allowed: str) -> None:
    """The error names the field, the value and what it may be; True is no number."""
    for value in values:
        with pytest.raises(ValueError, match=f"^policy 2 cannot be applied: {field} is ") as caught:
            policy_from_body(2, FIRST | {field: value})
        assert str(caught.value).endswith(f"{allowed}")


def test_every_field_is_guarded() -> None:
    """No field takes just any value."""
    for field in FIELDS:
        with pytest.raises(ValueError, match=field):
            policy_from_body(2, FIRST | {field: object()})


def test_a_body_with_unknown_or_missing_fields_is_never_half_applied() -> None:
    """A stored policy that this program does not fully understand is refused, by field."""
    with pytest.raises(
        ValueError, match="no field 'platform_pm'; the fields are rule, support_ppm"
    ):
        policy_from_body(2, FIRST | {"platform_pm": 1})
    with pytest.raises(ValueError, match="no field 'version'"):
        policy_from_body(2, FIRST | {"version": 1})
    for field in FIRST:
        with pytest.raises(ValueError, match=f"it has no {field}"):
            policy_from_body(2, {name: value for name, value in FIRST.items() if name != field})
    damaged: list[Any] = [[], "", None, 3]
    for body in damaged:
        with pytest.raises(ValueError, match="no table"):
            policy_from_body(2, body)
    with pytest.raises(ValueError, match="version is 0"):
        policy_from_body(0, FIRST)
