"""`used-and-supported/1`, the rule of the ledger: paid is what backs a segment and was used."""

from collections.abc import Sequence

from haozhi.attribution.rules.game import Terms
from haozhi.attribution.rules.rule import Rule


def _terms(found: Terms, _everyone: Sequence[int]) -> Terms:
    return found


USED_AND_SUPPORTED = Rule("used-and-supported/1", _terms)
