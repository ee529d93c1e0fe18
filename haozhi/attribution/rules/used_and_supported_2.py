"""`used-and-supported/2`: as /1, but used is the part of the answer's *probability* that is owed.

    g_k(T) = 1 - exp(-(v_k(T) - v_k(none))) = (p(T) - p(none)) / p(T)

This is the attributable fraction, the excess risk ratio of Tian and Pearl (Probabilities of
causation, 2000): of the times that the model gives the segment with T, the part in which it would
not have given it without. Version 1 divides by -v(none), where the cost of an answer's wording
stands too, and books it as known: `Belo was born in 1861.` costs 10 nats even after a statement
that says so word for word, because the model would have said `1861`.
"""

from math import expm1

from haozhi.attribution.rules.rule import Rule
from haozhi.attribution.rules.used_and_supported import USED_AND_SUPPORTED


def supplied(value: float, none: float) -> float:
    """(p - p(none)) / p of log-probabilities in nats, 0..1; 0 where the statements misled."""
    return -expm1(min(none - value, 0.0))


USED_AND_SUPPORTED_2 = Rule("used-and-supported/2", USED_AND_SUPPORTED.terms, used=supplied)
