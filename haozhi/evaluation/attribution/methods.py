"""The methods that are compared, each behind one call: a posed item becomes influence and cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from haozhi.attribution.estimators import (
    Estimate,
    Value,
    antithetic,
    exact,
    lasso,
    leave_one_out,
    paired,
)
from haozhi.attribution.values import ValueFunction
from haozhi.evaluation.attribution.contextcite import run_context_cite
from haozhi.evaluation.attribution.posing import Posed, Spent, spending
from haozhi.evaluation.attribution.removal import RemovalFunction, every_coalition
from haozhi.models.generator import Generator

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
    run: Callable[[Generator, Posed], Found]


def _masked(estimate: Callable[[int, Value], Estimate]) -> Method:
    """An estimator of the masked game; its cost includes running the prompt's cached part."""

    def run(generator: Generator, posed: Posed) -> Found:
        with spending() as spent:
            values = ValueFunction(generator, posed.scored)
            found = estimate(len(posed.scored.spans), values.totals)
        detail = {"passes": found.passes, "residual": found.residual}
        return Found(found.influence, spent, detail=detail)

    return Method(1, run)


def _exact(generator: Generator, posed: Posed) -> Found:
    with spending() as spent:
        values = ValueFunction(generator, posed.scored)
        found = exact(len(posed.scored.spans), values.totals)
    table = values.totals(every_coalition(len(posed.scored.spans)))
    return Found(found.influence, spent, tuple(table.tolist()), {"passes": found.passes})


def _removal(generator: Generator, posed: Posed) -> Found:
    """Exact Shapley by text removal: what is compared with, not a method that anybody could pay."""
    with spending() as spent:
        values = RemovalFunction(generator, posed.scored)
        found = exact(len(posed.scored.spans), values.totals)
    table = values.totals(every_coalition(len(posed.scored.spans)))
    return Found(found.influence, spent, tuple(table.tolist()), {"passes": found.passes})


def _retrieval(_generator: Generator, posed: Posed) -> Found:
    """Nothing but the similarity to the question, which retrieval knows already."""
    with spending() as spent:
        found = posed.similarities
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


METHODS: Mapping[str, Method] = {
    "removal": Method(1, _removal),
    "exact": Method(1, _exact),
    "paired": _masked(paired),
    "loo": _masked(leave_one_out),
    "antithetic": _masked(lambda n, v: antithetic(n, v, permutations=4, seed=SEED)),
    "lasso": _masked(lambda n, v: lasso(n, v, masks=32, seed=SEED)),
    "retrieval": Method(1, _retrieval),
    "contextcite-256": _contextcite(256, 32),
    "contextcite-32": _contextcite(32),
}
"""In the order in which they are measured and shown; `removal` is what the others are held to."""
