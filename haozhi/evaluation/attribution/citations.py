"""Citation precision and recall by ALCE's formula (Gao et al. 2023), verified by people.

ALCE asks an entailment model whether the statements cited for a segment support it. Here people
say so: the evidence sentences of ExpMRC, the supporting passages of HotpotQA, MuSiQue and
MaxShapley, the papers that ScholarQABench's experts cite, and for made items their construction.
Our own support finder would only confirm itself.

A segment's evidence are alternatives, each a set of statements that together support it:

    recall     part of the segments whose citations hold an alternative
    precision  part of the citations that count: their segment is supported, and they support it
               alone or it is no longer supported without them
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from haozhi.evaluation.attribution.items import Item

VERIFIER = "human evidence"

Evidence = Collection[frozenset[int]]
"""Sets of statement numbers, each of which supports a segment."""

#: Kinds of items of which each relevant statement answers alone; of others all do together.
ALONE = frozenset({"comment", "duplicate", "search", "single"})


@dataclass(frozen=True)
class Citations:
    """0..1 each; `precision` is 0 where nothing is cited."""

    precision: float
    recall: float


def citation_scores(cited: Sequence[frozenset[int]], evidence: Sequence[Evidence]) -> Citations:
    """The scores of an answer of at least one segment; `cited[k]` are cited for segment k."""
    segments = list(zip(cited, evidence, strict=True))
    right = sum(_counts(each, own, sets) for own, sets in segments for each in own)
    supported = sum(_supports(own, sets) for own, sets in segments)
    return Citations(right / max(sum(map(len, cited)), 1), supported / len(segments))


def evidence_of(item: Item) -> Evidence:
    """What supports the item's answer, taken as one segment; nothing where nobody says."""
    relevant = item.relevant or frozenset()
    if item.kind in ALONE:
        return [frozenset({number}) for number in sorted(relevant)]
    return [relevant] if relevant else []


def _supports(statements: frozenset[int], evidence: Evidence) -> bool:
    return any(one <= statements for one in evidence)


def _counts(one: int, cited: frozenset[int], evidence: Evidence) -> bool:
    if not _supports(cited, evidence):
        return False
    return _supports(frozenset({one}), evidence) or not _supports(cited - {one}, evidence)
