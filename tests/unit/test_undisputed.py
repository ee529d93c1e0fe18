"""Who would have been paid for a kept-back line, from what was stored with its answer."""

from dataclasses import replace
from typing import Any

import pytest

from haozhi.accounting.policy import Policy
from haozhi.disputing import undisputed_lines
from store.records.corpus import AuthorShare
from store.records.ledger import Transfer
from store.records.rights import Entitlement, Holdings
from tests.books import POLICY

KEPT = Transfer("asker:x", "reserve:disputed", 1001, "disputed", "answer-1", 7, "a", 400_000_000)
HOLDINGS = Holdings({"a": "ha", "b": "hb"}, {}, frozenset({7, 8}))


def paid(holdings: Holdings, policy: Policy = POLICY) -> dict[tuple[str, str], int]:
    """Amounts by account and reason."""
    lines = undisputed_lines(KEPT, holdings, policy)
    return {(line.credit, line.reason): line.amount_micro for line in lines if line.amount_micro}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {("holder:ha", "share"): 1001}),
        (
            {"grants": {7: (("press", 500_000),)}},
            {("holder:press", "grant"): 500, ("holder:ha", "share"): 501},
        ),
        ({"erased": frozenset({"a"})}, {("reserve:unclaimed", "erased"): 1001}),
        ({"own": frozenset({"a"})}, {("reserve:unattributed", "own"): 1001}),
        # What policy did before the line was kept back is not done again.
        ({"common": frozenset({7}), "repeated": frozenset({7})}, {("holder:ha", "share"): 1001}),
    ],
)
def test_a_kept_back_line_is_what_it_would_have_been(
    changes: dict[str, Any], expected: dict[tuple[str, str], int]
) -> None:
    """Grants, erasures and the asker's own statements count; what was done is not done twice."""
    found = paid(replace(HOLDINGS, **changes))
    assert found.keys() == expected.keys()
    assert sum(found.values()) == KEPT.amount_micro
    assert all(abs(found[key] - expected[key]) <= 1 for key in found)


def test_a_kept_back_line_is_divided_over_the_entitled() -> None:
    """With split-verified all who are entitled have equal parts of what was kept back, too."""
    entitlements = tuple(Entitlement((AuthorShare(each, 1_000_000),)) for each in ("a", "b"))
    split = replace(POLICY, cluster_rule="split-verified", common_ppm=500_000)
    found = paid(replace(HOLDINGS, verified={7: entitlements}), split)
    assert sorted(found.values()) == [500, 501]
    assert {account for account, _ in found} == {"holder:ha", "holder:hb"}
