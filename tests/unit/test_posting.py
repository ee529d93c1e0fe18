"""Rules of posting: who is paid what for an answer."""

import pytest

from haozhi.accounting.holdings import holdings_of, with_holdings
from haozhi.accounting.posting import transfers_for
from store.records.answers import Answer, Unattributed
from store.records.ledger import Transfer
from store.records.rights import Holdings
from tests.books import NOBODY, POLICY, a_refusal, an_answer, an_attribution

AB = Holdings(holders={"a": "ha", "b": "hb"}, grants={}, disputed=frozenset())


def paid(transfers: tuple[Transfer, ...]) -> dict[tuple[str, str], int]:
    """Amount by (credited account, reason)."""
    assert len({(t.credit, t.reason) for t in transfers}) == len(transfers)
    return {(t.credit, t.reason): t.amount_micro for t in transfers}


def test_authors_and_causes_share_the_whole_fee() -> None:
    """Each author's holder gets the author's share, each cause goes to the unattributed reserve."""
    attribution = an_attribution(
        {(1, "a"): 400_000_000, (2, "b"): 350_000_000},
        unattributed=Unattributed(unsupported=150_000_000, already_known=100_000_000),
    )
    transfers = transfers_for(an_answer(), attribution, AB, POLICY)
    assert paid(transfers) == {
        ("holder:ha", "share"): 4000,
        ("holder:hb", "share"): 3500,
        ("reserve:unattributed", "unsupported"): 1500,
        ("reserve:unattributed", "already_known"): 1000,
    }
    assert {t.debit for t in transfers} == {"asker:local"}
    assert [t.share_ppb for t in transfers] == [
        400_000_000, 350_000_000, 150_000_000, 100_000_000
    ]  # fmt: skip


def test_unknown_author_is_paid_into_the_unclaimed_reserve() -> None:
    """The share of a statement whose author is unknown waits in reserve:unclaimed."""
    transfers = transfers_for(an_answer(), an_attribution({(1, None): 10**9}), NOBODY, POLICY)
    assert paid(transfers) == {("reserve:unclaimed", "unclaimed"): 10_000}


def test_disputed_statement_is_paid_into_the_disputed_reserve() -> None:
    """A dispute holds the money of its statement whatever grants and authors say."""
    holdings = Holdings(AB.holders, {1: (("h9", 1_000_000),)}, frozenset({1}))
    attribution = an_attribution({(1, "a"): 500_000_000, (2, "b"): 500_000_000})
    assert paid(transfers_for(an_answer(), attribution, holdings, POLICY)) == {
        ("reserve:disputed", "disputed"): 5000,
        ("holder:hb", "share"): 5000,
    }


def test_grants_pay_their_holders_and_the_rest_stays_with_the_author() -> None:
    """A holder gets the granted ppm of a work's money, the author what no grant takes."""
    holdings = Holdings(AB.holders, {1: (("h8", 250_000), ("h9", 500_000))}, frozenset())
    transfers = transfers_for(an_answer(), an_attribution({(1, "a"): 10**9}), holdings, POLICY)
    assert paid(transfers) == {
        ("holder:h8", "grant"): 2500,
        ("holder:h9", "grant"): 5000,
        ("holder:ha", "share"): 2500,
    }
    assert {t.author_id for t in transfers} == {"a"}


def test_granted_lines_of_a_pair_sum_to_its_share() -> None:
    """An odd share divided over three holders loses no part per billion."""
    thirds = Holdings(AB.holders, {1: (("h8", 333_333), ("h9", 333_333))}, frozenset())
    attribution = an_attribution({(1, "a"): 500_000_001, (2, "b"): 499_999_999})
    transfers = transfers_for(an_answer(), attribution, thirds, POLICY)
    assert sum(t.share_ppb or 0 for t in transfers if t.statement_id == 1) == 500_000_001
    assert sum(t.amount_micro for t in transfers) == 10_000


def test_lines_that_come_to_nothing_are_no_transfers() -> None:
    """With a fee of one micro-credit exactly one line is paid."""
    attribution = an_attribution({(1, "a"): 500_000_000, (2, "b"): 500_000_000})
    (transfer,) = transfers_for(an_answer(fee_micro=1), attribution, AB, POLICY)
    assert transfer.amount_micro == 1


def test_order_of_the_pairs_changes_nothing() -> None:
    """The same pairs in another order give the same transfers in the same order."""
    shares: dict[tuple[int, str | None], int] = {(2, "b"): 333_333_333, (1, "a"): 333_333_333}
    other = dict(reversed(shares.items()))
    answer = an_answer(fee_micro=9_999)
    assert transfers_for(answer, an_attribution(shares), AB, POLICY) == transfers_for(
        answer, an_attribution(other), AB, POLICY
    )


@pytest.mark.parametrize("answer", [a_refusal(), an_answer(kind="who"), an_answer(fee_micro=0)])
def test_free_answers_post_nothing(answer: Answer) -> None:
    """Refused answers, `who` answers and answers without a fee move no money."""
    assert transfers_for(answer, an_attribution({(1, "a"): 10**9}), AB, POLICY) == ()


def test_grants_beyond_the_whole_are_refused() -> None:
    """Grants whose parts exceed one million stop the posting."""
    holdings = Holdings(AB.holders, {1: (("h8", 600_000), ("h9", 600_000))}, frozenset())
    with pytest.raises(ValueError, match="exceed the whole"):
        transfers_for(an_answer(), an_attribution({(1, "a"): 10**9}), holdings, POLICY)


def test_author_without_holder_is_refused() -> None:
    """A known author whose holder is not known is an error, never unclaimed money."""
    with pytest.raises(ValueError, match="author a has no rights holder"):
        transfers_for(an_answer(), an_attribution({(1, "a"): 10**9}), NOBODY, POLICY)


def test_holdings_are_kept_with_the_attribution() -> None:
    """What a posting used reads back the same and leaves the other detail alone."""
    holdings = Holdings(AB.holders, {1: (("h8", 250_000),), 30: ()}, frozenset({7, 2}))
    kept = with_holdings(an_attribution({}), holdings)
    assert holdings_of(kept) == holdings
    assert kept.detail["budget"] == {"passes": 4}
    with pytest.raises(ValueError, match="cannot be read"):
        holdings_of(an_attribution({}))
