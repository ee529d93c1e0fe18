"""What both tiers of an attribution share: shares by the policy, and the record of them."""

from dataclasses import dataclass

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.context import Case
from haozhi.attribution.rules import USED_AND_SUPPORTED, Rule
from haozhi.attribution.shares import Shares, Used, build_shares
from store.records.answers import Attribution, Signal, SupportSet, Unattributed


@dataclass(frozen=True)
class ShareRules:
    """What the policy says of shares: r in parts per million, the noise floor in ppb, the rule."""

    support_ppm: int
    noise_floor_ppb: int
    rule: Rule = USED_AND_SUPPORTED


def shares_of(case: Case, orders: list[Used], rules: ShareRules, answer_id: str) -> Shares:
    """The shares of an answer by the policy's rules; ties are broken by its id."""
    return build_shares(
        case,
        orders,
        support_part=rules.support_ppm / 1_000_000,
        noise_ppb=rules.noise_floor_ppb,
        salt=answer_id,
        rule=rules.rule,
    )


def unmeasured(
    answer_id: str, case: Case, shares: Shares, rules: ShareRules, now_us: int, method: str
) -> Attribution:
    """A provisional attribution with these shares, of which nothing else was measured."""
    by_statement = shares.by_statement
    return Attribution(
        answer_id=answer_id,
        version=1,
        tier="provisional",
        rule=rules.rule.name,
        method=method,
        v_none=None,
        v_all=None,
        grounding=None,
        residual=None,
        order_spread=None,
        unattributed=shares.unattributed,
        supports=_supports(case),
        signals=tuple(
            Signal(p, None, None, None, _support_of(case, s), by_statement.get(s, 0))
            for p, s in zip(case.positions, case.statement_ids, strict=True)
        ),
        pairs=shares.pairs,
        citations=shares.citations,
        created_us=now_us,
    )


def attribute_nothing(answer_id: str, rules: ShareRules, now_us: int) -> Attribution:
    """The attribution of a refused answer: all of it unsupported."""
    return Attribution(
        answer_id=answer_id,
        version=1,
        tier="provisional",
        rule=rules.rule.name,
        method="none",
        v_none=None,
        v_all=None,
        grounding=None,
        residual=None,
        order_spread=None,
        unattributed=Unattributed(unsupported=WHOLE_PPB),
        supports=(),
        signals=(),
        pairs=(),
        citations=(),
        created_us=now_us,
    )


def _supports(case: Case) -> tuple[SupportSet, ...]:
    found: list[SupportSet] = []
    for k, support in enumerate(case.support):
        found += [
            SupportSet(k, "supports", each.statement_ids, each.strength, each.method)
            for each in support.sets
        ]
        found += [
            SupportSet(k, "contradicts", each.statement_ids, each.strength, each.method)
            for each in support.denials
        ]
    return tuple(found)


def _support_of(case: Case, statement: int) -> float:
    """The strongest support set that the statement is in, 0..1."""
    strengths = [
        each.strength
        for support in case.support
        for each in support.sets
        if statement in each.statement_ids
    ]
    return max(strengths, default=0.0)
