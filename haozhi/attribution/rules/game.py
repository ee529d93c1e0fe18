"""The game of one segment that every rule for money plays, nothing normalised afterwards.

For segment k of weight w_k, with s_k(T) the strength of its best support set inside T and
g_k(T) = clip((v_k(T) - v_k(none)) / max(-v_k(none), 1 nat), 0, 1):

    P_k(S) = max over T within S of s_k(T) x (r + (1 - r) x g_k(T))
    share of player i = sum over k of w_k x Shapley_i(P_k)

What P_k(all) leaves of 1 is unattributed: the strength that support lacks is *unsupported*, the
rest was *already known* to the model. A segment that a context statement denies is *disagree*.
The game is monotone: when a player's statement is withdrawn, all together are paid no more, and who
backed a segment only together with it gains nothing; who backed it instead of it no longer shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from haozhi.attribution.shapley import Coalition, shapley, subsets

#: Players of one segment's game at most; 2^5 coalitions are evaluated exactly.
MOST_PLAYERS = 5


@dataclass(frozen=True)
class Backing:
    """A support set seen by players: who must be there, how strongly it backs, 0..1."""

    players: Coalition
    strength: float


@dataclass(frozen=True)
class Terms:
    """What the game of one segment is played on.

    `support_part` is r, 0..1: what support alone is worth. Sets that would bring in more than
    `most_players` players are left out, weakest first. `denied`: a statement denies the segment.
    """

    backings: tuple[Backing, ...]
    support_part: float
    denied: bool = False
    most_players: int = MOST_PLAYERS

    @property
    def players(self) -> tuple[int, ...]:
        """The players of the game, ascending: those of the strongest support sets."""
        chosen: set[int] = set()
        for backing in sorted(self.backings, key=lambda b: (-b.strength, sorted(b.players))):
            if len(chosen | backing.players) <= self.most_players:
                chosen |= backing.players
        return tuple(sorted(chosen))


@dataclass(frozen=True)
class SegmentShares:
    """Parts of one segment, 0..1 each: per player and unattributed by cause; they sum to 1."""

    players: Mapping[int, Fraction]
    unsupported: Fraction
    already_known: Fraction
    disagree: Fraction


def grounding(value: float, none: float) -> float:
    """(v - v(none)) / max(-v(none), 1 nat): the part of the answer that the statements supplied."""
    return (value - none) / max(-none, 1.0)


def segment_shares(terms: Terms, used: Callable[[Coalition], float]) -> SegmentShares:
    """The shares of one segment. `used(T)` is g_k(T)."""
    zero = Fraction(0)
    if terms.denied:
        return SegmentShares({}, zero, zero, Fraction(1))
    members = terms.players
    if not members:
        return SegmentShares({}, Fraction(1), zero, zero)
    part, worth = Fraction(terms.support_part), dict[Coalition, Fraction]()
    strength: dict[Coalition, Fraction] = {}
    for coalition in subsets(members):
        held = (Fraction(b.strength) for b in terms.backings if b.players <= coalition)
        strength[coalition] = max(held, default=zero)
        own = strength[coalition] * (part + (1 - part) * _clipped(used(coalition)))
        worth[coalition] = max([own, *(worth[coalition - {member}] for member in coalition)])
    everyone = frozenset(members)
    unsupported = 1 - strength[everyone]
    known = strength[everyone] - worth[everyone]
    return SegmentShares(shapley(members, worth), unsupported, known, zero)


def _clipped(used: float) -> Fraction:
    return Fraction(min(max(used, 0.0), 1.0))
