"""The final tier of an answer's attribution: support and measured values, within a budget."""

from dataclasses import dataclass, replace
from typing import Any

from haozhi.attribution.attribute import ShareRules, shares_of, unmeasured
from haozhi.attribution.context import Case
from haozhi.attribution.influence import Influence, measure_influence, paired_coalitions
from haozhi.attribution.orders import read_backwards, reading_passes
from haozhi.attribution.rules import grounding
from haozhi.attribution.shares import Shares
from haozhi.attribution.usage import coalitions_of, games_of, used_by
from haozhi.attribution.values import ValueFunction
from haozhi.models.generator import Generator
from store.records.answers import Attribution

#: The ledger's game. masked-v1 normalised over the whole vocabulary and always read both orders.
GAME = "masked-v2"

#: Passes of the tail that one answer's attribution may take, where the settings say nothing else.
PASSES = 128

#: Coalitions' values are kept for the page of an answer whose money so few statements move.
MOST_SHOWN = 5


@dataclass(frozen=True)
class _Money:
    """Shares with the values that they come from, and the passes that these took."""

    shares: Shares
    given: ValueFunction
    backwards: ValueFunction | None
    passes: int


def attribute_finally(
    generator: Generator,
    answer_id: str,
    case: Case,
    rules: ShareRules,
    now_us: int,
    budget: int = PASSES,
) -> Attribution:
    """Shares from support and masked values; the influence of every context statement beside them.

    Where several players back one segment, values are averaged over the given and the reversed
    order. At most `budget` passes are run, for money first, then for the second order, then for
    what is only shown; another budget may come to other shares.
    """
    given = ValueFunction(generator, case.scored)
    usual = [*coalitions_of(case, rules.rule), *paired_coalitions(len(case.players))]
    if given.unknown(usual) + _second_order(case, rules) <= budget:
        given.token_values(usual)  # as one batch
    money = _money(generator, case, given, rules, answer_id, budget)
    influence = measure_influence(given, budget - money.passes)
    none, full = _ends(given)
    found = unmeasured(answer_id, case, money.shares, rules, now_us, method=GAME)
    return replace(
        found,
        v_none=none,
        v_all=full,
        grounding=grounding(full, none),
        residual=influence.residual if influence else None,
        order_spread=_spread(money),
        signals=tuple(
            replace(signal, influence_nats=influence.nats[i] if influence else None)
            for i, signal in enumerate(found.signals)
        ),
        detail=_detail(case, money, influence, rules, budget),
    )


def final_shares(
    generator: Generator,
    case: Case,
    rules: ShareRules,
    salt: str,
    budget: int = PASSES,
) -> tuple[Shares, int]:
    """The shares that `attribute_finally` comes to, and the passes that they took."""
    money = _money(generator, case, ValueFunction(generator, case.scored), rules, salt, budget)
    return money.shares, money.passes


def _money(
    generator: Generator,
    case: Case,
    given: ValueFunction,
    rules: ShareRules,
    salt: str,
    budget: int,
) -> _Money:
    again = _second_order(case, rules)
    orders, backwards = [used_by(case, given, rules.rule, budget)], None
    passes = given.passes
    if again and 2 * again - reading_passes(case.scored) <= budget:
        backwards = read_backwards(generator, given)
        orders.append(used_by(case, backwards, rules.rule))
        passes += again
    return _Money(shares_of(case, orders, rules, salt), given, backwards, passes)


def _second_order(case: Case, rules: ShareRules) -> int:
    """The passes that the reversed order takes, 0 where no players compete for a segment."""
    if all(len(players) < 2 for players in games_of(case, rules.rule)):
        return 0
    ends = [frozenset[int](), frozenset(range(len(case.players)))]
    return reading_passes(case.scored) + len({*ends, *coalitions_of(case, rules.rule)})


def _ends(values: ValueFunction) -> tuple[float, float]:
    everyone = frozenset(range(len(values.scored.spans)))
    none, full = values.totals([frozenset(), everyone])
    return float(none), float(full)


def _spread(money: _Money) -> float | None:
    """How far apart the orders see what all statements add, in nats; None for one order."""
    if money.backwards is None:
        return None
    (none, full), (other_none, other_full) = _ends(money.given), _ends(money.backwards)
    return abs((full - none) - (other_full - other_none))


def _detail(
    case: Case, money: _Money, influence: Influence | None, rules: ShareRules, budget: int
) -> dict[str, Any]:
    """What was spent and on what, and the values that moved money, for the page of the answer."""
    moving = frozenset[int]().union(*coalitions_of(case, rules.rule))
    known = sorted(money.given.known.items(), key=lambda item: (len(item[0]), *sorted(item[0])))
    coalitions = [
        [sorted(case.statement_ids[i] for i in coalition), round(nats, 4)]
        for coalition, nats in known
        if coalition <= moving or len(coalition) == len(case.players)
    ]
    return {
        "passes": money.passes + (influence.passes if influence else 0),
        "budget": budget,
        "orders": 1 if money.backwards is None else 2,
        "influence": influence.method if influence else None,
        "coalitions": coalitions if len(moving) <= MOST_SHOWN else None,
    }
