"""Rules of posting over random attributions, holdings, policies and fees."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from haozhi.accounting.posting import transfers_for
from store.records.answers import Pair
from store.records.ledger import Transfer
from store.records.rights import Holdings
from tests.random_answers import Drawn, draw

NOTHING = frozenset[int]()
NOBODY = frozenset[str]()


def posted(drawn: Drawn) -> tuple[Transfer, ...]:
    """What the drawn answer posts."""
    return transfers_for(drawn.answer, drawn.attribution, drawn.holdings, drawn.policy)


def plain(holdings: Holdings) -> Holdings:
    """The holdings without anything that policy acts on."""
    return Holdings(holdings.holders, holdings.grants, holdings.disputed)


def by_statement(transfers: Iterable[Transfer]) -> dict[int | None, int]:
    """Micro-credits by statement; None is the platform's and the causes' part."""
    found: defaultdict[int | None, int] = defaultdict(int)
    for t in transfers:
        found[t.statement_id] += t.amount_micro
    return dict(found)


def test_what_is_posted_is_the_fee_whatever_policy_does() -> None:
    """All amounts are positive and sum to the fee; the platform has its part rounded down."""
    random = Random(1)
    for number in range(3_000):
        drawn = draw(random, number)
        transfers, fee_micro = posted(drawn), drawn.answer.fee_micro
        assert sum(t.amount_micro for t in transfers) == fee_micro
        assert all(t.amount_micro > 0 for t in transfers)
        platform = sum(t.amount_micro for t in transfers if t.reason == "platform")
        assert platform == fee_micro * drawn.policy.platform_ppm // 1_000_000


def test_each_line_is_within_one_unit_of_its_share_before_policy_acts() -> None:
    """Every amount is within one micro-credit of its parts per billion of the fee's rest."""
    random = Random(2)
    for number in range(2_000):
        drawn = draw(random, number)
        policy = replace(drawn.policy, cluster_rule="first")
        transfers = posted(replace(drawn, holdings=plain(drawn.holdings), policy=policy))
        lines = [t for t in transfers if t.reason != "platform"]
        rest_micro = sum(t.amount_micro for t in lines)
        for t in lines:
            assert t.share_ppb is not None
            assert abs(t.amount_micro * 10**9 - rest_micro * t.share_ppb) < 10**9


def test_policy_keeps_the_total_of_every_statement() -> None:
    """Own, repeated, common, erased, divided over claims: a statement's total stays what it was."""
    random = Random(3)
    for number in range(2_000):
        drawn = draw(random, number)
        before = posted(replace(drawn, holdings=plain(drawn.holdings)))
        assert by_statement(posted(drawn)) == by_statement(before)


def test_the_order_of_what_is_read_is_no_income() -> None:
    """Pairs, grants and claims in another order give the same transfers in the same order."""
    random = Random(4)
    for number in range(1_000):
        drawn = draw(random, number)
        found, turned = drawn.attribution, drawn.holdings
        holdings = replace(
            turned,
            holders=dict(reversed(turned.holders.items())),
            grants={i: g[::-1] for i, g in reversed(turned.grants.items())},
            verified={
                i: tuple(
                    replace(c, authors=c.authors[::-1], grants=c.grants[::-1]) for c in cs[::-1]
                )
                for i, cs in reversed(turned.verified.items())
            },
        )
        pairs = tuple(random.sample(found.pairs, len(found.pairs)))
        other = replace(drawn, attribution=replace(found, pairs=pairs), holdings=holdings)
        assert posted(other) == posted(drawn)


def test_linking_an_asker_to_an_author_moves_that_authors_lines_only() -> None:
    """Line by line, what is the linked author's own goes to the reserve; all else is the same."""
    random = Random(5)
    for number in range(2_000):
        drawn = draw(random, number)
        calm = replace(drawn.holdings, own=NOBODY, repeated=NOTHING, erased=NOBODY, common=NOTHING)
        before = posted(replace(drawn, holdings=calm))
        after = posted(replace(drawn, holdings=replace(calm, own=frozenset({"a"}))))
        for one, other in zip(before, after, strict=True):
            own = one.reason in ("share", "grant") and (
                one.author_id == "a" or one.credit == "holder:ha"
            )
            refused = replace(one, credit="reserve:unattributed", reason="own")
            assert other == (refused if own else one)


def test_an_author_in_two_changes_no_total() -> None:
    """An author who signs as two gets what one had, and others what they had, to the last unit."""
    random = Random(6)
    for number in range(1_000):
        drawn = draw(random, number)
        whole = replace(drawn.answer, fee_micro=10**9)  # so that no part is rounded
        holdings = replace(plain(drawn.holdings), holders={**drawn.holdings.holders, "a2": "ha2"})
        policy = replace(drawn.policy, platform_ppm=0)
        one = replace(drawn, answer=whole, holdings=holdings, policy=policy)
        found = drawn.attribution
        pairs = tuple(part for pair in found.pairs for part in _in_two(pair, random))
        two = replace(one, attribution=replace(found, pairs=pairs))
        for holder in ("holder:hb", "holder:hc", "holder:hd", "reserve:unattributed"):
            assert _credited(two, holder) == _credited(one, holder)
        if not holdings.grants:
            both = _credited(two, "holder:ha") + _credited(two, "holder:ha2")
            assert both == _credited(one, "holder:ha")


def _in_two(pair: Pair, random: Random) -> tuple[Pair, ...]:
    if pair.author_id != "a":
        return (pair,)
    part = random.randint(0, pair.share_ppb)
    return (
        replace(pair, share_ppb=part),
        replace(pair, author_id="a2", share_ppb=pair.share_ppb - part),
    )


def _credited(drawn: Drawn, account: str) -> int:
    return sum(t.amount_micro for t in posted(drawn) if t.credit == account)
