"""Rules for money behind one interface, by name; the ledger posts by a `used-and-supported`.

The others are there to be compared with it (`haozhi eval`), never to post money.
"""

from haozhi.attribution.rules.game import (
    MOST_PLAYERS,
    Backing,
    SegmentShares,
    Terms,
    grounding,
    segment_shares,
)
from haozhi.attribution.rules.rule import Rule
from haozhi.attribution.rules.supported_only import SUPPORTED_ONLY
from haozhi.attribution.rules.used_and_supported import USED_AND_SUPPORTED
from haozhi.attribution.rules.used_and_supported_2 import USED_AND_SUPPORTED_2
from haozhi.attribution.rules.used_only import USED_ONLY
from store.errors import UsageError

__all__ = [
    "MOST_PLAYERS",
    "RULES",
    "USED_AND_SUPPORTED",
    "USED_AND_SUPPORTED_2",
    "Backing",
    "Rule",
    "SegmentShares",
    "Terms",
    "grounding",
    "rule_named",
    "segment_shares",
]

RULES = {
    rule.name: rule
    for rule in (USED_AND_SUPPORTED, USED_AND_SUPPORTED_2, USED_ONLY, SUPPORTED_ONLY)
}


def rule_named(name: str) -> Rule:
    """The rule with this name. UsageError: there is none."""
    if name not in RULES:
        raise UsageError(f"there is no rule {name}; there are {', '.join(RULES)}")
    return RULES[name]
