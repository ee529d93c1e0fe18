"""Rights in works: holders, what they grant, who is owed for an answer, and how much is shown."""

from store.rights.display import FREE, Display, Place, displays, places_of, shown_to
from store.rights.grants import (
    Grant,
    NewGrant,
    add_grant,
    allowance,
    end_grant,
    grants_of,
    list_grants,
)
from store.rights.holders import Holder, add_holder, find_holders, get_holder, get_holders
from store.rights.holdings import holdings_of
from store.rights.knowledge import link_asker, mark_common, unlink_asker

__all__ = [
    "FREE",
    "Display",
    "Grant",
    "Holder",
    "NewGrant",
    "Place",
    "add_grant",
    "add_holder",
    "allowance",
    "displays",
    "end_grant",
    "find_holders",
    "get_holder",
    "get_holders",
    "grants_of",
    "holdings_of",
    "link_asker",
    "list_grants",
    "mark_common",
    "places_of",
    "shown_to",
    "unlink_asker",
]
