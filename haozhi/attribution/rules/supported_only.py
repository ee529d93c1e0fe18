"""`supported-only/1`: paid is what backs a segment, whether the model used it or knew it."""

from collections.abc import Sequence
from dataclasses import replace

from haozhi.attribution.rules.game import Terms
from haozhi.attribution.rules.rule import Rule


def _terms(found: Terms, _everyone: Sequence[int]) -> Terms:
    return replace(found, support_part=1.0)


SUPPORTED_ONLY = Rule("supported-only/1", _terms)
