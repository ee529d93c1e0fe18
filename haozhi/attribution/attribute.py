"""The final tier of an answer's attribution: support and measured values."""

from dataclasses import dataclass, replace

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.context import Case
from haozhi.attribution.rules import USED_AND_SUPPORTED, Rule, grounding
from haozhi.attribution.shapley import Coalition, paired, paired_coalitions, subsets
from haozhi.attribution.shares import Shares, Used, build_shares, terms_of
from haozhi.attribution.values import Scored, ValueFunction
from haozhi.models.generator import Generator
from store.records.answers import Attribution, Signal, SupportSet, Unattributed

GAME = "masked-v1"


@dataclass(frozen=True)
class ShareRules:
    """What the policy says of shares: r in parts per million, the noise floor in ppb."""

    support_ppm: int
    noise_floor_ppb: int


def attribute_finally(
    generator: Generator, answer_id: str, case: Case, rules: ShareRules, now_us: int
) -> Attribution:
    """Shares from support and masked values, averaged over the given and the reversed order.

    Influence, attention and gradient of every context statement are measured beside them.
    """
    given = ValueFunction(generator, case.scored)
    backwards = ValueFunction(generator, reversed_order(case.scored))
    orders = [used_by(case, given), used_by(case, backwards)]
    shares = shares_of(case, orders, rules, answer_id)
    everyone = frozenset(range(len(case.statement_ids)))
    none, full = given.totals([frozenset(), everyone])
    other = backwards.totals([frozenset(), everyone])
    members = sorted(everyone)
    values = dict(zip(c := paired_coalitions(members), given.totals(c), strict=True))
    influence, residual = paired(members, lambda coalition: float(values[coalition]))
    measured = unmeasured(answer_id, case, shares, now_us, method=GAME)
    return replace(
        measured,
        v_none=float(none),
        v_all=float(full),
        grounding=grounding(float(full), float(none)),
        residual=residual,
        order_spread=float(abs((full - none) - (other[1] - other[0]))),
        signals=tuple(
            replace(signal, attention=a, gradient=g, influence_nats=influence[i])
            for i, (signal, a, g) in enumerate(
                zip(measured.signals, given.attention(), given.gradients()[0], strict=True)
            )
        ),
        detail={"passes": given.passes + backwards.passes},
    )


def reversed_order(scored: Scored) -> Scored:
    """The same prompt with its statements (each with what follows it) in reversed order.

    The statements keep their numbers.
    """
    order = sorted(range(len(scored.spans)), key=lambda i: scored.spans[i])
    starts = [scored.spans[i][0] for i in order]
    ends = dict(zip(order, [*starts[1:], scored.tail_start], strict=True))
    ids = list(scored.prompt_ids[: starts[0]])
    spans: dict[int, tuple[int, int]] = {}
    for i in reversed(order):
        start, end = scored.spans[i]
        spans[i] = (len(ids), len(ids) + end - start)
        ids += scored.prompt_ids[start : ends[i]]
    prompt = (*ids, *scored.prompt_ids[scored.tail_start :])
    return replace(scored, prompt_ids=prompt, spans=tuple(spans[i] for i in range(len(order))))


def used_by(case: Case, values: ValueFunction, rule: Rule = USED_AND_SUPPORTED) -> Used:
    """g_k(T) for coalitions of players; all that the rule's games ask for run as one batch."""
    spans = {
        player: frozenset(p for p, q in enumerate(case.players) if q == player)
        for player in set(case.players)
    }

    def statements(coalition: Coalition) -> frozenset[int]:
        return frozenset().union(*(spans[player] for player in coalition))

    games = {terms_of(case, k, 1.0, rule).players for k in range(len(case.segments))}
    values.token_values([statements(c) for game in sorted(games) for c in subsets(game)])

    def used(k: int, coalition: Coalition) -> float:
        start, end = case.segments[k]
        some, none = values.token_values([statements(coalition), frozenset()])[:, start:end].sum(1)
        return grounding(float(some), float(none))

    return used


def shares_of(case: Case, orders: list[Used], rules: ShareRules, answer_id: str) -> Shares:
    """The shares of an answer by the policy's rules; ties are broken by its id."""
    return build_shares(
        case,
        orders,
        support_part=rules.support_ppm / 1_000_000,
        noise_ppb=rules.noise_floor_ppb,
        salt=answer_id,
    )


def unmeasured(answer_id: str, case: Case, shares: Shares, now_us: int, method: str) -> Attribution:
    """A provisional attribution with these shares, of which nothing else was measured."""
    by_statement = shares.by_statement
    return Attribution(
        answer_id=answer_id,
        version=1,
        tier="provisional",
        rule=USED_AND_SUPPORTED.name,
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


def attribute_nothing(answer_id: str, now_us: int) -> Attribution:
    """The attribution of a refused answer: all of it unsupported."""
    return Attribution(
        answer_id=answer_id,
        version=1,
        tier="provisional",
        rule=USED_AND_SUPPORTED.name,
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
