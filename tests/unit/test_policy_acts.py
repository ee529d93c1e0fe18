"""Rules of policy at posting: it moves the money of one line and never another's."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from haozhi.accounting.holdings import holdings_of, with_holdings
from haozhi.accounting.policy import Policy
from haozhi.accounting.posting import transfers_for
from store.records.corpus import AuthorShare
from store.records.ledger import Transfer
from store.records.rights import Entitlement, Holdings
from tests.books import POLICY, an_answer, an_attribution

WHOLE = 1_000_000
AB = Holdings({"a": "ha", "b": "hb", "c": "hc"}, {}, frozenset())
#: A's statement 1 and B's statement 2, thirds that do not divide a fee evenly.
THIRDS: dict[tuple[int, str | None], int] = {(1, "a"): 333_333_333, (2, "b"): 333_333_333}


def posted(
    holdings: Holdings = AB,
    policy: Policy = POLICY,
    shares: dict[tuple[int, str | None], int] = THIRDS,
    **answer: Any,
) -> tuple[Transfer, ...]:
    """What an answer with these shares posts."""
    return transfers_for(an_answer(**answer), an_attribution(shares), holdings, policy)


def sums(transfers: tuple[Transfer, ...]) -> dict[tuple[str, str], int]:
    """Micro-credits by (credited account, reason)."""
    found: Counter[tuple[str, str]] = Counter()
    for t in transfers:
        found[t.credit, t.reason] += t.amount_micro
    return dict(found)


def test_the_platforms_part_and_the_rest_are_the_fee() -> None:
    """The platform gets its ppm rounded down and is no share of the answer; the rest is divided."""
    policy = replace(POLICY, platform_ppm=100_001)
    transfers = posted(policy=policy, fee_micro=9_999)
    assert transfers[0] == Transfer("asker:local", "platform:share", 999, "platform", "answer-1")
    rest = transfers[1:]
    assert sum(t.amount_micro for t in rest) == 9_000
    assert {t.share_ppb for t in rest} == {333_333_333, 333_333_334}
    assert rest == posted(fee_micro=9_000)


def test_a_platform_that_takes_nothing_or_everything() -> None:
    """A part of 0 posts no platform line, a part of the whole posts nothing else."""
    assert all(t.reason != "platform" for t in posted())
    (only,) = posted(policy=replace(POLICY, platform_ppm=WHOLE))
    assert (only.credit, only.amount_micro) == ("platform:share", 10_000)


def test_an_askers_own_statement_earns_nothing_and_changes_nobody_else() -> None:
    """An asker linked to A pays A nothing; what B and the causes get stays what it was."""
    plain, own = posted(), posted(replace(AB, own=frozenset({"a"})))
    assert own == (replace(plain[0], credit="reserve:unattributed", reason="own"), *plain[1:])
    assert plain[0].author_id == "a"
    paid = posted(replace(AB, own=frozenset({"a"})), replace(POLICY, own_statements="paid"))
    assert paid == plain


def test_own_is_who_said_it_and_who_would_be_paid() -> None:
    """A link to the author or to the holder of a grant is own money; the other holder's is not."""
    granted = replace(AB, grants={1: (("hb", 250_000), ("press", 250_000))})
    shares: dict[tuple[int, str | None], int] = {(1, "a"): 10**9}
    as_a = sums(posted(replace(granted, own=frozenset({"a"})), shares=shares))
    assert as_a == {("reserve:unattributed", "own"): 10_000}
    as_b = sums(posted(replace(granted, own=frozenset({"b"})), shares=shares))
    assert as_b == {
        ("reserve:unattributed", "own"): 2_500,
        ("holder:press", "grant"): 2_500,
        ("holder:ha", "share"): 5_000,
    }


def test_what_is_repeated_in_the_window_is_nobodys() -> None:
    """A statement paid before for the same question goes to the reserve, others are paid."""
    plain, again = posted(), posted(replace(AB, repeated=frozenset({2})))
    moved = replace(plain[1], credit="reserve:unattributed", reason="repeated")
    assert again == (plain[0], moved, plain[2])


def test_a_copy_earns_nothing_while_its_original_is_withdrawn() -> None:
    """What a copy would earn is nobody's, the other lines stay."""
    plain, copied = posted(), posted(replace(AB, copied=frozenset({2})))
    moved = replace(plain[1], credit="reserve:unattributed", reason="copied")
    assert copied == (plain[0], moved, plain[2])


