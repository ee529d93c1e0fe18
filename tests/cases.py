"""Small cases for the tests of shares: statements, authors and support, without a model."""

from collections.abc import Sequence

from haozhi.accounting.split import WHOLE_PPB, split
from haozhi.attribution.context import Case
from haozhi.attribution.support import FoundSet, SegmentSupport
from haozhi.attribution.values import Scored
from store.records.corpus import AuthorShare

Authors = tuple[AuthorShare, ...]


def by(*authors: str) -> Authors:
    """Author shares in equal parts; nobody when there is none."""
    parts = split(1_000_000, [(a, 1) for a in authors], "") if authors else {}
    return tuple(AuthorShare(author, ppm) for author, ppm in parts.items())


def backed(*sets: tuple[float, tuple[int, ...]], against: Sequence[int] = ()) -> SegmentSupport:
    """Support of a segment by (strength, statement ids), and the ids that deny it."""
    found = tuple(FoundSet(ids, strength, "terms") for strength, ids in sets)
    return SegmentSupport(found, tuple(FoundSet((i,), 1.0, "polarity") for i in against))


def a_case(authors: Sequence[Authors], support: Sequence[SegmentSupport]) -> Case:
    """Statements 10, 11, … by these authors; one answer token and an equal weight per segment."""
    vectors = list(dict.fromkeys(own or n for n, own in enumerate(authors)))
    numbers = range(len(authors))
    weights = split(WHOLE_PPB, [(str(k), 1) for k in range(len(support))], "")
    return Case(
        scored=Scored(
            prompt_ids=tuple(range(2 * len(authors) + 2)),
            answer_ids=tuple(range(len(support))),
            spans=tuple((2 * n, 2 * n + 1) for n in numbers),
            tail_start=2 * len(authors),
        ),
        positions=tuple(numbers),
        statement_ids=tuple(10 + n for n in numbers),
        authors=tuple(authors),
        players=tuple(vectors.index(own or n) for n, own in enumerate(authors)),
        segments=tuple((k, k + 1) for k in range(len(support))),
        weights_ppb=tuple(weights.values()),
        support=tuple(support),
    )
