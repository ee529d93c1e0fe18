"""How far two attributions of one answer are apart."""

from collections import Counter

from store.records.answers import Attribution

#: More than this is shown: twenty points of an answer.
NOTABLE_PPB = 200_000_000


def largest_difference_ppb(one: Attribution, other: Attribution) -> int:
    """The largest difference of a pair's share or of the unattributed part, in ppb."""
    left: Counter[tuple[int, str | None] | None] = Counter()
    for attribution, sign in ((one, 1), (other, -1)):
        left[None] += sign * attribution.unattributed.total
        for pair in attribution.pairs:
            left[pair.statement_id, pair.author_id] += sign * pair.share_ppb
    return max(abs(difference) for difference in left.values())