def test_what_was_hardly_recognised_waits() -> None:
    """What a page may not say is credited to nobody before somebody has looked."""
    plain, unsure = posted(), posted(replace(AB, unsure=frozenset({2})))
    moved = replace(plain[1], credit="reserve:unclaimed", reason="unsure")
    assert unsure == (plain[0], moved, plain[2])


def test_own_and_repeated_lines_say_own() -> None:
    """Whatever repeats, a line that never earns says so."""
    holdings = replace(AB, own=frozenset({"a"}), repeated=frozenset({1}))
    assert posted(holdings)[0].reason == "own"


def test_common_knowledge_is_paid_at_its_rate() -> None:
    """The rate is an integer split of the line; the rest is nobody's; other lines stay."""
    policy = replace(POLICY, common_ppm=250_000)
    plain, common = posted(policy=policy), posted(replace(AB, common=frozenset({1})), policy)
    paid, rest = common[:2]
    assert (paid.credit, paid.reason) == ("holder:ha", "share")
    assert (rest.credit, rest.reason) == ("reserve:unattributed", "common_knowledge")
    assert paid.amount_micro + rest.amount_micro == plain[0].amount_micro
    assert abs(paid.amount_micro * 4 - plain[0].amount_micro) < 4
    assert (paid.share_ppb or 0) + (rest.share_ppb or 0) == plain[0].share_ppb
    assert common[2:] == plain[1:]
    assert posted(replace(AB, common=frozenset({1}))) == posted()
    nothing = posted(replace(AB, common=frozenset({1})), replace(POLICY, common_ppm=0))
    assert [t.reason for t in nothing] == ["common_knowledge", "share", "unsupported"]


def test_an_erased_author_is_paid_into_the_unclaimed_reserve() -> None:
    """The line keeps the author's id and waits; a grant of the work is paid as before."""
    holdings = replace(AB, grants={1: (("press", 400_000),)}, erased=frozenset({"a"}))
    shares: dict[tuple[int, str | None], int] = {(1, "a"): 600_000_000, (2, "b"): 400_000_000}
    transfers = posted(holdings, shares=shares)
    assert sums(transfers) == {
        ("holder:press", "grant"): 2_400,
        ("reserve:unclaimed", "erased"): 3_600,
        ("holder:hb", "share"): 4_000,
    }
    assert [t.author_id for t in transfers] == ["a", "a", "b"]


def test_common_knowledge_of_an_erased_author_is_both() -> None:
    """The paid part of an erased author's line waits, the rest is nobody's."""
    holdings = replace(AB, common=frozenset({1}), erased=frozenset({"a"}))
    found = posted(holdings, replace(POLICY, common_ppm=500_000), {(1, "a"): 10**9})
    assert sums(found) == {
        ("reserve:unclaimed", "erased"): 5_000,
        ("reserve:unattributed", "common_knowledge"): 5_000,
    }


def test_a_disputed_statement_stays_disputed() -> None:
    """Whose it is is open: neither a link, an erasure nor others who said it move its money."""
    holdings = replace(
        AB,
        disputed=frozenset({1}),
        own=frozenset({"a"}),
        erased=frozenset({"a"}),
        verified={1: (Entitlement((AuthorShare("c", WHOLE),)),)},
    )
    policy = replace(POLICY, cluster_rule="split-verified")
    found = posted(holdings, policy, {(1, "a"): 10**9})
    assert sums(found) == {("reserve:disputed", "disputed"): 10_000}


def test_policy_never_changes_another_line() -> None:
    """Whatever rule acts on A's statement, all other lines are byte for byte the same."""
    policy = replace(POLICY, platform_ppm=70_001, common_ppm=333_333)
    plain = posted(policy=policy, fee_micro=9_973)
    for changed in (
        replace(AB, own=frozenset({"a"})),
        replace(AB, repeated=frozenset({1})),
        replace(AB, common=frozenset({1})),
        replace(AB, erased=frozenset({"a"})),
        replace(AB, common=frozenset({1}), erased=frozenset({"a"})),
    ):
        found = posted(changed, policy, fee_micro=9_973)
        assert [t for t in found if t.statement_id != 1] == [
            t for t in plain if t.statement_id != 1
        ]
        assert sum(t.amount_micro for t in found) == 9_973


