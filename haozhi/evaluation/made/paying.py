"""What the product pays for a made case: its prompt, its support, its masked values, its rule."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.final import final_shares
from haozhi.attribution.rules import USED_AND_SUPPORTED_2, rule_named
from haozhi.attribution.shares import Shares
from haozhi.evaluation.attribution.posing import spending
from haozhi.evaluation.made.case import MadeCase
from haozhi.evaluation.made.posing import Parts, case_of, pose
from haozhi.evaluation.made.scoring import Paid

RULES = ShareRules(support_ppm=500_000, noise_floor_ppb=0, rule=USED_AND_SUPPORTED_2)
"""What the first policy of a new store says."""


def rules_by(name: str) -> ShareRules:
    """The first policy, with the rule of this name. UsageError: there is none."""
    return replace(RULES, rule=rule_named(name))


def pay(parts: Parts, made: MadeCase, rules: ShareRules) -> Paid:
    """The final shares of a case; only the influence that is shown beside them is left out."""
    with spending() as spent:
        case = case_of(parts, pose(parts, made))
        shares, passes = final_shares(parts.generator, case, rules, made.id)
    return Paid(by_author(shares), passes, spent.cpu_s)


def by_author(shares: Shares) -> Mapping[str, float]:
    """Parts of the fee, 0..1, of each author."""
    parts: dict[str, float] = defaultdict(float)
    for pair in shares.pairs:
        assert pair.author_id is not None  # every made statement has its author
        parts[pair.author_id] += pair.share_ppb / WHOLE_PPB
    return parts
