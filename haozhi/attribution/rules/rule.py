"""What a rule for money is: a name, and the terms on which it has each segment's game played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from haozhi.attribution.rules.game import Terms, grounding


@dataclass(frozen=True)
class Rule:
    """`terms(found, everyone)` turns what was found of a segment into what the rule plays on.

    `everyone` are all players of the context, best retrieved first. With `divides_by_support` a
    player's part goes to its statements by the strength that they support with, else evenly.
    `used(v, v_none)` is g of a coalition worth v: the part of a segment that it supplied, where
    below 0 counts as 0 and above 1 as 1.
    """

    name: str
    terms: Callable[[Terms, Sequence[int]], Terms]
    divides_by_support: bool = True
    used: Callable[[float, float], float] = grounding
