"""What the product pays for a made case: its prompt, its support, its masked values, its rule."""

from collections import defaultdict
from collections.abc import Mapping

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.attribute import ShareRules, reversed_order, used_by
from haozhi.attribution.context import Case
from haozhi.attribution.rules import USED_AND_SUPPORTED, Rule
from haozhi.attribution.shares import Shares, build_shares
from haozhi.attribution.values import ValueFunction
from haozhi.evaluation.attribution.posing import spending
from haozhi.evaluation.made.case import MadeCase
from haozhi.evaluation.made.posing import Parts, case_of, pose
from haozhi.evaluation.made.scoring import Paid
from haozhi.models.generator import Generator

RULES = ShareRules(support_ppm=500_000, noise_floor_ppb=0)
"""What the first policy of every store says."""


def pay(parts: Parts, made: MadeCase, rule: Rule = USED_AND_SUPPORTED, shuffle: int = 0) -> Paid:
    """The final shares of a case; only the influence that is shown beside them is left out."""
    with spending() as spent:
        case = case_of(parts, pose(parts, made, shuffle))
        shares, passes = final_shares(parts.generator, case, made.id, rule)
    return Paid(by_author(shares), passes, spent.cpu_s)


def final_shares(
    generator: Generator, case: Case, salt: str, rule: Rule = USED_AND_SUPPORTED
) -> tuple[Shares, int]:
    """The shares that `attribute_finally` comes to, and the passes that they took.

    Where nothing is backed no value can move a share, and none is computed.
    """
    orders: list[ValueFunction] = []
    if any(support.sets for support in case.support):
        scored = (case.scored, reversed_order(case.scored))
        orders = [ValueFunction(generator, each) for each in scored]
    shares = build_shares(
        case,
        [used_by(case, values, rule) for values in orders] or [_unused],
        support_part=RULES.support_ppm / 1_000_000,
        noise_ppb=RULES.noise_floor_ppb,
        salt=salt,
        rule=rule,
    )
    return shares, sum(values.passes for values in orders)


def by_author(shares: Shares) -> Mapping[str, float]:
    """Parts of the fee, 0..1, of each author."""
    parts: dict[str, float] = defaultdict(float)
    for pair in shares.pairs:
        assert pair.author_id is not None  # every made statement has its author
        parts[pair.author_id] += pair.share_ppb / WHOLE_PPB
    return parts


def _unused(_segment: int, _coalition: frozenset[int]) -> float:
    return 0.0
