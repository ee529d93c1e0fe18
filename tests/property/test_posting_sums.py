"""Rules of posting over random attributions, grants and fees."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from haozhi.accounting.posting import transfers_for
from haozhi.accounting.split import to_ppb
from store.records import Holdings, Unattributed
from tests.books import POLICY, an_answer, an_attribution

AUTHORS = "abcd"


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 10**7))
def test_transfers_sum_to_the_fee_each_within_one_unit_of_its_share(
    seed: int, fee_micro: int
) -> None:
    """Whatever the shares, grants and disputes, the fee is paid out exactly and fairly."""
    random = Random(seed)
    pairs = [(s, a) for s in (1, 2, 3) for a in (*AUTHORS, None) if random.random() < 0.4]
    weights = {f"{i}": random.random() for i in range(len(pairs))} | {"rest": random.random()}
    ppb = to_ppb(weights, salt="x")
    attribution = an_attribution(
        {pair: ppb[str(i)] for i, pair in enumerate(pairs)},
        unattributed=Unattributed(disagree=ppb["rest"]),
    )
    holdings = Holdings(
        holders={a: f"h{a}" for a in AUTHORS},
        grants={2: tuple((h, random.randint(1, 500_000)) for h in ("ha", "x"))},
        disputed=frozenset({3}),
    )
    transfers = transfers_for(an_answer(fee_micro=fee_micro), attribution, holdings, POLICY)
    assert sum(t.amount_micro for t in transfers) == fee_micro
    for t in transfers:
        assert t.amount_micro > 0
        assert t.share_ppb is not None
        assert abs(t.amount_micro * 10**9 - fee_micro * t.share_ppb) < 10**9