CLONED = replace(
    AB,
    verified={
        1: (
            Entitlement((AuthorShare("a", WHOLE),), (("press", 500_000),)),
            Entitlement((AuthorShare("b", 400_000), AuthorShare("c", 600_000))),
            Entitlement(()),
        )
    },
)


def test_with_first_a_clone_earns_nothing() -> None:
    """However many are entitled in a cluster, the first one is paid alone."""
    assert posted(CLONED) == posted()


def test_with_split_verified_the_entitled_share_what_the_cluster_earned() -> None:
    """Each has an equal part, then by ppm and grants; an unknown author's part waits."""
    policy = replace(POLICY, cluster_rule="split-verified")
    shares: dict[tuple[int, str | None], int] = {(1, "a"): 600_000_000, (2, "b"): 400_000_000}
    found = posted(CLONED, policy, shares)
    assert [(t.author_id, t.credit, t.reason, t.amount_micro, t.share_ppb) for t in found] == [
        ("a", "holder:ha", "share", 1_000, 100_000_000),
        ("a", "holder:press", "grant", 1_000, 100_000_000),
        ("b", "holder:hb", "share", 800, 80_000_000),
        ("c", "holder:hc", "share", 1_200, 120_000_000),
        (None, "reserve:unclaimed", "unclaimed", 2_000, 200_000_000),
        ("b", "holder:hb", "share", 4_000, 400_000_000),
    ]


def test_split_verified_keeps_the_clusters_total_and_the_other_lines() -> None:
    """Indivisible amounts too: the parts sum to what the statement had, the others stay."""
    policy = replace(POLICY, cluster_rule="split-verified")
    for fee in (1, 2, 7, 9_973):
        plain, divided = posted(AB, policy, fee_micro=fee), posted(CLONED, policy, fee_micro=fee)
        of_first = [
            sum(t.amount_micro for t in ts if t.statement_id == 1) for ts in (plain, divided)
        ]
        assert of_first[0] == of_first[1]
        others = [[t for t in ts if t.statement_id != 1] for ts in (plain, divided)]
        assert others[0] == others[1]


def test_the_order_of_entitlements_is_no_income() -> None:
    """Claims in another order give the same transfers."""
    policy = replace(POLICY, cluster_rule="split-verified")
    turned = replace(CLONED, verified={1: tuple(reversed(CLONED.verified[1]))})
    assert posted(turned, policy, fee_micro=997) == posted(CLONED, policy, fee_micro=997)


def test_split_verified_without_a_verified_date_pays_the_first() -> None:
    """A cluster that nobody verified is paid as with the default rule."""
    policy = replace(POLICY, cluster_rule="split-verified")
    assert posted(replace(AB, verified={1: ()}), policy) == posted()


def test_an_own_part_of_a_divided_cluster_is_nobodys() -> None:
    """The asker's own part earns nothing from this asker, the others what they had."""
    policy = replace(POLICY, cluster_rule="split-verified")
    found = posted(replace(CLONED, own=frozenset({"b"})), policy, {(1, "a"): 10**9})
    plain = posted(CLONED, policy, {(1, "a"): 10**9})
    assert [t for t in found if t.reason != "own"] == [t for t in plain if t.author_id != "b"]
    assert sum(t.amount_micro for t in found) == 10_000


def test_an_entitled_author_without_holder_is_refused() -> None:
    """A verified entitlement whose author has no holder stops the posting."""
    holdings = replace(AB, verified={1: (Entitlement((AuthorShare("x", WHOLE),)),)})
    with pytest.raises(ValueError, match="author x has no rights holder"):
        posted(holdings, replace(POLICY, cluster_rule="split-verified"))


def test_all_holdings_are_kept_with_the_attribution() -> None:
    """What policy acted on reads back the same, so that the books can be derived again."""
    holdings = replace(
        CLONED,
        own=frozenset({"a", "b"}),
        repeated=frozenset({1, 30}),
        common=frozenset({2}),
        erased=frozenset({"c"}),
    )
    assert holdings_of(with_holdings(an_attribution({}), holdings)) == holdings


def test_holdings_stored_before_policy_acted_still_read() -> None:
    """Older holdings say nothing of links, repeats, common knowledge, erasures and entitlements."""
    kept = an_attribution({}, detail={"holdings": {"holders": {}, "grants": {}, "disputed": [3]}})
    assert holdings_of(kept) == Holdings({}, {}, frozenset({3}))
