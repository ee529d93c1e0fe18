"""The methods that are compared, each behind one call: a posed item becomes influence and cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from haozhi.attribution.calibration import calibration_dir, find_calibration
from haozhi.attribution.estimators import (
    Estimate,
    Value,
    antithetic,
    exact,
    lasso,
    leave_one_out,
    paired,
    soft_mask,
)
from haozhi.attribution.final import PASSES
from haozhi.attribution.influence import measure_influence
from haozhi.attribution.signals import read_signals
from haozhi.attribution.values import Scored, ValueFunction
from haozhi.evaluation.attribution.contextcite import run_context_cite
from haozhi.evaluation.attribution.final import case_of, final_influence
from haozhi.evaluation.attribution.orders import compare_orders
from haozhi.evaluation.attribution.posing import Posed, Spent, spending
from haozhi.evaluation.attribution.removal import RemovalFunction, every_coalition
from haozhi.judge import usual_similarity
from haozhi.models.generator import Generator
from haozhi.settings import load_settings

SEED = 0


@dataclass(frozen=True)
class Found:
    """What a method says of one item: nats per statement, what it spent, and what else it knows.

    `values` are the nats of every coalition, where the method evaluates them all. `besides` is what
    it found for other methods on its way.
    """

    influence: tuple[float, ...]
    spent: Spent
    values: tuple[float, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    besides: "Mapping[str, Found]" = field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """A name in the table; rows of an older `version` are measured again."""

    version: int
    run: Callable[[Generator, Posed], Found | None]
    """None: it says nothing with this model. The answer was given just before."""


def _final(generator: Generator, posed: Posed) -> Found:
    case = case_of(generator, posed)
    with spending() as spent:
        found = final_influence(generator, posed, case)
    return _found(found, spent)


def _provisional(generator: Generator, posed: Posed) -> Found | None:
    """What is learned of the model says, of signals that the answer left; None: nothing is."""
    calibration = find_calibration(calibration_dir(load_settings()), generator.fingerprint)
    if isinstance(calibration, str):
        return None
    with spending() as spent:
        signals = read_signals(generator, posed.scored, posed.similarities)
        found = calibration.predict(signals, 0, len(posed.scored.answer_ids))
    return Found(tuple(map(float, found)), spent)


def _masked(estimate: Callable[[int, Value], Estimate]) -> Method:
    """An estimator of the masked game, on the prompt that is still kept of the answer."""

    def run(generator: Generator, posed: Posed) -> Found:
        with spending() as spent:
            values = ValueFunction(generator, posed.scored)
            found = estimate(len(posed.scored.spans), values.totals)
        return _found(found, spent)

    return Method(1, run)


def _found(estimate: Estimate, spent: Spent) -> Found:
    detail = {"passes": estimate.passes, "residual": estimate.residual}
    return Found(estimate.influence, spent, detail=detail)


def _soft_mask(generator: Generator, posed: Posed) -> Found:
    groups = [frozenset({i}) for i in range(len(posed.scored.spans))]
    with spending() as spent:
        found = soft_mask(ValueFunction(generator, posed.scored), groups, steps=4)
    return _found(found, spent)


def _shapley(make: Callable[[Generator, Scored], ValueFunction | RemovalFunction]) -> Method:
    """The Shapley value of a game over all coalitions, with all their values."""

    def run(generator: Generator, posed: Posed) -> Found:
        with spending() as spent:
            values = make(generator, posed.scored)
            found = exact(len(posed.scored.spans), values.totals)
        table = values.totals(every_coalition(len(posed.scored.spans)))
        return replace(_found(found, spent), values=tuple(table.tolist()))

    return Method(1, run)


def _retrieval(_generator: Generator, posed: Posed) -> Found:
    """The similarity to the question above the usual one: retrieval knows it already."""
    usual = usual_similarity(posed.item.language, posed.item.language)
    with spending() as spent:
        found = tuple(each - usual for each in posed.similarities)
    return Found(found, spent)


def _contextcite(*ablations: int) -> Method:
    """The first number is the method's own; more ablations draw the masks of fewer first."""

    def run(generator: Generator, posed: Posed) -> Found:
        cited = run_context_cite(generator, posed.scored, ablations)
        found = [
            Found(c.weights, c.cost, detail={"calls": c.calls, "distinct": c.distinct})
            for c in (cited[count] for count in ablations)
        ]
        others = zip(ablations[1:], found[1:], strict=True)
        return replace(found[0], besides={f"contextcite-{n}": each for n, each in others})

    return Method(1, run)


def _orders(generator: Generator, posed: Posed) -> Found:
    """No method of its own: how far the final tier's shares follow the order of the context."""

    def influence(scored: Scored) -> tuple[float, ...]:
        found = measure_influence(ValueFunction(generator, scored), PASSES)
        assert found is not None, "the budget suffices for six statements"
        return found.nats

    with spending() as spent:
        found = compare_orders(posed.scored, influence, SEED)
    return Found((), spent, detail=found)


ORDERS = "orders"
METHODS: Mapping[str, Method] = {
    "removal": _shapley(RemovalFunction),
    "exact": _shapley(lambda g, scored: ValueFunction(g, scored, likely=None)),
    "final": Method(3, _final),
    "provisional": Method(1, _provisional),
    "soft-mask-4": Method(1, _soft_mask),
    "paired": _masked(paired),
    "loo": _masked(leave_one_out),
    "antithetic": _masked(lambda n, v: antithetic(n, v, permutations=4, seed=SEED)),
    "lasso": _masked(lambda n, v: lasso(n, v, masks=32, seed=SEED)),
    "retrieval": Method(1, _retrieval),
    "contextcite-256": _contextcite(256, 32),
    "contextcite-32": _contextcite(32),
    ORDERS: Method(3, _orders),
}
"""In the order in which they are measured and shown. `removal` is what the others are held to.

`exact` is the Shapley value of the ledger's game, which all others of the masked ones estimate.
"""
