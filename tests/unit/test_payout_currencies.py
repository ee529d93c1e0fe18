"""Which currencies a batch can be made in."""

import pytest

from haozhi.payouts.batches import plan_batch
from store.errors import BadInput
from tests.books import POLICY


def test_a_currency_that_no_policy_can_have_is_not_blamed_on_the_policy() -> None:
    """What cannot be paid in is said with what can be, as for payees."""
    with pytest.raises(BadInput, match="payouts are in CNY, EUR, USD, not 'GBP'"):
        plan_batch("GBP", {}, (), (), POLICY)
