"""The final tier of an answer's attribution: support and measured values, within a budget."""

from dataclasses import dataclass, replace
from typing import Any

from haozhi.attribution.attribute import ShareRules, shares_of, unmeasured
from haozhi.attribution.context import Case
from haozhi.attribution.influence import Influence, answer_rows, measure_influence
from haozhi.attribution.orders import read_backwards, reading_passes
from haozhi.attribution.rules import grounding
from haozhi.attribution.shares import Shares
from haozhi.attribution.usage import games_of, used_by
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
    money = _money(generator, case, rules, answer_id, budget)
    shown = ValueFunction(generator, answer_rows(case.scored), money.given.vocabulary)
    influence = measure_influence(shown, budget - money.passes)
    none, full = _ends(money.given)
    found = unmeasured(answer_id, case, money.shares, rules, now_us, method=GAME)
    return replace(
        found,
        v_none=none,
        v_all=full,
        grounding=grounding(full, none),
        residual=influence and influence.residual,
        order_spread=_spread(money),
        signals=tuple(
            replace(signal, influence_nats=influence and influence.nats[i])
            for i, signal in enumerate(found.signals)
        ),
        detail=_detail(case, money, influence, budget),
    )


def final_shares(
    generator: Generator,
    case: Case,
    rules: ShareRules,
    salt: str,
    budget: int = PASSES,
) -> tuple[Shares, int]:
    """The shares that `attribute_finally` comes to, and the passes that they took."""
    money = _money(generator, case, rules, salt, budget)
    return money.shares, money.passes


def _money(generator: Generator, case: Case, rules: ShareRules, salt: str, budget: int) -> _Money:
    given = ValueFunction(generator, case.scored)
    orders, backwards = [used_by(case, given, rules.rule, budget)], None
    passes = given.passes
    if any(len(players) > 1 for players in games_of(case, rules.rule)):
        again = reading_passes(case.scored) + passes
        if passes + again <= budget:
            backwards = read_backwards(generator, given)
            orders.append(used_by(case, backwards, rules.rule))
            passes += again
    return _Money(shares_of(case, orders, rules, salt), given, backwards, passes)


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


def _detail(case: Case, money: _Money, influence: Influence | None, budget: int) -> dict[str, Any]:
    """What was spent and on what, and the values that moved money, for the page of the answer."""
    known = money.given.known
    supporting = {i for coalition in known if len(coalition) < len(case.players) for i in coalition}
    coalitions = [
        [sorted(case.statement_ids[i] for i in coalition), round(nats, 4)]
        for coalition, nats in sorted(known.items(), key=lambda item: (len(item[0]), *item[0]))
    ]
    return {
        "passes": money.passes + (influence.passes if influence else 0),
        "budget": budget,
        "orders": 1 if money.backwards is None else 2,
        "influence": influence.method if influence else None,
        "coalitions": coalitions if len(supporting) <= MOST_SHOWN else None,
    }
