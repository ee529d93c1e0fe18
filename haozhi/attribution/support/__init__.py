"""Which statements back a segment of an answer: minimal support sets and contradictions."""

from haozhi.attribution.support.find import find_support
from haozhi.attribution.support.found import FoundSet, SegmentSupport, SupportStatement

__all__ = ["FoundSet", "SegmentSupport", "SupportStatement", "find_support"]
