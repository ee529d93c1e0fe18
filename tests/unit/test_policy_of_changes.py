"""What a later entry does to another is under the policy of that other."""

from dataclasses import replace

import pytest

from store.checking.changes import change_differences
from store.records.ledger import Entry, Transfer

PAID = Transfer("asker:a", "holder:h", 100, "share")
ENTRY = Entry(1, "answer:a:dist:1", "", "", 1, 3, 10, (PAID,))
BACK = Transfer("holder:h", "reserve:disputed", 100, "dispute_open", line=0)


@pytest.mark.parametrize("key", ["dispute:d:open", "dispute:d:close", "payout:b:h:return"])
def test_disputes_and_returns_keep_the_policy_of_what_they_change(key: str) -> None:
    """An entry of a dispute or a returned payout under another policy is found."""
    change = Entry(2, key, "", "", 1, 3, 20, (BACK,), corrects=ENTRY.key)
    assert list(change_differences(ENTRY, [change])) == []
    (found,) = change_differences(ENTRY, [replace(change, policy_version=4)])
    assert (found.code, found.message) == ("change_differs", "it has another policy")
