"""`used-only/1`: paid is what moved the answer, whether it says so or not; nothing is denied."""

from collections.abc import Sequence

from haozhi.attribution.rules.game import Backing, Terms
from haozhi.attribution.rules.rule import Rule

#: All authors of a usual context play; of more, those that were retrieved first.
MOST_PLAYERS = 8


def _terms(_found: Terms, everyone: Sequence[int]) -> Terms:
    """As if each player backed everything by itself and support alone were worth nothing."""
    each = tuple(Backing(frozenset({player}), 1.0) for player in everyone[:MOST_PLAYERS])
    return Terms(each, support_part=0.0, most_players=MOST_PLAYERS)


USED_ONLY = Rule("used-only/1", _terms, divides_by_support=False)
